"""HTTP from an edge to its hall, where it asks what only the hall knows: a request, an answer.

An answer may be longer than a broker carries in one piece, so it comes in parts. Both sides
mutate, and live in the event loop.
"""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

PART_MAX: Final = 256 << 10  # bytes of a body in one part; NATS carries a megabyte
PATIENCE: Final = 10.0  # seconds for an answer
# … for one that a bot thinks about, which takes more than a minute at worst (`web/analysing.py`).
ANALYSIS, ANALYSIS_PATIENCE = "/analysis", 90.0

Header = tuple[bytes, bytes]


class WebAsked(Struct, frozen=True, array_like=True):
    """A request, by whom and how."""

    id: int
    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: tuple[Header, ...]
    body: bytes
    host: str
    scheme: str


class WebPart(Struct, frozen=True, array_like=True):
    """A part of an answer; the head is in each."""

    id: int
    status: int
    headers: tuple[Header, ...]
    body: bytes
    last: bool


_encode: Final = msgspec.msgpack.Encoder().encode
_read_asked: Final = msgspec.msgpack.Decoder(WebAsked).decode
_read_part: Final = msgspec.msgpack.Decoder(WebPart).decode

Run = Callable[[str, Any], Any]  # Any: work, to be awaited in the turn of a host


class Answering:
    """The hall's side: requests are answered by its own app; `send` gives parts to an edge."""

    def __init__(self, app: ASGIApp, send: Callable[[str, bytes], None], run: Run) -> None:
        self._app = app
        self._send = send
        self._run = run
        self._work: set[asyncio.Task[None]] = set()

    def receive(self, edge: str, said: bytes) -> None:
        """Somebody asks."""
        task = asyncio.get_running_loop().create_task(self._answer(edge, _read_asked(said)))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _answer(self, edge: str, asked: WebAsked) -> None:
        status, headers, body = int(HTTPStatus.INTERNAL_SERVER_ERROR), tuple[Header, ...](), b""
        heard = False

        async def receive() -> Message:
            nonlocal heard
            if heard:  # it has said all
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
            await self._run(asked.host, self._app(_scope(asked), receive, send))
        except Exception:
            log.exception("a request of edge %s failed", edge)
        pieces = [body[at : at + PART_MAX] for at in range(0, len(body), PART_MAX)] or [b""]
        for n, piece in enumerate(pieces, 1):
            part = WebPart(asked.id, status, headers, piece, n == len(pieces))
            self._send(edge, _encode(part))


def _scope(asked: WebAsked) -> Scope:
    return {
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


class WebAsking:
    """The edge's side: an app that asks the hall; `send` gives a request to it."""

    def __init__(
        self, send: Callable[[bytes], None], *, most: int, patience: float = PATIENCE
    ) -> None:
        self._send = send
        self._most = most  # bytes of a body; who sends more is told so by the hall
        self._patience = patience
        self._next = 0
        self._waiting: dict[int, tuple[asyncio.Future[WebPart], list[bytes]]] = {}

    def receive(self, said: bytes) -> None:
        """A part of an answer."""
        part = _read_part(said)
        if part.id in self._waiting:
            answer, bodies = self._waiting[part.id]
            bodies.append(part.body)
            if part.last and not answer.done():
                answer.set_result(part)

    def _patience_for(self, path: str) -> float:
        return ANALYSIS_PATIENCE if path.endswith(ANALYSIS) else self._patience

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Have the hall answer; whether it did."""
        body = bytearray()
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body") or len(body) > self._most:
                break
        self._next += 1
        number = self._next
        answer: asyncio.Future[WebPart] = asyncio.get_running_loop().create_future()
        bodies: list[bytes] = []
        self._waiting[number] = answer, bodies
        self._send(_encode(_asked(number, scope, bytes(body[: self._most + 1]))))
        try:
            async with asyncio.timeout(self._patience_for(scope["path"])):
                part = await answer
        except TimeoutError:
            return False
        finally:
            del self._waiting[number]
        head = {"type": "http.response.start", "status": part.status, "headers": [*part.headers]}
        await send(head)
        await send({"type": "http.response.body", "body": b"".join(bodies)})
        return True


def _asked(number: int, scope: Scope, body: bytes) -> WebAsked:
    client = scope.get("client")
    return WebAsked(
        number,
        scope["method"],
        scope["path"],
        scope.get("raw_path") or scope["path"].encode(),
        scope["query_string"],
        tuple(scope["headers"]),
        body,
        "" if client is None else client[0],
        scope["scheme"],
    )
