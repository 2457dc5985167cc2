"""The shelf: what the log says of tables and players, read in a thread beside the game.

Only what is safe is seen. One request reads at a time, and only so many wait: the event
loop, where everybody's moves are, never does. A table is replayed from its own events;
whoever asks is somebody who only watches, so what is hidden stays hidden.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final, TypeVar

from rookery.core.errors import BadOption
from rookery.core.events import (
    HALL_STREAM,
    PlayerMade,
    PlayerNamed,
    Record,
    table_events,
    table_stream,
)
from rookery.core.ids import PlayerId, TableId
from rookery.core.messages import Entry, Past, PlayerLine
from rookery.hall.news import past
from rookery.hall.table import Table, replay
from rookery.server.web.desk import busy, going
from rookery.store import Log

T = TypeVar("T")

WAITING_MAX: Final = 50  # readings on their way; each takes about a millisecond
LOOK_MAX: Final = 500  # tables looked at for one page


class Shelf:
    """Reads the log. It mutates: it keeps who the players are."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="web")
        self._waiting = 0
        self._closed = False
        self._players: dict[PlayerId, PlayerLine] = {}
        self._read_to = 0  # the last record of the hall's stream that we know

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

    # -- to be called in the thread

    def table(self, table: TableId, until: int | None = None) -> tuple[Table, Record] | None:
        """The table after event `until`, or as it is now, and the event that made it so."""
        records = self._log.read_stream(table_stream(table))
        if until is not None:
            records = [record for record in records if record.n <= until]
        return _made(table, records)

    def past(self, table: TableId, since: int, most: int) -> Past | None:
        """What happened at the table after that event, as anybody may know it."""
        records = self._log.read_stream(table_stream(table))
        made = _made(table, records)
        if made is None:
            return None
        later = (record for record in records if record.n > since)
        entries: list[Entry] = list(islice(past(made[0], later, ()), most + 1))
        return Past(table, tuple(entries[:most]), more=len(entries) > most)

    def downwards(self, below: int) -> Iterator[tuple[TableId, Table | None]]:
        """Tables from the one below that id down; None for one of rules we do not know."""
        last = self._log.last_table()
        first = last if not below else min(below - 1, last)
        for number in range(first, max(0, first - LOOK_MAX), -1):
            made = self.table(TableId(number))
            yield TableId(number), None if made is None else made[0]

    def player(self, player: PlayerId) -> PlayerLine | None:
        """Who this is; also somebody who is not here."""
        for record in self._log.read(self._read_to, HALL_STREAM):
            self._read_to = record.seq
            match record.event:
                case PlayerMade(who, name, _, _, dialect):
                    self._players[who] = PlayerLine(who, name, dialect)
                case PlayerNamed(who, name) if who in self._players:
                    self._players[who] = PlayerLine(who, name, self._players[who].dialect)
                case _:
                    pass
        return self._players.get(player)


def _made(table: TableId, records: Sequence[Record]) -> tuple[Table, Record] | None:
    if not records:
        return None
    try:
        return replay(table, table_events(records)), records[-1]
    except BadOption:
        return None
