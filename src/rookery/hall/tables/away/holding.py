"""Games on hold: everyone waits for who is gone, but not for ever where all of them are.

A seat that was away for so long is marked, and its game ends when all seats still in it are.
One player who stays keeps a game for as long as it likes. A restart says of nobody that it
was there: whoever is not back soon after counts from the last thing that happened at the
table, or a server that is restarted every day would keep such games for good. It mutates what
the floor gives it.
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
    """How long games on hold wait with nobody there."""

    def __init__(
        self, tables: TableRegistry, absence: Absence, timers: Wakeups[TableId], *, patience: Micros
    ) -> None:
        self._tables = tables
        self._absence = absence
        self._timers = timers
        self.patience = patience

    def cut_off(self, table: Table, seat: Seat, player: PlayerId, now: Micros) -> None:
        """It was we who went: for as long as a grace neither its clock nor its grace runs."""
        until = now + table.opened.policy.grace
        self._absence.begin(table.id, seat, Away(player, now, until, restarted=True))
        self._timers.look(table.id, until)

    def was_there(self, player: PlayerId) -> None:
        """Whoever keeps its connection says that it was there, and was told that no clock runs.

        Where one has run since the grace after we went, it is as if it had not.
        """
        for table_id in self._tables.of_player(player):
            table = self._tables.get(table_id)
            seat = None if table is None else table.seat_of(player)
            if table is not None and seat is not None and seat in self._absence.of(table_id):
                self._tables.put(structs.replace(table, clock=table.clock.stop(seat)))

    def after_restart(self, table: Table, seat: Seat, now: Micros) -> None:
        """The grace after a restart is over, and the seat is not back."""
        last = self._tables.past(table.id)[-1].at
        until = max(last + self.patience, now + min(self.patience, HOLD_BACK))
        self._put_off(table, seat, until, long=False)

    def is_over(self, table: Table, seat: Seat, now: Micros) -> bool:
        """A seat has been away for long; whether everyone still in the game has."""
        self._put_off(table, seat, now + self.patience, long=True)
        away = self._absence.of(table.id)
        staying = [Seat(n) for n in range(len(table.seats)) if n not in table.out]
        return all(one in away and away[one].long for one in staying)

    def _put_off(self, table: Table, seat: Seat, until: Micros, *, long: bool) -> None:
        self._absence.put_off(table.id, seat, until, long=long)
        self._timers.look(table.id, until)


def abandoned(table: Table) -> Ruling:
    """Everyone left a running game, and nobody wins it."""
    return called_off(table, "abandoned", "Everyone left the game.")


def forsaken(table: Table, seat: Seat, away: Mapping[Seat, Away]) -> Ruling:
    """What follows where a seat's player did not come back, and so many others are away."""
    rest = [n for n in range(len(table.seats)) if n != seat and n not in table.out]
    # Who loses at once does so though others, who are away too, may yet come back.
    waits = table.opened.policy.gone is not Gone.AT_ONCE
    if waits and rest and all(Seat(n) in away for n in rest):
        return abandoned(table)
    return gone(table, seat)
