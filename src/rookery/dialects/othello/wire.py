"""Frames of othello: how they travel, and the types, boards and moves in them as digits.

The seed gives frame types and payloads, and no framing; so the same frames are carried as a
line of text, or as bytes with a length before them, and a client's first byte says which. A
framing knows nothing of what frames mean: bytes in, frames out, and back. A view of reversi
becomes the 65 digits of frame 4, and the two digits of frame 2 become a move of reversi.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Seat
from rookery.core.messages import Scene
from rookery.dialects.base import Lines
from rookery.dialects.othello.profile import FRAME_MAX
from rookery.games.reversi import Place, Reversi, ReversiView

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


class FrameKind(IntEnum):
    """The types of frames."""

    SIGN_ON = 1
    MOVE = 2
    INVALID = 3
    BOARD = 4
    END = 5
    ERROR = 6
    MESSAGE = 7


VARIANT: Final = "reversi"
NOBODY: Final = "0"  # nobody's turn, and nobody the winner

# The rules forbid these, to a player on turn; any other refusal is an error.
FORBIDDEN: Final = frozenset({"off_board_row", "off_board_column", "taken", "flips_nothing"})

# Losses that frame 6 explains: "by time or by too many invalid moves".
TOLD_WHY: Final = frozenset({Forfeit.LATE, Forfeit.CHEATED})

UNREADABLE: Final = "unreadable"  # the code for what is no move at all
HOW_TO_MOVE: Final = "A move is two digits from 0 to 7: the column, then the row."

_MOVE: Final = re.compile(f"[{BETWEEN}]*([0-9])[{BETWEEN}]*([0-9])[{BETWEEN}]*")
_NO_MOVE: Final = "?"  # a text that reversi cannot read
_DIGITS: Final = str.maketrans(".XO", "012")
_GAME: Final = Reversi()


def colour(seat: Seat) -> str:
    """The digit of a seat's colour: 1 is black and 2 is white."""
    return str(seat + 1)


def move(payload: str) -> str:
    """The move as reversi writes it; an unreadable payload becomes a text reversi refuses."""
    return _short_move(payload) if len(payload) <= SHORT else _move(payload)


def _move(payload: str) -> str:
    read = _MOVE.fullmatch(payload)
    return _GAME.format_move(Place(int(read[1]), int(read[2]))) if read else _NO_MOVE


_short_move: Final = lru_cache(maxsize=1024)(_move)


def board(view: ReversiView) -> str:
    """The 64 squares row by row, then the digit of the colour on turn, which is 0 at the end."""
    squares = "".join(view.rows).translate(_DIGITS)
    return squares + (NOBODY if view.turn is None else colour(view.turn))


class Boards:
    """Writes boards, and remembers the last: one is told to both players in a row."""

    __slots__ = ("_said", "_scene")

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._said = ""

    def find(self, scene: Scene) -> str:
        """The board of this scene, which is of reversi."""
        if self._scene is not scene:
            view = scene.view(None)
            assert isinstance(view, ReversiView), "we sit at tables of reversi"
            self._scene, self._said = scene, board(view)
        return self._said


def winner(outcome: Outcome) -> str:
    """The digit of the colour that won; 0 in a draw, or where the game was called off."""
    winners = outcome.winners
    return colour(winners[0]) if len(winners) == 1 else NOBODY
