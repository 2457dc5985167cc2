"""A reversi board as a client keeps it: the squares it was told of, and no rules."""

from typing import Final

from rookery.core.ids import Seat
from rookery.games.reversi import Reversi, ReversiView

EMPTY: Final = "."
MARKS: Final = "XO"  # black, white: by seat


class Board:
    """The discs on a board, by column and row from 0."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._cells = [[EMPTY] * size for _ in range(size)]

    def set_start(self) -> None:
        """Clear the board, and put the four discs in the middle."""
        low, high = self.size // 2 - 1, self.size // 2
        self._cells = [[EMPTY] * self.size for _ in range(self.size)]
        self._cells[low][low] = self._cells[high][high] = MARKS[1]
        self._cells[low][high] = self._cells[high][low] = MARKS[0]

    def put(self, col: int, row: int, mark: str) -> None:
        """Put a disc, or turn one over; a square that is not on the board is passed over."""
        if 0 <= col < self.size and 0 <= row < self.size:
            self._cells[row][col] = mark

    @property
    def game(self) -> Reversi:
        """The variant of reversi that is played on a board of this size."""
        return Reversi(size=self.size)

    def view(self, turn: Seat | None) -> ReversiView:
        """The board as the view of the rules has it, with this seat on turn."""
        rows = tuple("".join(row) for row in self._cells)
        black, white = (sum(row.count(mark) for row in rows) for mark in MARKS)
        return ReversiView(self.size, rows, turn, (black, white))
