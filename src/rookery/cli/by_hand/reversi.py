"""Reversi squares as people write them, and the board drawn like everyone's."""

from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.clients.reversi import Board
from rookery.core.errors import BadNotation
from rookery.core.ids import Seat
from rookery.games.reversi import Reversi


def drawing(board: Board, last: str = "") -> Text:
    """The board for a terminal."""
    return draw(board.view(Seat(0)), Look(last=(last,) if last else ()))


def read_square(typed: str, size: int) -> tuple[int, int] | None:
    """A square as people write it: `d3`, `3,2` or `[3,2]` (column, row from 0)."""
    col, comma, row = typed.strip().strip("[]").partition(",")
    if comma and col.strip().isdigit() and row.strip().isdigit():
        return int(col), int(row)
    try:
        place = Reversi(size=size).parse_move(typed.strip())
    except BadNotation:
        return None
    return place.col, place.row


def square_words(col: int, row: int) -> str:
    """The name of a square on our own boards, as `d3`, from column and row from 0."""
    return f"{chr(ord('a') + col)}{row + 1}"
