"""The players at a table, which of them would take a draw, and how to speak of them."""

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import (
    DrawDeclined,
    DrawOffered,
    Left,
    Played,
    Sat,
    Swapped,
    TableEvent,
    TakenOver,
)
from rookery.core.ids import Seat, put
from rookery.games import AnyGame


class Players(Struct, frozen=True):
    """The game, the players' names by seat, empty where nobody sits, and who offered a draw."""

    game: AnyGame
    names: tuple[str, ...]
    offers: frozenset[int] = frozenset()  # teams that would take a draw

    def seat(self, seat: Seat) -> str:
        """The name that the rules give a seat, as `black`."""
        if not 0 <= seat < len(self.names):
            return f"seat {seat}"  # a damaged log, or another version's server
        return self.game.seat_name(seat)

    def who(self, seat: Seat) -> str:
        """`ann (black)`, or just the seat while nobody is on it."""
        name = self.names[seat] if 0 <= seat < len(self.names) else ""
        return f"{name} ({self.seat(seat)})" if name else self.seat(seat)

    def team(self, seat: Seat) -> int:
        """The number of the team that a seat plays for; -1 where there is no such seat."""
        return self.game.teams(len(self.names))[seat] if 0 <= seat < len(self.names) else -1


def seated(players: Players, event: TableEvent) -> Players:
    """The players after this event: people sit down, get up, and offer draws."""
    match event:
        case Sat(seat, name=name) | TakenOver(seat, name=name) if 0 <= seat < len(players.names):
            return replace(players, names=put(players.names, seat, name))
        case Left(seat):
            return replace(players, names=put(players.names, seat, ""))
        case Swapped(one, other) if 0 <= min(one, other) <= max(one, other) < len(players.names):
            there = put(players.names, one, players.names[other])
            return replace(players, names=put(there, other, players.names[one]))
        case _:
            return offered(players, event)


def offered(players: Players, event: TableEvent) -> Players:
    """The players after this event, with draw offers made or declined; names stay as they are."""
    match event:
        case DrawOffered(seat):
            return replace(players, offers=players.offers | {players.team(seat)})
        case DrawDeclined():
            return replace(players, offers=frozenset())
        case Played(seat) if players.offers and players.team(seat) not in players.offers:
            return replace(players, offers=frozenset())  # who plays on has declined
        case _:
            return players
