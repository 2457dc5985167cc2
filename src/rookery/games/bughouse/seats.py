"""Who sits where: four seats, two boards, two teams.

Seats 0 and 1 are white and black on board 1, seats 2 and 3 on board 2. Partners play
different colours on different boards, so a captured piece keeps its colour when it
changes hands: it goes to the one who plays that colour on the other board.
"""

from typing import Final

from rookery.core.ids import Seat

TEAMS: Final = (0, 1, 1, 0)
NAMES: Final = ("white on board 1", "black on board 1", "white on board 2", "black on board 2")


def partner(seat: Seat) -> Seat:
    """The other seat of this seat's team."""
    return Seat(3 - seat)


def board_of(seat: Seat) -> int:
    """The board this seat plays on, 1 or 2."""
    return seat // 2 + 1


def is_white(seat: Seat) -> bool:
    """Whether this seat plays white on its board."""
    return seat % 2 == 0


def seat_on(board: int, *, white: bool) -> Seat:
    """The seat that plays this colour on board 1 or 2."""
    return Seat(2 * board - (2 if white else 1))
