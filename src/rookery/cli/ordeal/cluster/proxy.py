"""Somebody in between: carries bytes from one part of a cluster to another, until it is cut.

A line that is cut is noticed at once by both sides. One that is silent is not: nothing comes
over it, and nobody hangs up. It mutates, and lives in the event loop.
"""

import asyncio
from contextlib import suppress
from typing import Final

from rookery.cli.ordeal.clients.calling import HOST

PIECE: Final = 1 << 16


class CutLine:
    """A port of its own that leads to another; while it is cut nobody gets through."""

    def __init__(self, name: str, target: int) -> None:
        self.name = name  # whom it connects
        self._target = target
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._work: set[asyncio.Task[None]] = set()
        self._is_cut = False
        self._carries = asyncio.Event()
        self._carries.set()
        self.port = 0

    async def open(self) -> int:
        """Listen; on which port."""
        self._server = await asyncio.start_server(self._take, HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    def cut(self) -> None:
        """Cut every connection, and let none be made."""
        self._is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def hush(self) -> None:
        """Carry nothing, and say nothing."""
        self._carries.clear()

    def mend(self) -> None:
        """All is well again."""
        self._is_cut = False
        self._carries.set()

    def close(self) -> None:
        """Nobody is in between any more."""
        self.cut()
        for task in self._work:
            task.cancel()
        if self._server is not None:
            self._server.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(HOST, self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.ensure_future(self._carry(source, sink))
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await source.read(PIECE):
                await self._carries.wait()
                sink.write(piece)
                await sink.drain()
        sink.transport.abort()
        self._open.discard(sink)
