"""A hall with a log and a clock: what is asked is decided, made safe, and then told.

The server's keeper in small: everything that was asked while the last records were written is
decided together, and nobody hears of anything before it is on disk. A turn counts from when its
player was really asked. It lives in the event loop.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from rookery.core import network
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import AnyMessage, Refused
from rookery.hall.batch import Batch, TurnGiven
from rookery.hall.hall import Hall
from rookery.server.fairtime import FairTime
from rookery.store import Store

ARENA: Final = SessionId(1)  # everyone in the hall came by this one connection
BEAT: Final[Micros] = 200_000  # how often the clock is asked at least
STALL: Final[Micros] = 5 * BEAT  # a gap this long is not a machine that is busy with bots


class LoggedHall:
    """A hall with its log and its time: a small keeper."""

    def __init__(self, hall: Hall, store: Store, time: FairTime) -> None:
        self._hall = hall
        self._store = store
        self._time = time
        self._asked: deque[tuple[AnyIntent, Micros]] = deque()
        self._bell = asyncio.Event()
        hall.connect(ARENA, network.ARENA)

    def now(self) -> Micros:
        """The time, as clocks count it; asking also shows that the loop turns."""
        self._time.beat()
        return self._time.now()

    def restore(self, records: Iterable[Record]) -> Batch:
        """Restore the hall from these records of its log."""
        return self._hall.restore(records, self.now(), self._time.wall())

    def ask(self, intent: AnyIntent) -> None:
        """Ask the hall this; it is decided in the next `turn`."""
        self._asked.append((intent, self.now()))
        self._bell.set()

    def handed(self, turn: TurnGiven) -> None:
        """Start the clock of this turn, because its player has just been asked."""
        self._hall.handed(Batch(turns=(turn,)), self.now())
        self._bell.set()  # there may be a flag to look for

    def rules_failed(self, table: TableId, wrong: BaseException) -> None:
        """End a game without a winner, because its rules broke for a player's turn."""
        self._hall.rules_failed(table, wrong)
        self._bell.set()

    def decide(self, intent: AnyIntent) -> Batch:
        """Let the hall decide this at once; the caller must `save` the batch."""
        return self._hall.receive(ARENA, intent, self.now(), self._time.wall())

    def save(self, batches: Sequence[Batch]) -> list[Record]:
        """Make these batches safe, all or none of them; return their records."""
        records = [record for batch in batches for record in batch.records]
        self._store.append(records)
        self._safe(batches)
        return records

    async def turn(self) -> list[Batch]:
        """Wait for what happens next, and return it, safe already; empty after a while."""
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
        """Wait until something is asked, a flag may fall, or it is time for a beat."""
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
