"""How a frame travels: as a line of text, or as bytes with a length before them.

The seed gives frame types and payloads, and no framing; so the same frames are carried
in more than one way, and a client's first byte says which. A framing knows nothing of
what frames mean: bytes in, frames out, and back.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol

from msgspec import Struct

from rookery.dialects.base import Lines
from rookery.dialects.othello.limits import FRAME_MAX

BETWEEN: Final = " ,:"  # what clients may write between type and payload, and within it

# One sign between type and payload; those after it may belong to a message, as in `7 :)`.
_ONCE: Final = re.compile(r" *[,:] +| +|[,:]")

_KINDS: Final = range(1, 8)
_HEAD: Final = 3  # bytes before a payload: the type, and the length in two
SHORT: Final = 8  # bytes of a line whose frame is remembered: there are few moves


class Frame(Struct, frozen=True):
    """A frame: its type, or 0 where none could be read, and its payload."""

    kind: int
    payload: str = ""


class Framing(Protocol):
    """One way to carry frames. It keeps the beginning of the next one."""

    @property
    def overflowed(self) -> bool:
        """Whether a frame was longer than we read; nothing after it is read."""
        ...

    def feed(self, data: bytes) -> Sequence[Frame]:
        """The frames that these bytes complete."""
        ...

    def wrap(self, frame: Frame) -> bytes:
        """The bytes that carry this frame."""
        ...


def framing_of(first: int) -> Framing:
    """The framing that a client uses, told from the first byte that it sent."""
    return BinaryFraming() if first in _KINDS else TextFraming()


class TextFraming:
    """The type digit, the payload, and the end of a line. Empty lines are nothing."""

    def __init__(self) -> None:
        self._lines = Lines(FRAME_MAX)

    @property
    def overflowed(self) -> bool:
        """Whether a line was longer than we read; nothing after it is read."""
        return self._lines.overflowed

    def feed(self, data: bytes) -> Sequence[Frame]:
        """The frames that these bytes complete."""
        frames = []
        for line in self._lines.feed(data):
            frame = _short(line) if len(line) <= SHORT else _read(line)
            if frame is not None:
                frames.append(frame)
        return frames

    def wrap(self, frame: Frame) -> bytes:
        """The frame as a line."""
        return f"{frame.kind}{frame.payload}\n".encode()


class BinaryFraming:
    """A byte for the type, two for the payload's length (the high one first), the payload."""

    def __init__(self) -> None:
        self.overflowed = False
        self._rest = bytearray()

    def feed(self, data: bytes) -> Sequence[Frame]:
        """The frames that these bytes complete."""
        if self.overflowed:
            return ()
        self._rest += data
        found, at, rest = [], 0, self._rest
        while len(rest) - at >= _HEAD:
            body = at + _HEAD
            length = int.from_bytes(rest[at + 1 : body], "big")
            if length > FRAME_MAX:
                self.overflowed = True
                break
            if len(rest) < body + length:
                break
            payload = rest[body : body + length].decode(errors="replace")
            found.append(Frame(rest[at], payload.strip()))
            at = body + length
        self._rest = bytearray() if self.overflowed else rest[at:]
        return found

    def wrap(self, frame: Frame) -> bytes:
        """The frame with its length."""
        payload = frame.payload.encode()
        return bytes([frame.kind]) + len(payload).to_bytes(2, "big") + payload


def _read(line: bytes) -> Frame | None:
    """The frame on this line; None where there is nothing on it."""
    text = line.decode(errors="replace").strip()
    if not text:
        return None
    kind = int(text[0]) if text[0] in "123456789" else 0
    between = _ONCE.match(text, 1)
    return Frame(kind, text[between.end() if between else 1 :])


_short: Final = lru_cache(maxsize=1024)(_read)
