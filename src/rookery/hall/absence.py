"""Who is away from which table, and until when they may be.

A seat whose connection goes has the table's grace period to come back. After a restart
everyone is away, and for that first period neither clock nor grace runs. It mutates,
and the floor owns it.
"""

from msgspec import Struct

from rookery.core.ids import Micros, Seat, TableId


class Away(Struct, frozen=True):
    """A seat's player is not connected."""

    since: Micros
    until: Micros | None  # None: for as long as they like
    restarted: bool = False  # it was we who left; the seat's own grace has not begun


class Absence:
    """The empty chairs of running games."""

    def __init__(self) -> None:
        self._away: dict[TableId, dict[Seat, Away]] = {}

    def begin(self, table: TableId, seat: Seat, away: Away) -> None:
        """The seat is away, on these terms."""
        self._away.setdefault(table, {})[seat] = away

    def end(self, table: TableId, seat: Seat) -> None:
        """The seat is back, or needs to be no more."""
        seats = self._away.get(table)
        if seats is not None:
            seats.pop(seat, None)
            if not seats:
                del self._away[table]

    def forget(self, table: TableId) -> None:
        """The game is over."""
        self._away.pop(table, None)

    def of(self, table: TableId) -> dict[Seat, Away]:
        """Who is away from this table."""
        return self._away.get(table, {})

    def held(self, table: TableId, seat: Seat) -> bool:
        """Whether the seat's clock must wait, because we were away and it is not back yet."""
        away = self.of(table).get(seat)
        return away is not None and away.restarted

    def due(self, table: TableId, now: Micros) -> list[Seat]:
        """The seats whose time away is over."""
        return sorted(
            seat
            for seat, away in self.of(table).items()
            if away.until is not None and away.until <= now
        )

    def deadline(self, table: TableId) -> Micros | None:
        """When the first of them must be back."""
        ends = [away.until for away in self.of(table).values() if away.until is not None]
        return min(ends, default=None)
