"""HTTP from an edge to its hall, for what only the hall knows: a request, an answer.

An answer may be longer than a broker carries in one piece, so it comes in parts. A broker may
lose any of it; so an edge that has waited for a while asks whether the hall still works on its
requests, and the hall says which it does not know, or no longer. The edge's side is in
`web_asking.py`. The hall's side mutates, and lives in the event loop.
"""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Scope

from rookery.server.web.http import ASKER, Asker

log = logging.getLogger(__name__)

PART_MAX: Final = 256 << 10  # bytes of a body in one part; NATS carries a megabyte
LAST_WORDS: Final = 0.1  # seconds for answers that are nearly done, when the hall goes

Header = tuple[bytes, bytes]


class WebAsked(Struct, frozen=True, array_like=True, tag=1):
    """A request for the hall, and from which host it came."""

    id: int
    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: tuple[Header, ...]
    body: bytes
    host: str
    scheme: str


class WebStill(Struct, frozen=True, array_like=True, tag=2):
    """The edge asks whether the hall still works on these requests."""

    ids: tuple[int, ...]


class WebLeft(Struct, frozen=True, array_like=True, tag=3):
    """The client of this request has left; what takes long need not be done for it."""

    id: int


class WebPart(Struct, frozen=True, array_like=True, tag=1):
    """A part of an answer, counted from 0; each part repeats the head."""

    id: int
    n: int
    status: int
    headers: tuple[Header, ...]
    body: bytes
    last: bool


class WebLost(Struct, frozen=True, array_like=True, tag=2):
    """The hall does not work on these requests; what it had to say of them it has sent before."""

    ids: tuple[int, ...]


WebUp: TypeAlias = WebAsked | WebStill | WebLeft
WebDown: TypeAlias = WebPart | WebLost
encode: Final = msgspec.msgpack.Encoder().encode
_up: Final[msgspec.msgpack.Decoder[WebUp]] = msgspec.msgpack.Decoder(WebUp)
_down: Final[msgspec.msgpack.Decoder[WebDown]] = msgspec.msgpack.Decoder(WebDown)
read_down: Final = _down.decode

Run = Callable[[str, Any], Any]  # Any: work, to be awaited in the turn of a host


class Answering:
    """The hall's side: its own app answers requests of edges; `send` sends parts to an edge."""

    def __init__(self, app: ASGIApp, send: Callable[[str, bytes], None], run: Run) -> None:
        self._app = app
        self._send = send
        self._run = run
        self._work: dict[tuple[str, int], asyncio.Task[None]] = {}  # by edge, and its number
        self._askers: dict[tuple[str, int], Asker] = {}  # of these

    def receive(self, edge: str, said: bytes) -> None:
        """Take a request of an edge, or its question which requests are still worked on."""
        match _up.decode(said):
            case WebAsked() as asked:
                key, asker = (edge, asked.id), Asker()
                task = asyncio.get_running_loop().create_task(self._answer(edge, asked, asker))
                self._work[key], self._askers[key] = task, asker
                task.add_done_callback(lambda _: self._forget(key))
            case WebLeft(id=number):
                if (found := self._askers.get((edge, number))) is not None:
                    found.leave()
            case WebStill(ids):
                lost = tuple(one for one in ids if (edge, one) not in self._work)
                if lost:
                    self._send(edge, encode(WebLost(lost)))

    async def finish(self) -> None:
        """Wait a moment for answers that are nearly done."""
        if self._work:
            await asyncio.wait(self._work.values(), timeout=LAST_WORDS)

    def _forget(self, key: tuple[str, int]) -> None:
        self._work.pop(key, None)
        self._askers.pop(key, None)

    async def _answer(self, edge: str, asked: WebAsked, asker: Asker) -> None:
        status, headers, body = int(HTTPStatus.INTERNAL_SERVER_ERROR), tuple[Header, ...](), b""
        heard = False

        async def receive() -> Message:
            nonlocal heard
            if heard:  # the client has said all
                await asyncio.get_running_loop().create_future()
            heard = True
            return {"type": "http.request", "body": asked.body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = tuple((bytes(name), bytes(value)) for name, value in message["headers"])
            else:
                body += message.get("body", b"")

        try:
            await self._run(asked.host, self._app(_scope(asked, asker), receive, send))
        except Exception:
            log.exception("a request of edge %s failed", edge)
        pieces = [body[at : at + PART_MAX] for at in range(0, len(body), PART_MAX)] or [b""]
        for n, piece in enumerate(pieces):
            part = WebPart(asked.id, n, status, headers, piece, n + 1 == len(pieces))
            self._send(edge, encode(part))


def _scope(asked: WebAsked, asker: Asker) -> Scope:
    return {
        ASKER: asker,
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": asked.scheme,
        "path": asked.path,
        "raw_path": asked.raw_path,
        "query_string": asked.query,
        "root_path": "",
        "headers": list(asked.headers),
        "client": (asked.host, 0),
        "server": None,
    }
