"""Who is away from which table, and until when they may be.

A seat whose connection goes has the table's grace period to come back. After a restart
everyone is away, and where we lost an edge all who were there; for that first period neither
clock nor grace runs. Who comes back
without a token is found by where it came from, and an index spares looking through all
who ever came. It mutates, and the floor owns it.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.hall.people.players import Home

Chair: TypeAlias = tuple[TableId, Seat]


class Away(Struct, frozen=True):
    """A seat's player is not connected."""

    player: PlayerId
    since: Micros
    until: Micros
    restarted: bool = False  # it was we who left; the seat's own grace has not begun
    long: bool = False  # where the game is on hold: for as long as it waits with nobody there


class Absence:
    """The empty chairs of running games."""

    def __init__(self, way_back: Callable[[PlayerId], Home | None]) -> None:
        self._way_back = way_back
        self._away: dict[TableId, dict[Seat, Away]] = {}
        # Chairs in the order they were left, by host, dialect and name, and by all names.
        self._left: dict[tuple[str, str, str | None], dict[Chair, PlayerId]] = {}

    def begin(self, table: TableId, seat: Seat, away: Away) -> None:
        """The seat is away, on these terms."""
        self._away.setdefault(table, {})[seat] = away
        for key in self._keys(away.player):
            self._left.setdefault(key, {})[table, seat] = away.player

    def put_off(self, table: TableId, seat: Seat, until: Micros, *, long: bool) -> None:
        """The seat is looked at again then instead; whether it has been away for long."""
        self._away[table][seat] = replace(self._away[table][seat], until=until, long=long)

    def end(self, table: TableId, seat: Seat) -> None:
        """The seat is back, or needs to be no more."""
        seats = self._away.get(table)
        if seats is not None:
            away = seats.pop(seat, None)
            if away is not None:
                self._unleave((table, seat), away.player)
            if not seats:
                del self._away[table]

    def forget(self, table: TableId) -> None:
        """The game is over."""
        for seat, away in self._away.pop(table, {}).items():
            self._unleave((table, seat), away.player)

    def left_from(self, host: str, dialect: str, name: str | None) -> Iterable[Chair]:
        """The chairs of those who came from there, the one that was left first before others."""
        return self._left.get((host, dialect, name), {}).keys()

    def of(self, table: TableId) -> dict[Seat, Away]:
        """Who is away from this table."""
        return self._away.get(table, {})

    def held(self, table: TableId, seat: Seat) -> bool:
        """Whether the seat's clock must wait, because we were away and it is not back yet."""
        at_table = self._away.get(table)
        if at_table is None:  # nearly always
            return False
        away = at_table.get(seat)
        return away is not None and away.restarted

    def due(self, table: TableId, now: Micros) -> list[Seat]:
        """The seats whose time away is over."""
        return sorted(seat for seat, away in self.of(table).items() if away.until <= now)

    def deadline(self, table: TableId) -> Micros | None:
        """When the first of them must be back."""
        return min((away.until for away in self.of(table).values()), default=None)

    def _keys(self, player: PlayerId) -> tuple[tuple[str, str, str | None], ...]:
        # Nobody takes another name while it is away, so these are the same at the end.
        way = self._way_back(player)
        if way is None:
            return ()
        host, dialect, name = way
        return (host, dialect, name), (host, dialect, None)

    def _unleave(self, chair: Chair, player: PlayerId) -> None:
        for key in self._keys(player):
            chairs = self._left[key]
            del chairs[chair]
            if not chairs:
                del self._left[key]
