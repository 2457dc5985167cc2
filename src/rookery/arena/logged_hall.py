"""A hall with a log and a clock: what is asked is decided, made safe, and then told.

The server's keeper in small: everything that was asked while the last records were written
is decided together, and nobody hears of anything before it is on disk. A turn counts from
when its player was really asked. It mutates, and lives in the event loop.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import AnyMessage, Refused
from rookery.core.visitors import hosts
from rookery.hall.batch import Batch, TurnGiven
from rookery.hall.hall import Hall
from rookery.runtime.fairtime import FairTime
from rookery.store import Store

ARENA: Final = SessionId(1)  # everyone in the hall came by this one connection
BEAT: Final[Micros] = 200_000  # the clock is asked at least so often while we are there
STALL: Final[Micros] = 5 * BEAT  # a gap this long is not a machine that is busy with bots


class LoggedHall:
    """The hall, its log and its time."""

    def __init__(self, hall: Hall, store: Store, time: FairTime) -> None:
        self._hall = hall
        self._store = store
        self._time = time
        self._asked: deque[tuple[AnyIntent, Micros]] = deque()
        self._bell = asyncio.Event()
        hall.connect(ARENA, hosts.ARENA)

    def now(self) -> Micros:
        """The time; whoever asks for it is there."""
        self._time.beat()
        return self._time.now()

    def restore(self, records: Iterable[Record]) -> Batch:
        """Take up what the log says."""
        return self._hall.restore(records, self.now(), self._time.wall())

    def ask(self, intent: AnyIntent) -> None:
        """Somebody asks this, just now."""
        self._asked.append((intent, self.now()))
        self._bell.set()

    def handed(self, turn: TurnGiven) -> None:
        """The player whose turn it is has just been asked: its clock starts."""
        self._hall.handed(Batch(turns=(turn,)), self.now())
        self._bell.set()  # there may be a flag to look for

    def rules_failed(self, table: TableId, wrong: BaseException) -> None:
        """The rules broke where a player was to be asked: the game ends, and nobody wins."""
        self._hall.rules_failed(table, wrong)
        self._bell.set()

    def decide(self, intent: AnyIntent) -> Batch:
        """What follows from this at once; to be written by whoever asks."""
        return self._hall.receive(ARENA, intent, self.now(), self._time.wall())

    def save(self, batches: Sequence[Batch]) -> list[Record]:
        """Make these safe, all or none of them."""
        records = [record for batch in batches for record in batch.records]
        self._store.append(records)
        self._safe(batches)
        return records

    async def turn(self) -> list[Batch]:
        """What happened next, safe already; after a while nothing, so that one can look up."""
        await self._wait()
        batches = []
        while self._asked:
            intent, now = self._asked.popleft()
            batches.append(self._hall.receive(ARENA, intent, now, self._time.wall()))
        deadline, now = self._hall.deadline(), self.now()
        if deadline is not None and deadline <= now:
            batches.append(self._hall.tick(now, self._time.wall()))
        records = [record for batch in batches for record in batch.records]
        if records:
            await asyncio.to_thread(self._store.append, records)
        self._safe(batches)
        return batches

    def _safe(self, batches: Sequence[Batch]) -> None:
        for batch in batches:
            if batch.records:
                self._hall.handed(Batch(batch.records), self.now())

    async def _wait(self) -> None:
        """Until something is asked, a flag may fall, or it is time to look at the clock."""
        deadline = self._hall.deadline()
        wait = BEAT if deadline is None else min(BEAT, max(0, deadline - self.now()))
        if not self._asked:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), wait / MICROS_A_SECOND)
        self._bell.clear()
        self.now()


def granted(batch: Batch) -> AnyMessage:
    """The reply in a batch, which must not be a refusal."""
    reply = batch.deliveries[0].message
    assert not isinstance(reply, Refused), f"the arena asks only what it may: {reply.sentence}"
    return reply
