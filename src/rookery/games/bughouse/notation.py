"""Moves as text: `1:e2e4`, `1:e7e8q`, `2:N@f3`: the board's number, then the move.

Castling is the king's move by two squares. The piece of a drop is written upper case
and that of a promotion lower case, and both are read in either. Squares count from 0
for a1 along the ranks to 63 for h8.
"""

import re
from functools import lru_cache
from typing import Final

from chess import SQUARE_NAMES, Square
from msgspec import Struct

from rookery.core.errors import BadNotation

_MOVE: Final = re.compile(
    r"([12]):(?:([a-h][1-8])([a-h][1-8])([NBRQnbrq])?|([PNBRQpnbrq])@([a-h][1-8]))"
)
_KNOWN: Final = 1 << 14  # texts and moves remembered: about all that there are
_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


class Go(Struct, frozen=True):
    """Move the piece on `start` to `end`; `promotion` is a letter from `NBRQ`."""

    board: int
    start: Square
    end: Square
    promotion: str | None = None


class Drop(Struct, frozen=True):
    """Put a piece from the hand, a letter from `PNBRQ`, on an empty square."""

    board: int
    piece: str
    at: Square


Move = Go | Drop


@lru_cache(maxsize=_KNOWN)
def parse_move(text: str) -> Move:
    """The move this text means, whatever the position. Raises BadNotation."""
    read = _MOVE.fullmatch(text)
    if read is None or (read[2] is not None and read[2] == read[3]):
        raise BadNotation(f"A move is written like 1:e2e4, 1:e7e8q or 2:N@f3, not {text[:40]!r}.")
    board, start, end, promotion, piece, at = read.groups()
    if piece is not None:
        return Drop(int(board), piece.upper(), _SQUARES[at])
    return Go(int(board), _SQUARES[start], _SQUARES[end], promotion.upper() if promotion else None)


@lru_cache(maxsize=_KNOWN)
def format_move(move: Move) -> str:
    """The move as `parse_move` reads it."""
    match move:
        case Go(board, start, end, promotion):
            squares = SQUARE_NAMES[start] + SQUARE_NAMES[end]
            return f"{board}:{squares}{promotion.lower() if promotion else ''}"
        case Drop(board, piece, at):
            return f"{board}:{piece}@{SQUARE_NAMES[at]}"
