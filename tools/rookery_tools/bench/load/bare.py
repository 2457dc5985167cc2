"""A server that only moves bytes: what no server written in Python could do more cheaply.

Connections come in pairs. For every line that one of a pair sends, both are sent as many
bytes as Rookery would send them, in one write each, and nothing is read, judged or kept.
A connection begins with a line `pair KEY OWN THEIRS`: how many bytes it and its partner
get for a line of its own. `ready` tells both that their partner is there.

Where more than two hear of a move it begins with `room KEY OWN THEIRS REST ROOM SIZE`: the
room has SIZE connections, and those that are not of the pair get REST bytes, without a line's
end. A connection that gets no bytes is not written to.
"""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, cast


class Mover(asyncio.Protocol):
    """One connection of a pair at the bare server."""

    __slots__ = (
        "_own",
        "_rest",
        "_rooms",
        "_theirs",
        "_waiting",
        "key",
        "others",
        "out",
        "partner",
    )

    def __init__(self, waiting: dict[bytes, "Mover"], rooms: dict[bytes, list["Mover"]]) -> None:
        self._waiting = waiting  # those whose partner has not come yet, by the pair's key
        self._rooms = rooms  # those who have come to a room, by its key
        self._rest = b""
        self.key = b""
        self.others: tuple[Mover, ...] = ()  # of the room, besides the pair
        self.partner: Mover | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport of a new connection."""
        # uvloop's transports are asyncio's in all but name.
        self.out = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Pair the connection by its first line; answer every other line as a move."""
        if self.partner is None:
            self._pair(data)
            return
        for _ in range(data.count(b"\n")):
            if self._own:
                self.out.write(self._own)
            self.partner.out.write(self._theirs)
            for other in self.others:
                other.out.write(self._rest)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """Close the transport: the connection is gone, and so is the pair."""
        self.out.abort()

    def _pair(self, line: bytes) -> None:
        if line.startswith(b"room"):
            self._enter(line)
            return
        _, key, own, theirs = line.split()
        self._own, self._theirs = _lines(int(own), 2), _lines(int(theirs), 1)
        other = self._waiting.pop(key, None)
        if other is None:
            self._waiting[key] = self
            return
        self.partner, other.partner = other, self
        for mover in (self, other):
            mover.out.write(b"ready\n")

    def _enter(self, line: bytes) -> None:
        _, self.key, own, theirs, rest, room, size = line.split()
        self._own, self._theirs = _lines(int(own), min(int(own), 1)), _lines(int(theirs), 1)
        self._rest = b"x" * int(rest)
        there = self._rooms.setdefault(room, [])
        there.append(self)
        if len(there) < int(size):
            return
        del self._rooms[room]
        for mover in there:
            (mover.partner,) = (one for one in there if one.key == mover.key and one is not mover)
            mover.others = tuple(one for one in there if one.key != mover.key)
            mover.out.write(b"ready\n")


def _lines(size: int, count: int) -> bytes:
    """This many bytes with this many line ends: an answer and news, or news alone."""
    return b"\n" * (count - 1) + b"x" * (size - count) + b"\n" if count else b""


async def serve() -> None:
    """Listen on a free port, and say which, until told to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    waiting: dict[bytes, Mover] = {}
    rooms: dict[bytes, list[Mover]] = {}
    server = await loop.create_server(lambda: Mover(waiting, rooms), "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"Bare bytes on 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await stop.wait()


# Any: neither of the two runners says more of what it is given and gives back.
def runner() -> Callable[[Coroutine[Any, Any, None]], None]:
    """The same kind of loop as the server's own: uvloop, where it can be had."""
    try:
        import uvloop  # noqa: PLC0415 # not on every system
    except ImportError:
        return asyncio.run
    return uvloop.run


if __name__ == "__main__":
    runner()(serve())
