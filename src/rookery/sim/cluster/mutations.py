"""Mistakes that halls, edges and stores do not make where there are many processes.

As in `sim/mutations.py`: each replaces something of the server for as long as a world lasts.
"""

from typing import Any

import psycopg

from rookery.core.ids import Micros
from rookery.hall.tables.away.holding import Holding
from rookery.server.links.edge_link import EdgeLink
from rookery.server.links.numbered import FrameStream
from rookery.server.links.outpost import Lodger, Outpost
from rookery.sim.mutation import Patch
from rookery.store import StoreFailed
from rookery.store.postgres.lease import Lease
from rookery.store.postgres.statement import Statement
from rookery.store.postgres.store import PostgresStore


def write_without_a_fence() -> list[Patch]:
    """Mutation: a hall that led once writes under the number of the hall that leads now."""
    insert = PostgresStore._insert  # noqa: SLF001

    def wrong(self: PostgresStore, batch: Statement) -> None:
        sql = "SELECT epoch, seq FROM rookery.halls WHERE hall = %s"
        ((epoch, seq),) = self._line.ask(sql, (self._address.hall,))
        self._hall = self._hall | {"epoch": str(epoch)}
        shift = seq + 1 - int(batch.values["first"])
        batch.values["first"] = str(seq + 1)
        batch.values["last"] = str(int(batch.values["last"]) + shift)
        insert(self, batch)

    return [(PostgresStore, "_insert", wrong), (PostgresStore, "leads", lambda _: True)]


def trust_a_slow_clock() -> list[Patch]:
    """Mutation: a hall that led believes that it still does, until the database refuses."""
    return [(Lease, "held", lambda self: self._taken is None)]


def ignore_numbers() -> list[Patch]:
    """Mutation: a frame is taken whenever it comes, whatever its number."""
    take = FrameStream.take

    def wrong(self: FrameStream, frame: Any) -> bool | None:
        taken = take(self, frame)
        return taken if frame.kind else True

    return [(FrameStream, "take", wrong)]


def guess_that_it_is_there() -> list[Patch]:
    """A commit in doubt is taken for made."""
    insert = PostgresStore._insert  # noqa: SLF001

    def wrong(self: PostgresStore, batch: Statement) -> None:
        try:
            insert(self, batch)
        except psycopg.Error:
            return

    return [(PostgresStore, "_insert", wrong)]


def guess_that_it_is_not() -> list[Patch]:
    """A commit in doubt is taken for lost: what is there already is a failure like any other."""

    def wrong(_: PostgresStore, __: Statement) -> None:
        raise StoreFailed("it cannot be written")

    return [(PostgresStore, "_explain", wrong)]


def keep_who_asked() -> list[Patch]:
    """Mutation: an edge attaches sessions with open requests, too, to the next hall."""
    return [(EdgeLink, "_attach", _attach_all)]


def _attach_all(self: EdgeLink) -> None:
    for caller in self._callers.values():
        caller.ask_again()
    _ATTACH(self)


_ATTACH = EdgeLink._attach  # noqa: SLF001


def charge_the_way() -> list[Patch]:
    """A move is charged until the hall hears of it."""

    def wrong(self: Lodger, intent: Any, _: Micros, now: Micros, *rest: Micros) -> Micros:
        asks(self, intent, now, now, *rest)
        return now

    asks = Lodger.asks
    return [(Lodger, "asks", wrong)]


def charge_who_was_away() -> list[Patch]:
    """Mutation: clocks run on for players at an edge that no hall heard, beyond the grace."""
    return [(Holding, "was_there", lambda *_: None)]


def keep_copies() -> list[Patch]:
    """Mutation: an edge keeps a copy of every table that it has told of."""
    return [(Outpost, "forget_some", lambda _: None)]
