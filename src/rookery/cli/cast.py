"""Who plays at a table, and how to speak of them."""

from collections.abc import Sequence

from msgspec import Struct

from rookery.core.events import Left, Sat, Swapped, TableEvent, TakenOver
from rookery.core.ids import Seat, put
from rookery.games import AnyGame


class Cast(Struct, frozen=True):
    """The game, and the players' names by seat, empty where nobody sits."""

    game: AnyGame
    names: tuple[str, ...]

    def seat(self, seat: Seat) -> str:
        """What the rules call the seat."""
        if not 0 <= seat < len(self.names):
            return f"seat {seat}"  # a damaged log, or another version's server
        return self.game.seat_name(seat)

    def who(self, seat: Seat) -> str:
        """`ann (black)`, or just the seat while nobody is on it."""
        name = self.names[seat] if 0 <= seat < len(self.names) else ""
        return f"{name} ({self.seat(seat)})" if name else self.seat(seat)


def seated(cast: Cast, event: TableEvent) -> Cast:
    """The cast after this event: people sit down and get up."""
    match event:
        case Sat(seat, name=name) | TakenOver(seat, name=name) if 0 <= seat < len(cast.names):
            return Cast(cast.game, put(cast.names, seat, name))
        case Left(seat):
            return Cast(cast.game, put(cast.names, seat, ""))
        case Swapped(one, other) if 0 <= min(one, other) <= max(one, other) < len(cast.names):
            there = put(cast.names, one, cast.names[other])
            return Cast(cast.game, put(there, other, cast.names[one]))
        case _:
            return cast


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
