"""WebSockets as those who look at the wire read them: frames in either direction, cut anywhere.

None of the server's own code is used, so that neither believes the other's mistakes.
"""

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Final

LONG: Final = 126  # a length of two more bytes follows; 127: of eight
MASKED: Final = 0x80
TEXT, CLOSING, PINGING = 0x1, 0x8, 0x9
PONG: Final = b"\x8a\x80\x00\x00\x00\x00"  # masked with nothing
PARTING: Final = b"\x88\x80\x00\x00\x00\x00"
HEAD_ENDS: Final = b"\r\n\r\n"  # of a handshake


class Frames:
    """Cuts bytes into WebSocket frames."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, came: bytes) -> Iterator[tuple[int, bytes]]:
        """Each whole frame: its kind and its content. Messages come in one frame each here."""
        self._rest += came
        while len(self._rest) > 1:
            length, start = self._rest[1] & ~MASKED, 2
            if length >= LONG:
                start = 4 if length == LONG else 10
                length = int.from_bytes(self._rest[2:start], "big")
            key = start
            if self._rest[1] & MASKED:
                start += 4
            if len(self._rest) < start + length or len(self._rest) < start:
                return
            kind, mask = self._rest[0] & 0xF, self._rest[key:start]
            text, self._rest = self._rest[start : start + length], self._rest[start + length :]
            yield kind, _unmasked(text, mask) if mask else text


def _unmasked(text: bytes, mask: bytes) -> bytes:
    return bytes(one ^ key for one, key in zip(text, cycle(mask), strict=False))


def read_messages(pieces: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Each text message as a line, and when its last byte was there; the handshake is left out.

    A handshake that was refused has nothing behind it.
    """
    head, shaken, frames = b"", False, Frames()
    for at, words in pieces:
        piece = words
        if not shaken:
            head, mark, piece = (head + words).partition(HEAD_ENDS)
            shaken = bool(mark)
        for kind, text in frames.feed(piece) if shaken else ():
            if kind == TEXT:
                yield at, text + b"\n"
