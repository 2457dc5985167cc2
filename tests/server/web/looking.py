"""Requests, each by a line of its own, and their answers as JSON has them.

And a native player whose lines are JSON too, because it hears of tours.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rookery.core.intents import AnyIntent
from rookery.dialects.native import Hello
from tests.server.process import PATIENCE, UNASKED, Server
from tests.server.web import asking
from tests.server.web.asking import Answer

# Any: JSON, as deep as it goes.
Json = Any


def get(server: Server, path: str) -> Answer:
    return asking.ask(server, "GET", path)


def look(server: Server, path: str) -> Json:
    """What is there."""
    answer = get(server, path)
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body)


def refused(server: Server, path: str) -> tuple[int, str]:
    """The status and code of what is not."""
    answer = get(server, path)
    return answer.status, msgspec.json.decode(answer.body)["code"]


def write(server: Server, path: str, body: bytes | None = None) -> None:
    """Do this as the organiser."""
    assert asking.write(server, path, body).status == 200


class Player:
    """A native client that minds no news. It mutates."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._heard = line.makefile("rb")
        self.me: Json = None  # as the server greeted us

    def ask(self, intent: AnyIntent | Hello) -> Json:
        """The answer, which is no refusal."""
        told = self.answer(intent)
        assert told["type"] != "refused", told
        return told

    def answer(self, intent: AnyIntent | Hello) -> Json:
        """The answer, whatever it is."""
        self._line.sendall(msgspec.json.encode(intent) + b"\n")
        return self._next(lambda kind: kind not in UNASKED)

    def notice(self) -> Json:
        """The next notice of the server's."""
        return self._next(lambda kind: kind == "notice")

    def _next(self, fits: Callable[[str], bool]) -> Json:
        while line := self._heard.readline():
            told = msgspec.json.decode(line)
            if fits(told["type"]):
                return told
        raise AssertionError("the server hung up before it answered")

    def close(self) -> None:
        """Hang up."""
        self._heard.close()
        self._line.close()


@contextmanager
def playing(server: Server, *names: str) -> Iterator[list[Player]]:
    """Players of these names, who are gone afterwards."""
    players: list[Player] = []
    try:
        for name in names:
            players.append(Player(socket.create_connection(("127.0.0.1", server.port), PATIENCE)))
            players[-1].me = players[-1].ask(Hello(1, name=name))
        yield players
    finally:
        for player in players:
            player.close()
