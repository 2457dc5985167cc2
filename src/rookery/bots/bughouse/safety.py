"""What a position is worth without looking further: the balance, and how safe the kings are.

Next to a king an empty square is where a drop may land, and an enemy is a threat; both
count for more, the more the enemy holds.
"""

from typing import Final

from rookery.bots.bughouse.geometry import KING_STEPS
from rookery.bots.bughouse.quick import Quick

TEMPO: Final = 25  # to be on turn


def judge(board: Quick) -> int:
    """Hundredths of a pawn for the side to move."""
    white = board.balance - danger(board, 0) + danger(board, 1)
    return (-white if board.side else white) + TEMPO


def danger(board: Quick, side: int) -> int:
    """What the danger to this side's king costs it."""
    cells = board.cells
    holes = threats = 0
    for at in KING_STEPS[board.kings[side]]:
        piece = cells[at]
        if not piece:
            holes += 1
        elif (piece > 8) != bool(side):
            threats += 1
    _, pawns, knights, bishops, rooks, queens = board.hands[1 - side]
    held = pawns + 3 * knights + 2 * bishops + 2 * rooks + 4 * queens
    return (6 * holes + 25 * threats) * (3 + min(held, 12)) // 4
