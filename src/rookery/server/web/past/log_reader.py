"""The log reader: what the log says of tables, read in a thread beside the game.

Only what is safe is seen. One request reads at a time: the event loop, where everybody's
moves are, never waits. Hosts read in turn, so a host that asks much waits for itself alone. A
table is replayed from its own events and shown as to somebody who only watches, so what is
hidden stays hidden.
"""

import asyncio
import logging
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hmac import compare_digest
from itertools import islice
from typing import Final, TypeVar

from rookery.core.errors import BROKEN, Damaged, RulesFailed, TookTooLong
from rookery.core.events import Opened, Seeded, table_stream
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.core.messages import Entry, Past
from rookery.hall.lobby.casual_ratings import CasualStep, CasualTrail, walk_back
from rookery.hall.people.players import hash_token
from rookery.hall.tables.news import past
from rookery.hall.tables.table import Table
from rookery.server.fairness.thread_switching import SWITCHING
from rookery.server.web.api.problems import damaged
from rookery.server.web.hall_desk import busy, going
from rookery.server.web.limits import NUMBER_MAX
from rookery.server.web.past.glances import Glance, glance_at
from rookery.server.web.past.moments import Moments, moments_of
from rookery.server.web.past.positions import Position, position_of
from rookery.server.web.past.table_replay import ReplayCache
from rookery.store import Log
from rookery.store.catalogue import Finding, Finished

log = logging.getLogger(__name__)

T = TypeVar("T")

Seen = list[tuple[TableId, Glance | None]]
Read = Callable[[Callable[[], Seen]], Awaitable[Seen]]  # in somebody's turn

# Readings that wait; each takes from a millisecond to a hundred, for the longest game.
WAITING_A_HOST: Final = 100
WAITING_MAX: Final = 500
AT_ONCE: Final = 20  # tables glanced at in one go; each is read whole
NOTED_MAX: Final = 1_000  # things that are damaged, each said once in the server's log
GLANCES_MAX: Final = 10_000  # finished tables remembered at a glance, about ten megabytes


class LogReader:
    """Reads the log in a thread; closes it too if it is its `own`. It mutates."""

    def __init__(self, log: Log, *, own: bool = False) -> None:
        self._log = log
        self._own = own
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="web")
        self._turns: dict[str, deque[asyncio.Future[None]]] = {}  # by host, whose turn is first
        self._waiting = 0  # of all hosts
        self._reading = False
        self._closed = False
        self._busy: int | None = None
        self._glances: dict[TableId, Glance] = {}  # of finished tables
        self._noted: set[str] = set()  # sentences that were said in the server's log
        self._replays = ReplayCache(log.read)

    async def read(self, work: Callable[[], T], host: str) -> T:
        """Do this work in the thread, when it is this host's turn. Raises Trouble.

        A damaged or unreadable log is no mistake of ours: the client that asked is told.
        """
        if self._closed:
            raise going()
        await self._turn(host)
        try:
            if self._closed:
                raise going()
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._work, work)
        except (Damaged, RulesFailed, TookTooLong) as wrong:
            self._note(f"somebody asked for what is damaged: {wrong!r}")
            raise damaged() from None
        finally:
            self._call_next()

    async def glances(
        self, tables: Sequence[TableId], read: Read
    ) -> AsyncIterator[tuple[TableId, Glance | None]]:
        """Glance at these tables, some at a time: in between others have a turn."""
        for first in range(0, len(tables), AT_ONCE):
            some = tables[first : first + AT_ONCE]
            for seen in await read(partial(self._look_at, some)):
                yield seen

    def _note(self, sentence: str) -> None:
        """Say this in the server's log, once."""
        if sentence not in self._noted and len(self._noted) < NOTED_MAX:
            self._noted.add(sentence)
            log.warning("%s", sentence)

    def close(self) -> None:
        """Finish the reading under way and no other: those who wait are told so."""
        self._closed = True
        for turn in (turn for turns in self._turns.values() for turn in turns if not turn.done()):
            turn.set_exception(going())
        self._turns = {}
        self._thread.shutdown()
        if self._own:
            self._log.close()

    # -- whose turn it is

    async def _turn(self, host: str) -> None:
        """Wait until nobody reads and this host is next. Raises Trouble if too many wait."""
        if not self._reading:
            self._reading = True
            return
        turns = self._turns.get(host, deque())
        if len(turns) >= WAITING_A_HOST or self._waiting >= WAITING_MAX:
            raise busy()
        self._turns[host] = turns
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns.append(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._call_next()  # the turn was given to us already
            raise
        finally:
            self._waiting -= 1

    def _call_next(self) -> None:
        """Let the host read next that has waited longest since its last turn."""
        self._reading = False
        while self._turns and not self._reading:
            host = next(iter(self._turns))
            turns = self._turns.pop(host)
            turn = turns.popleft()
            if turns:
                self._turns[host] = turns  # behind the others
            if not turn.done():
                self._reading = True
                turn.set_result(None)

    def busy(self) -> int | None:
        """Which thread reads; None if nobody does."""
        return self._busy

    # -- to be called in the thread

    def _work(self, work: Callable[[], T]) -> T:
        self._busy = threading.get_ident()
        try:
            return _giving_way(work)
        finally:
            self._busy = None

    def may_see(self, table: TableId, code: str) -> bool:
        """Whether a table is for all, or this is the code of a private one."""
        first = islice(self._log.read(0, table_stream(table)), 2)
        events = [record.event for record in first]
        match events:
            case [Opened(private=True), Seeded(lock=lock), *_]:
                return bool(code) and compare_digest(hash_token(code), lock)
            case _:
                return True

    def table(self, table: TableId) -> tuple[Table, Micros] | None:
        """The table as it is now, and when its last event was."""
        return self.stood(table, NUMBER_MAX)

    def stood(self, table: TableId, n: int) -> tuple[Table, Micros] | None:
        """The table after event `n`, or the last, its clocks as they ran, and when that was."""
        replay = self._replays.find(table)
        return None if replay is None else replay.stood(n)

    def position(self, table: TableId, n: int, tried: Sequence[str]) -> Position | None:
        """The table after event `n` and these moves from there. Raises Mistake."""
        replay = self._replays.find(table)
        return None if replay is None else position_of(replay, n, tried)

    def past(self, table: TableId, since: int, most: int | None) -> Past | None:
        """What happened at the table after event `since`, as anybody may know; `most` None: all."""
        replay = self._replays.find(table)
        if replay is None:
            return None
        entries = past(replay.last, islice(replay.records, since, None), ())
        if most is None:
            return Past(table, tuple(entries))
        found: list[Entry] = list(islice(entries, most + 1))
        return Past(table, tuple(found[:most]), more=len(found) > most)

    def moments(self, table: TableId, since: int, most: int) -> Moments | None:
        """The table after each event since that one, as an onlooker saw it."""
        replay = self._replays.find(table)
        return None if replay is None else moments_of(replay, since, most)

    def glance(self, table: TableId) -> Glance | None:
        """Glance at a table; None if there is none, or it is private, unknown or damaged.

        One damaged table must not take the others of a list with it.
        """
        try:
            records = self._log.read_stream(table_stream(table))
            first = records[0].event if records else None
            hidden = isinstance(first, Opened) and first.private  # which is in no list
            return None if hidden else glance_at(table, records)
        except BROKEN as wrong:  # what is damaged may break the rules anywhere
            self._note(f"table {table} is left out of lists: {wrong}")
            return None

    def _look_at(self, tables: Sequence[TableId]) -> Seen:
        return [(table, self.glance(table)) for table in tables]

    def result(self, table: TableId) -> Glance | None:
        """As `glance`, but of a table that is over the glance is remembered."""
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

    def casual_past(self, trail: CasualTrail) -> tuple[CasualStep, ...]:
        """How a casual rating (of games in no tour) got where it is, by its last games."""
        return walk_back(trail, self._log.read_one)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """The tables where this player sat, the highest number first."""
        return self._log.tables_of(player, below, limit)


def _giving_way(work: Callable[[], T]) -> T:
    """Do this so that everybody's moves hardly wait for the interpreter."""
    SWITCHING.hurry(work, hurried=True)
    try:
        return work()
    finally:
        SWITCHING.hurry(work, hurried=False)
