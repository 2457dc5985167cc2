"""Who sits where before a game begins, and who owns the table: questions the referee asks.

Nothing here happens by itself; these are answers about a table as it stands.
"""

from rookery.core.events import Swapped
from rookery.core.ids import PlayerId, Seat, put
from rookery.hall.tables.table import Table


def first_free(table: Table, prefer: tuple[Seat, ...]) -> Seat | None:
    """The first free of the preferred seats, or of all; one the table lacks counts as free."""
    for seat in prefer or map(Seat, range(len(table.seats))):
        if not 0 <= seat < len(table.seats) or table.seats[seat] is None:
            return seat
    return None


def heir(table: Table, seat: Seat | None) -> PlayerId:
    """The new owner when the owner left this seat: a team-mate, else the player who came first."""
    team = None if seat is None else table.teams[seat]
    mates = (p for p, t in zip(table.seats, table.teams, strict=True) if t == team)
    return next((player for player in mates if player is not None), table.joined[0])


def swaps(table: Table, order: tuple[Seat, ...]) -> list[Swapped]:
    """The changes of places between team-mates that seat each team in the order it came.

    `order` is all seats; of each team, the first in it is for the first who came.
    """
    seats, teams, waiting = table.seats, table.teams, list(table.joined)
    found = []
    for seat in order:
        mates = [p for p, team in zip(seats, teams, strict=True) if team == teams[seat]]
        first = next(player for player in waiting if player in mates)
        waiting.remove(first)
        sits = Seat(seats.index(first))
        if sits != seat:
            found.append(Swapped(seat, sits))
            seats = put(put(seats, sits, seats[seat]), seat, first)
    return found
