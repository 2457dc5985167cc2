"""A server in the test's own loop, whose time bounds for HTTP the test chooses.

Behind it is a small app; the sockets, the listener and the HTTP server are the real ones. There is
always a bystander, who speaks the native dialect and must notice nothing. And a socket that
is none, for who must see what is read when.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rookery.server.limits import Bounds
from rookery.server.net.connection import Connection
from rookery.server.net.listener import BOUNDS, Listener
from rookery.server.web.http import READING_TIMEOUT_S, REQUEST_TIMEOUT_S, HttpServer
from tests.server.desk import PATIENCE, Desk

# Who asks to speak the native dialect in a WebSocket.
HANDSHAKE = (
    b"GET /ws/native HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
LONG = 32 << 20  # bytes that no socket takes at once

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Inhouse:
    """Everything a test needs. It mutates."""

    def __init__(
        self, port: int, listener: Listener, bystander: Stream, held: asyncio.Event
    ) -> None:
        self.port = port
        self.listener = listener
        self.held = held  # until this is set, /held is not answered
        self._bystander = bystander
        self._writers: list[asyncio.StreamWriter] = []

    async def call(self, words: bytes = b"") -> Stream:
        """A new connection that says this."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 16)
        self._writers.append(writer)
        writer.write(words)
        return reader, writer

    async def ping(self) -> None:
        """The bystander is answered."""
        reader, writer = self._bystander
        writer.write(b'{"type":"ping"}\n')
        assert b"pong" in await reader.readline()

    async def alone(self) -> None:
        """Wait until nobody but the bystander is left, who is answered meanwhile."""
        while len(self.listener) > 1:
            await self.ping()

    def close(self) -> None:
        """Hang up everywhere."""
        for writer in (*self._writers, self._bystander[1]):
            writer.transport.abort()


def story(
    told: Callable[[Inhouse], Awaitable[None]],
    *,
    request_timeout: float = REQUEST_TIMEOUT_S,
    reading_timeout: float = READING_TIMEOUT_S,
    app: Callable[[asyncio.Event], Starlette] | None = None,
) -> None:
    """Run this with a server of its own, in a loop of its own; we make no mistake in it."""

    async def run() -> None:
        around, held, complaints = Desk(), asyncio.Event(), list[object]()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, report: complaints.append(report))
        listener = Listener(around.runner, around.time, around.hall.directory)
        served = (app or small_app)(held)
        listener.web = HttpServer(
            served, request_timeout=request_timeout, reading_timeout=reading_timeout
        )
        server = await loop.create_server(lambda: Connection(listener), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        inhouse = Inhouse(port, listener, await asyncio.open_connection("127.0.0.1", port), held)
        try:
            async with asyncio.timeout(PATIENCE):
                await inhouse.ping()
                await told(inhouse)
                await inhouse.ping()
        finally:
            held.set()
            inhouse.close()
            server.close()
            await listener.empty.wait()
            around.runner.let_go()
        assert (complaints, around.mistakes) == ([], [])

    asyncio.run(run())


def web_door(around: Desk, bounds: Bounds = BOUNDS) -> Listener:
    """A listener of this desk behind which a small app answers HTTP."""
    listener = Listener(around.runner, around.time, around.hall.directory, bounds)
    listener.web = HttpServer(small_app(asyncio.Event()))
    return listener


def small_app(held: asyncio.Event) -> Starlette:
    """One that answers at once, at length, when it may, and what it was sent."""

    async def short(_: Request) -> Response:
        return PlainTextResponse("short")

    async def long(_: Request) -> Response:
        return PlainTextResponse(b"x" * LONG)

    async def wait(_: Request) -> Response:
        await held.wait()
        return PlainTextResponse("held")

    async def read(request: Request) -> Response:
        return PlainTextResponse(str(len(await request.body())))

    return Starlette(
        routes=[
            Route("/short", short),
            Route("/long", long),
            Route("/held", wait),
            Route("/read", read, methods=["POST"]),
        ]
    )


class Socket(asyncio.Transport):
    """Where a connection writes to, and whether it reads. It mutates."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.reading = asyncio.Event()
        self.reading.set()
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._closing = True

    def pause_reading(self) -> None:
        self.reading.clear()

    def resume_reading(self) -> None:
        self.reading.set()
