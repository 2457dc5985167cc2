"""Games on hold: the table waits for a player who is gone, but not for ever if all of them are.

A seat that has been away for the whole patience is marked, and its game ends when all seats
still in it are marked. One player who stays keeps a game for as long as they like. After a
restart nobody knows who was there: a player who is not back soon counts as away since the last
thing that happened at the table, or a server that is restarted every day would keep such games
for good.
"""

from collections.abc import Mapping

from msgspec import structs

from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.policy import Gone
from rookery.hall.limits import HOLD_BACK
from rookery.hall.tables.away.absence import Absence, Away
from rookery.hall.tables.referee import called_off, gone
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.rulings.ruling import Ruling
from rookery.hall.tables.table import Table
from rookery.hall.tables.wakeups import Wakeups


class Holding:
    """Decides how long a game on hold waits when all its players are away."""

    def __init__(
        self, tables: TableRegistry, absence: Absence, timers: Wakeups[TableId], *, patience: Micros
    ) -> None:
        self._tables = tables
        self._absence = absence
        self._timers = timers
        self.patience = patience

    def cut_off(self, table: Table, seat: Seat, player: PlayerId, now: Micros) -> None:
        """Mark a seat as away because the server went; for one grace nothing runs against it."""
        until = now + table.opened.policy.grace
        self._absence.begin(table.id, seat, Away(player, now, until, restarted=True))
        self._timers.look(table.id, until)

    def was_there(self, player: PlayerId) -> None:
        """Stop the clocks of a player who never hung up, and was told that no clock runs.

        What a clock has run since the grace after the server's absence is not counted.
        """
        for table_id in self._tables.of_player(player):
            table = self._tables.get(table_id)
            seat = None if table is None else table.seat_of(player)
            if table is not None and seat is not None and seat in self._absence.of(table_id):
                self._tables.put(structs.replace(table, clock=table.clock.stop(seat)))

    def after_restart(self, table: Table, seat: Seat, now: Micros) -> None:
        """Set how long to wait for a seat that is not back after the grace of a restart."""
        last = self._tables.past(table.id)[-1].at
        until = max(last + self.patience, now + min(self.patience, HOLD_BACK))
        self._put_off(table, seat, until, long=False)

    def is_over(self, table: Table, seat: Seat, now: Micros) -> bool:
        """Mark the seat as away for long; whether now every seat still in the game is marked."""
        self._put_off(table, seat, now + self.patience, long=True)
        away = self._absence.of(table.id)
        staying = [Seat(n) for n in range(len(table.seats)) if n not in table.out]
        return all(one in away and away[one].long for one in staying)

    def _put_off(self, table: Table, seat: Seat, until: Micros, *, long: bool) -> None:
        self._absence.put_off(table.id, seat, until, long=long)
        self._timers.look(table.id, until)


def abandoned(table: Table) -> Ruling:
    """End a running game that everyone has left, without a winner."""
    return called_off(table, "abandoned", "Everyone left the game.")


def forsaken(table: Table, seat: Seat, away: Mapping[Seat, Away]) -> Ruling:
    """Rule on a seat whose player did not come back: it is out, or all are away and nobody wins."""
    rest = [n for n in range(len(table.seats)) if n != seat and n not in table.out]
    # A seat that loses at once does so though others, away too, may yet come back.
    waits = table.opened.policy.gone is not Gone.AT_ONCE
    if waits and rest and all(Seat(n) in away for n in rest):
        return abandoned(table)
    return gone(table, seat)
