"""Seats that can be taken over: their players are gone for longer than the grace period.

Only at tables that say so, and not in tours and rooms, where others count on who plays. A seat is
offered for a moment, and lost as everywhere else if nobody wants it. An offer that has ended is
forgotten when somebody asks.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.hall.limits import OFFERED
from rookery.hall.people.presence import Presence
from rookery.hall.tables.away.absence import Absence
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.table import Table


class Offer(Struct, frozen=True):
    """A seat to be taken over, from when on, and the players who wait for somebody to play it."""

    table: Table
    seat: Seat
    since: Micros
    waiting: tuple[PlayerId, ...]


class Offers:
    """Every seat that is offered, or will be when its grace is over."""

    def __init__(self, tables: TableRegistry, absence: Absence, presence: Presence) -> None:
        self._tables = tables
        self._absence = absence
        self._presence = presence
        self._since: dict[tuple[TableId, Seat], Micros] = {}

    def offer(self, table: Table, seat: Seat, since: Micros) -> Micros:
        """Offer the seat from `since` on; for how long, 0 where seats are not taken over."""
        if table.opened.tour is not None or table.opened.room:
            return 0
        self._since[table.id, seat] = since
        return OFFERED

    def stands(self, table: TableId, seat: Seat, now: Micros) -> bool:
        """Whether the seat can be taken over now."""
        since = self._since.get((table, seat))
        return since is not None and since <= now and self._is_away(table, seat)

    def standing(self) -> list[Offer]:
        """Every offered seat, including seats that can be taken over only later."""
        self._since = {key: since for key, since in self._since.items() if self._is_away(*key)}
        found = []
        for (table_id, seat), since in self._since.items():
            table = self._tables.get(table_id)
            if table is not None:
                found.append(Offer(table, seat, since, self._waiting(table)))
        return found

    def _is_away(self, table: TableId, seat: Seat) -> bool:
        return seat in self._absence.of(table) and not self._absence.held(table, seat)

    def _waiting(self, table: Table) -> tuple[PlayerId, ...]:
        """The players who are connected, and still in the game."""
        return tuple(
            player
            for n, player in enumerate(table.seats)
            if player is not None
            and Seat(n) not in table.out
            and self._presence.session_of(player) is not None
        )
