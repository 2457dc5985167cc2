"""The squares where a player may put a disc in reversi, by the board that it was told."""

from functools import cache
from typing import Final

from rookery.clients.reversi import EMPTY, MARKS, Board
from rookery.core.ids import Seat

AROUND: Final = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr]


def legal_squares(board: Board, seat: Seat) -> list[tuple[int, int]]:
    """Squares, column and row, where a disc of this seat turns another over."""
    size, mine = board.size, MARKS[seat]
    cells = "".join("".join(row) for row in board.view(None).rows)
    theirs = [cell not in (EMPTY, mine) for cell in cells]
    return [
        (at % size, at // size)
        for at, rays in enumerate(_rays(size))
        if cells[at] == EMPTY and any(theirs[ray[0]] and _turns(cells, ray, mine) for ray in rays)
    ]


def _turns(cells: str, ray: tuple[int, ...], mine: str) -> bool:
    """Whether a disc of the player's own comes before an empty square on this ray."""
    for at in ray:
        if (cell := cells[at]) == mine or cell == EMPTY:
            return cell == mine
    return False


@cache
def _rays(size: int) -> list[list[tuple[int, ...]]]:
    """For each square, row by row, the squares that one sees from there in every direction."""
    inside = range(size)
    found: list[list[tuple[int, ...]]] = []
    for at in range(size * size):
        col, row = at % size, at // size
        rays = []
        for dc, dr in AROUND:
            steps = ((col + dc * n, row + dr * n) for n in range(1, size))
            ray = tuple(r * size + c for c, r in steps if c in inside and r in inside)
            rays += [ray] if ray else []
        found.append(rays)
    return found
