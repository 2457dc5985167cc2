"""The server's end of a line, as asyncio's protocols know it: a transport without a socket.

Bytes that came lie here until the loop looks. Bytes that the wire has no room for wait here, and
the protocol is told when they are many, as by a socket.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from rookery_tools.sim.machine.loop import SimLoop

HIGH: Final = 64 * 1024  # bytes in a transport's buffer at which it says so
LOW: Final = 16 * 1024
READ_MAX: Final = 256 * 1024


class TransportLine(Protocol):
    """A line, as its transport knows it."""

    host: str
    number: int
    unread: int

    def room(self) -> int:
        """Bytes that can be put on the wire."""

    def wrote(self, words: bytes) -> None:
        """Note bytes that the server writes."""

    def write(self, words: bytes) -> None:
        """Put bytes on the wire."""

    def end(self, *, dismissed: bool = False) -> None:
        """The server's end lets go; `dismissed`, by its own will."""


class SimTransport(asyncio.Transport):
    """The server's end of a line, as asyncio's protocols know it."""

    def __init__(self, line: TransportLine, loop: SimLoop, protocol: asyncio.Protocol) -> None:
        super().__init__({"peername": (line.host, 40_000 + line.number)})
        self._line = line
        self._loop = loop
        self._protocol = protocol
        self._came: deque[bytes] = deque()  # an empty one is the end of what is said
        self._reads = True
        self._broken = False
        self._buffer = bytearray()  # what the wire has no room for
        self._full = False  # the protocol was told so
        self._closing = False
        self._over = False

    # -- what the wire calls

    def arrived(self, piece: bytes) -> None:
        """Take bytes that arrived at the socket, and wake the loop."""
        self._came.append(piece)
        self._loop.signal()

    def broken(self) -> None:
        """Note that the other end is gone, and wake the loop."""
        self._broken = True
        self._loop.signal()

    def drained(self) -> None:
        """The wire may have room again."""
        if self._buffer:
            self._loop.signal()

    def look(self) -> list[asyncio.Handle]:
        """The callbacks for the loop's next turn: to write on, to read, or to break off."""
        found: list[Callable[[], None]] = []
        if self._buffer and self._line.room() > 0:
            found.append(self._write_on)
        if self._came and self._reads and not self._closing:
            found.append(self._read)
        elif self._broken and not self._over and (self._reads or self._closing):
            found.append(self._break)
        return [asyncio.Handle(work, (), self._loop) for work in found]

    def _read(self) -> None:
        if not self._came or not self._reads or self._closing:
            return
        words = b""
        while self._came and self._came[0] and len(words) < READ_MAX:
            words += self._came.popleft()
        self._loop.signal()  # there may be more, or an end
        if words:
            self._line.unread -= len(words)
            self._protocol.data_received(words)
        else:
            self._came.popleft()
            if not self._protocol.eof_received():
                self.close()

    def _break(self) -> None:
        if (not self._over and not self._came) or self._closing:
            self._end(ConnectionResetError("the other end is gone"))

    def _write_on(self) -> None:
        size = min(self._line.room(), len(self._buffer))
        words = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._line.write(words)
        if self._full and len(self._buffer) <= LOW:
            self._full = False
            self._protocol.resume_writing()
        if self._closing and not self._buffer:
            self._loop.call_soon(self._end, None)

    # -- what protocols call

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes, as far as the wire has room; the rest waits."""
        words = bytes(data)
        if not words or self._over or self._loop.dead:
            return
        self._line.wrote(words)
        room = 0 if self._buffer else max(0, self._line.room())
        if room:
            self._line.write(words[:room])
        self._buffer += words[room:]
        if not self._full and len(self._buffer) > HIGH:
            self._full = True
            self._protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        """Bytes that the wire has no room for."""
        return len(self._buffer)

    def pause_reading(self) -> None:
        """Read no more."""
        self._reads = False

    def resume_reading(self) -> None:
        """Read on."""
        self._reads = True
        self._loop.signal()

    def is_reading(self) -> bool:
        """Whether the transport passes bytes on to its protocol."""
        return self._reads

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing

    def close(self) -> None:
        """Hang up once everything has been sent."""
        if not self._closing:
            self._closing = True
            if not self._buffer:
                self._loop.call_soon(self._end, None)

    def abort(self) -> None:
        """Hang up at once."""
        self._closing = True
        self._buffer.clear()
        self._loop.call_soon(self._end, None)

    def _end(self, why: Exception | None) -> None:
        if not self._over:
            self._over = self._closing = True
            self._line.end(dismissed=why is None)
            self._protocol.connection_lost(why)
