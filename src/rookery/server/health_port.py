"""A port for `/healthz` and `/metrics` alone, of a process that takes no players.

It mutates, and lives in the event loop.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct

from rookery import __version__
from rookery.server.config import BadSetting
from rookery.server.web.api.measures import PLAIN, PROMETHEUS, prometheus
from rookery.server.web.api_server import Health
from rookery.server.web.routes import JSON

HEAD_MAX: Final = 8_192  # bytes of a request
PATIENCE: Final = 5.0  # seconds for a request


class Seen(Struct, frozen=True):
    """How a process is, in a word."""

    status: str
    sentence: str  # for clients that want something else


class HealthPort:
    """A port that answers `/healthz` and `/metrics` by itself."""

    def __init__(self, seen: Callable[[], Seen], samples: Callable[[], dict[str, float]]) -> None:
        self._seen = seen
        self._samples = samples
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; return the port's number. Raises BadSetting."""
        try:
            self._server = await asyncio.start_server(self._answer, host, port, limit=HEAD_MAX)
        except OSError as wrong:
            raise BadSetting(f"Cannot listen on {host}:{port}: {wrong.strerror}.") from None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    def close(self) -> None:
        """Stop listening, so that another may listen here."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self.answer(head))
                await writer.drain()
        writer.close()

    def answer(self, head: bytes) -> bytes:
        """Return the whole answer to a request with this head."""
        status, kind, body = self._say(head.partition(b" ")[2].partition(b" ")[0])
        words = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {kind}\r\n"
        words += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        return words.encode() + body

    def _say(self, path: bytes) -> tuple[HTTPStatus, str, bytes]:
        seen = self._seen()
        if path == b"/healthz":
            return HTTPStatus.OK, JSON, msgspec.json.encode(Health(seen.status, __version__))
        if path == b"/metrics":
            return HTTPStatus.OK, PROMETHEUS, prometheus(self._samples()).encode()
        return HTTPStatus.SERVICE_UNAVAILABLE, PLAIN, f"{seen.sentence}\n".encode()
