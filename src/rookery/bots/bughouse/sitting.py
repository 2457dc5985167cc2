"""When to wait instead of moving: bughouse players call it sitting.

A player who is mated by force on its own board may wait for the partner to send a piece, or
to win there first. That is worth it only while its own clock has more time than that of the
diagonal opponent, who plays the partner: then the other team runs out first. The player's own
clock runs meanwhile, so that every wait comes to an end; without clocks a bot never waits. A
bot that waits should be asked again when anything is played, and after a second or so in any
case.
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
