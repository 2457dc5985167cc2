"""A reversi board as a client keeps it: squares it was told of, drawn like everyone's."""

from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.core.errors import BadNotation
from rookery.core.ids import Seat
from rookery.games.reversi import Reversi, ReversiView

EMPTY = "."
MARKS = "XO"  # black, white


class Board:
    """What stands where, by column and row from 0. It mutates."""

    def __init__(self, size: int) -> None:
        self._game = Reversi(size=size)
        self.size = size
        self.cells = [[EMPTY] * size for _ in range(size)]

    def set_start(self) -> None:
        """The four discs in the middle."""
        low, high = self.size // 2 - 1, self.size // 2
        self.cells = [[EMPTY] * self.size for _ in range(self.size)]
        self.cells[low][low] = self.cells[high][high] = MARKS[1]
        self.cells[low][high] = self.cells[high][low] = MARKS[0]

    def put(self, col: int, row: int, mark: str) -> None:
        """A disc, or one turned over; what is not on the board is not put."""
        if 0 <= col < self.size and 0 <= row < self.size:
            self.cells[row][col] = mark

    def drawing(self, last: str = "") -> Text:
        """The board for a terminal."""
        rows = tuple("".join(row) for row in self.cells)
        discs = (sum(row.count(MARKS[0]) for row in rows), sum(row.count(MARKS[1]) for row in rows))
        look = Look(last=(last,) if last else ())
        return draw(ReversiView(self.size, rows, Seat(0), discs), look)

    def read(self, typed: str) -> tuple[int, int] | None:
        """A square as people write it: `d3`, `3,2` or `[3,2]` (column, row from 0)."""
        col, comma, row = typed.strip().strip("[]").partition(",")
        if comma and col.strip().isdigit() and row.strip().isdigit():
            return int(col), int(row)
        try:
            place = self._game.parse_move(typed.strip())
        except BadNotation:
            return None
        return place.col, place.row

    def write(self, col: int, row: int) -> str:
        """A square as our own boards name it."""
        return f"{chr(ord('a') + col)}{row + 1}"
