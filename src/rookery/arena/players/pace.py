"""How long a level may think: a share of what is on the clock.

Levels count nodes, and mostly answer earlier. This keeps them from losing on time, with
something to spare for the way there and back.
"""

from typing import Final

from rookery.core.clock import Budget, PerMove, TimeControl, Unlimited
from rookery.core.ids import Micros

MOVES_LEFT: Final = 25  # as if so many moves were still to come
SPARE: Final[Micros] = 20_000  # for pipes and a busy machine
LONGEST: Final = 10_000  # milliseconds; no level needs more


def millis_for(control: TimeControl, left: Micros | None) -> int:
    """Milliseconds to think about a move, with so much left on the clock."""
    match control:
        case Unlimited():
            return LONGEST
        case PerMove(each):
            have = each if left is None else left
            most = have * 8 // 10
        case Budget(base, increment, delay):
            have = base if left is None else left
            most = min(have // MOVES_LEFT + (increment + delay) * 8 // 10, have * 6 // 10 + delay)
    return max(1, min(LONGEST, (most - SPARE) // 1000))
