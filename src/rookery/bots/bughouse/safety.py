"""What a position is worth without looking further: the balance, and how safe the kings are.

Next to a king an empty square is where a drop may land, and an enemy is a threat; both
count for more, the more the enemy holds.
"""

from functools import lru_cache
from operator import itemgetter
from typing import Final

from rookery.bots.bughouse.geometry import KING_STEPS
from rookery.bots.bughouse.quick import Quick

TEMPO: Final = 25  # to be on turn


def judge(board: Quick) -> int:
    """Hundredths of a pawn for the side to move."""
    cells, (king, other), (hand, others) = board.cells, board.kings, board.hands
    white = board.balance  # `danger` of both, written out: this is asked of every position
    if around := _around(_RINGS[king](cells), 0):
        white -= around * _PULLS[_held(others)] // 4
    if around := _around(_RINGS[other](cells), 1):
        white += around * _PULLS[_held(hand)] // 4
    return (-white if board.side else white) + TEMPO


def danger(board: Quick, side: int) -> int:
    """How many hundredths of a pawn the danger to this side's king costs it."""
    ring = _RINGS[board.kings[side]](board.cells)
    return _around(ring, side) * _PULLS[_held(board.hands[1 - side])] // 4


def _held(hand: list[int]) -> int:
    _, pawns, knights, bishops, rooks, queens = hand
    return pawns + 3 * knights + 2 * (bishops + rooks) + 4 * queens


_PULLS: Final = tuple(3 + min(held, 12) for held in range(200))  # by what the enemy holds


# By the king's square: what stands beside it.
_RINGS: Final = tuple(itemgetter(*steps) for steps in KING_STEPS)


@lru_cache(maxsize=1 << 14)  # the same squares are looked at for thousands of positions
def _around(ring: tuple[int, ...], side: int) -> int:
    """How bad these squares beside the king are: holes, and enemy pieces."""
    holes = ring.count(0)
    threats = sum(piece != 0 and (piece > 8) != bool(side) for piece in ring)
    return 6 * holes + 25 * threats
