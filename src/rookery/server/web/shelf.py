"""The shelf: what the log says of tables, read in a thread beside the game.

Only what is safe is seen. One request reads at a time, and only so many wait: the event
loop, where everybody's moves are, never does. A table is replayed from its own events;
whoever asks is somebody who only watches, so what is hidden stays hidden.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final, TypeVar

from rookery.core.errors import BadOption
from rookery.core.events import Record, table_events, table_stream
from rookery.core.ids import PlayerId, TableId
from rookery.core.messages import Entry, Past
from rookery.hall.news import past
from rookery.hall.table import Table, replay
from rookery.server.web.desk import busy, going
from rookery.server.web.glances import Glance, glance_at
from rookery.server.web.moments import Moments, moments_of
from rookery.store import Log
from rookery.store.catalogue import Finding, Finished

T = TypeVar("T")

WAITING_MAX: Final = 50  # readings on their way; each takes about a millisecond
GLANCES_MAX: Final = 10_000  # finished tables remembered at a glance, about ten megabytes


class Shelf:
    """Reads the log; where that is `own`, it closes it too. It mutates."""

    def __init__(self, log: Log, *, own: bool = False) -> None:
        self._log = log
        self._own = own
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="web")
        self._waiting = 0
        self._closed = False
        self._glances: dict[TableId, Glance] = {}  # of finished tables

    async def read(self, work: Callable[[], T]) -> T:
        """Do this in the thread. Raises Trouble where too many wait."""
        if self._closed:
            raise going()
        if self._waiting >= WAITING_MAX:
            raise busy()
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finish what is being read, and nothing more."""
        self._closed = True
        self._thread.shutdown(cancel_futures=True)
        if self._own:
            self._log.close()

    # -- to be called in the thread

    def table(self, table: TableId, until: int | None = None) -> tuple[Table, Record] | None:
        """The table after event `until`, or as it is now, and the event that made it so."""
        records = self._records(table)
        if until is not None:
            records = [record for record in records if record.n <= until]
        return _made(table, records)

    def past(self, table: TableId, since: int, most: int | None) -> Past | None:
        """What happened at the table after that event, as anybody may know it; None is all."""
        records = self._records(table)
        made = _made(table, records)
        if made is None:
            return None
        later = (record for record in records if record.n > since)
        if most is None:
            return Past(table, tuple(past(made[0], later, ())))
        entries: list[Entry] = list(islice(past(made[0], later, ()), most + 1))
        return Past(table, tuple(entries[:most]), more=len(entries) > most)

    def moments(self, table: TableId, since: int, most: int) -> Moments | None:
        """The table after each event since that one, as who only watches saw it."""
        return moments_of(table, self._records(table), since, most)

    def glance(self, table: TableId) -> Glance | None:
        """The table without its moves."""
        return glance_at(table, self._records(table))

    def result(self, table: TableId) -> Glance | None:
        """The same; of one that is over it is remembered, though more was said there since."""
        known = self._glances.get(table)
        if known is not None:
            return known
        found = self.glance(table)
        if found is not None and found.ended_at is not None:
            if len(self._glances) >= GLANCES_MAX:
                self._glances.clear()
            self._glances[table] = found
        return found

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        return self._log.finished(wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Where this player sat, the highest number first."""
        return self._log.tables_of(player, below, limit)

    def _records(self, table: TableId) -> Sequence[Record]:
        return self._log.read_stream(table_stream(table))


def _made(table: TableId, records: Sequence[Record]) -> tuple[Table, Record] | None:
    if not records:
        return None
    try:
        return replay(table, table_events(records)), records[-1]
    except BadOption:
        return None
