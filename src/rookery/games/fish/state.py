"""A game of fish as a value: the ice, the penguins, the scores, and who acts next.

The turn is always with a seat that can act. The rules themselves skip seats that cannot,
and a game where nobody can is over.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import NOBODY, Seat
from rookery.games.fish.ice import beside

COLORS: Final = ("red", "white", "brown", "black")  # by seat
SEAT_COUNTS: Final = range(2, 5)
MOST_FISH: Final = 5

_ORDERS: Final = tuple(
    tuple(tuple(Seat((first + n) % seats) for n in range(seats)) for first in range(seats))
    for seats in range(SEAT_COUNTS.stop)
)

Penguins = tuple[tuple[int, ...], ...]  # numbers of bits, by seat and in order of placing


class State(Struct, frozen=True):
    """The ice and the penguins; `turn` is None when the game is over.

    `fish` has one number a tile, row by row. `free` has the bits of the tiles with fish
    and no penguin. A seat that is gone has no penguins and a score of 0.
    """

    fish: bytes
    free: int
    penguins: Penguins
    scores: tuple[int, ...]
    turn: Seat | None
    gone: frozenset[Seat] = NOBODY

    @property
    def placing(self) -> bool:
        """Whether the seat on turn has a penguin to place."""
        return self.turn is not None and len(self.penguins[self.turn]) < quota(len(self.penguins))


def quota(seats: int) -> int:
    """How many penguins each seat places, by the number of seats at the start."""
    return 6 - seats


def next_turn(
    cols: int, free: int, penguins: Penguins, gone: frozenset[Seat], first: int
) -> tuple[Seat | None, tuple[Seat, ...]]:
    """The seat that acts, if `first` is the first to be asked; and the seats that are skipped."""
    # "Who must place and finds no free tile is removed" never comes up: no tile goes
    # while penguins are placed, and the start makes sure of one for each of them.
    order = _ORDERS[len(penguins)][first]
    if gone:
        order = tuple(seat for seat in order if seat not in gone)
    enough = quota(len(penguins))
    for seat in order:
        if len(penguins[seat]) < enough:
            return seat, ()
    near = beside(cols, free)
    for skipped, seat in enumerate(order):
        for at in penguins[seat]:
            if near >> at & 1:
                return seat, order[:skipped]
    return None, ()
