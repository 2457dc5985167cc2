"""A real server with something to look at, and requests to it, each by a line of its own."""

import socket
from collections.abc import Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from msgspec import Struct

from rookery.core.intents import Play, Resign
from rookery.server.datadir import TOKEN_FILE
from rookery.server.web.problems import KIND, Problem
from tests.server.games import sit_down
from tests.server.process import PATIENCE, Server, serving

K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound=Struct)


class Answer(Struct, frozen=True):
    status: int
    headers: dict[str, str]  # with small letters
    body: bytes

    @property
    def problem(self) -> Problem:
        assert self.headers["content-type"] == KIND
        return msgspec.json.decode(self.body, type=Problem)

    def read(self, kind: type[S]) -> S:
        assert self.status == 200, self.body
        return msgspec.json.decode(self.body, type=kind)


def ask(
    server: Server,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        line.request(method, path, body, headers or {})
        said = line.getresponse()
        named = {name.lower(): value for name, value in said.getheaders()}
        return Answer(said.status, named, said.read())
    finally:
        line.close()


def ask_at_once(server: Server, requests: Mapping[K, tuple[Any, ...]]) -> dict[K, Answer]:
    """What is answered to each of these: what is refused is kept waiting, and all wait together."""
    with ThreadPoolExecutor(len(requests)) as threads:
        answers = threads.map(lambda request: ask(server, *request), requests.values())
        return dict(zip(requests, answers, strict=True))


def token(server: Server) -> dict[str, str]:
    return {"Authorization": f"Bearer {(server.folder / TOKEN_FILE).read_text().strip()}"}


def write(server: Server, path: str, body: bytes | None = None) -> Answer:
    return ask(server, "POST", path, body, token(server))


class Entrant:
    """A native client that joins tours. It mutates."""

    def __init__(self, server: Server, name: str) -> None:
        self._line = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        self._heard = self._line.makefile("rb")
        hello = self.ask({"type": "hello", "version": 1, "name": name}, "hello")
        self.player: int = hello["player"]

    def ask(self, request: dict[str, str | int], kind: str) -> dict[str, Any]:
        self._line.sendall(msgspec.json.encode(request) + b"\n")
        return self.until(kind)

    def until(self, kind: str) -> dict[str, Any]:
        """The next line of this type, which must come."""
        while line := self._heard.readline():
            told: dict[str, Any] = msgspec.json.decode(line)  # Any: JSON
            if told["type"] == kind:
                return told
        raise AssertionError(f"the server hung up before {kind} came")

    def join(self, tour: int) -> None:
        self.ask({"type": "join_tour", "tour": tour}, "tour_joined")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._heard.close()
        self._line.close()


@contextmanager
def furnished(folder: Path) -> Iterator[Server]:
    """A server with a finished table 1, a running table 2, and tour 1, which runs at table 3."""
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        over = sit_down(ann, bob)
        ann.done(Play(over, "4"))
        ann.done(Resign(over))
        running = sit_down(ann, bob, "nim", "5m")
        ann.done(Play(running, "0,1"))
        made = write(server, "/api/tours", b'{"plan":{"variant":"reversi"},"code":""}')
        assert made.status == 200, made.body
        with Entrant(server, "cid") as cid, Entrant(server, "dot") as dot:
            cid.join(1)
            dot.join(1)
            assert write(server, "/api/tours/1/start").status == 200
            cid.until("news")  # its match has begun
            yield server
