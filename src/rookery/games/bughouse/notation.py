"""Moves as text: `1:e2e4`, `1:e7e8q`, `2:N@f3`: the board's number, then the move.

Castling is the king's move by two squares. The piece of a drop is written upper case
and that of a promotion lower case, and both are read in either. Squares count from 0
for a1 along the ranks to 63 for h8. Chess players write moves by the position before them:
`exd5`, `N@f3+`, `Qh5#`.
"""

import re
from functools import lru_cache
from typing import Final

import chess
from chess import SQUARE_NAMES, Square
from msgspec import Struct

from rookery.core.errors import BadNotation
from rookery.games.bughouse.board import KINDS, Board, is_mate, thaw

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


# python-chess knows how pieces are told apart. A mate is bughouse's own: a check against which
# no piece from the partner would help either. A drop is written as on other servers: `@e4` is a
# pawn's.
def san(board: Board, move: Move) -> str:
    """This legal move, in short algebraic notation."""
    thawed = thaw(board)
    match move:
        case Go(start=start, end=end, promotion=letter):
            made = chess.Move(start, end, KINDS[letter] if letter else None)
            text = thawed.san(made).rstrip("+#")
            thawed.push(made)
        case Drop(piece=piece, at=at):
            text = f"{piece.removeprefix('P')}@{chess.SQUARE_NAMES[at]}"
            thawed.set_piece_at(at, chess.Piece(KINDS[piece], board.whites_turn))
            thawed.turn = not thawed.turn
    if not thawed.is_check():
        return text
    return f"{text}#" if is_mate(thawed) and not any(thawed.generate_legal_moves()) else f"{text}+"
