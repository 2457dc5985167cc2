"""When to wait instead of moving: bughouse players call it sitting.

Whoever is mated by force on the own board may wait for the partner to send a piece, or to
win there first. It is worth it only while there is more time on the own clock than on that
of the diagonal opponent, who plays the partner: then it is the other team that runs out
first. The own clock runs while one waits, so that every wait comes to an end; without
clocks nobody ever waits. Who is told to wait should be asked again when anything is
played, and after a second or so in any case.
"""

from typing import Final

from rookery.bots.base import Sight
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.games.bughouse import partner

AHEAD: Final[Micros] = 5 * MICROS_A_SECOND  # more than the diagonal must be on the own clock


def may_sit(sight: Sight) -> bool:
    """Whether the clocks are such that a lost seat does better to wait."""
    if sight.left is None:
        return False
    return sight.left[sight.seat] > sight.left[diagonal(sight.seat)] + AHEAD


def diagonal(seat: Seat) -> Seat:
    """The opponent on the other board."""
    return partner(Seat(seat ^ 1))
