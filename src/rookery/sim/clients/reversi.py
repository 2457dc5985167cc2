"""Where one may put a disc in reversi, by the board that one was told."""

from typing import Final

from rookery.clients.reversi import EMPTY, MARKS, Board
from rookery.core.ids import Seat

AROUND: Final = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr]


def legal_squares(board: Board, seat: Seat) -> list[tuple[int, int]]:
    """Squares, column and row, where a disc of this seat turns another over."""
    rows, size = board.view(None).rows, board.size

    def turns(col: int, row: int, step: tuple[int, int]) -> bool:
        seen = 0
        while True:
            col, row = col + step[0], row + step[1]
            if not (0 <= col < size and 0 <= row < size) or rows[row][col] == EMPTY:
                return False
            if rows[row][col] == MARKS[seat]:
                return seen > 0
            seen += 1

    return [
        (col, row)
        for row in range(size)
        for col in range(size)
        if rows[row][col] == EMPTY and any(turns(col, row, step) for step in AROUND)
    ]
