"""A proxy that carries bytes between a part of a cluster and an engine, until it is cut.

Both sides notice at once that a line is cut. They do not notice that it is silent: nothing comes
over it, and neither side hangs up. A proxy lives in the event loop.
"""

import asyncio
from contextlib import suppress
from typing import Final

from rookery_tools.crashtest.clients.calling import HOST

PIECE: Final = 1 << 16


class CutLine:
    """A port that leads to another; while the line is cut, no connection gets through."""

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
        """Begin to listen; returns the port."""
        self._server = await asyncio.start_server(self._take, HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    def cut(self) -> None:
        """Cut every connection, and let none be made."""
        self._is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def hush(self) -> None:
        """Carry no bytes, and leave the connections open."""
        self._carries.clear()

    def mend(self) -> None:
        """Carry bytes again, over new connections and silent ones."""
        self._is_cut = False
        self._carries.set()

    def close(self) -> None:
        """Cut all connections, and listen no more."""
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
