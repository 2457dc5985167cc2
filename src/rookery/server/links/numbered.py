"""A numbered stream of frames each way: nothing is lost between two ends that both live.

A broker may lose what it carries when it goes down. So the sender keeps each frame until the
other end has taken it, and sends all of them again when told that one is missing. No I/O,
and no clock. It mutates, and each end has its own.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from rookery.core.ids import Micros
from rookery.server.links.frames import AGAIN, BEAT, PLAIN, WELL, Item, LinkFrame, encode

KEPT_MAX: Final = 64 << 20  # bytes that may wait to be taken before the other end is given up


class FrameStream:
    """One end of a stream; `stamps` are the times that a frame carries when it is sent."""

    def __init__(self, stream: int, stamps: Callable[[], tuple[Micros, ...]] = lambda: ()) -> None:
        self.stream = stream
        self._stamps = stamps
        self._sent = 0  # the number of our last frame
        self._taken = 0  # the number of the other end's last frame that we took
        self._kept: deque[tuple[int, bytes]] = deque()
        self._size = 0

    @property
    def full(self) -> bool:
        """Whether too many bytes wait for the other end to take them."""
        return self._size > KEPT_MAX

    def step(self, items: Iterable[Item]) -> bytes:
        """Return the next frame, with these items, and keep it until it is taken."""
        self._sent += 1
        said = self._frame(PLAIN, tuple(items))
        self._kept.append((self._sent, said))
        self._size += len(said)
        return said

    def beat(self, *, missing: bool = False) -> bytes:
        """Return a frame that says how far we are, and whether a frame is `missing`."""
        return self._frame(AGAIN if missing else BEAT, ())

    def sign(self) -> bytes:
        """Return a frame that asks for a sign of life, or is one."""
        return self._frame(WELL, ())

    def take(self, frame: LinkFrame) -> bool | None:
        """Take a frame; whether its items are the next ones. None if a frame is missing."""
        while self._kept and self._kept[0][0] <= frame.ack:
            self._size -= len(self._kept.popleft()[1])
        if frame.kind != PLAIN or frame.n != self._taken + 1:
            return None if frame.n > self._taken else False
        self._taken = frame.n
        return True

    @property
    def fresh(self) -> bool:
        """Whether exactly the first frame of the other end has been taken."""
        return self._taken == 1

    @property
    def unknown(self) -> bool:
        """Whether the other end has taken no frame of ours, as far as we know."""
        return bool(self._kept) and self._kept[0][0] == 1

    def untaken(self) -> list[bytes]:
        """All frames that were sent and not taken, as far as we know."""
        return [said for _, said in self._kept]

    def _frame(self, kind: int, items: tuple[Item, ...]) -> bytes:
        return encode((self.stream, kind, self._sent, self._taken, items, *self._stamps()))
