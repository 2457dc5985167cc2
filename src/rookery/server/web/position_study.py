"""Studies of positions, by a process of their own, for one host after the other.

Studies never get in the way of the house's bots, and the process is the last that the
machine gives time to. A host has one study under way at a time; its next ones wait behind
that, and a host that asks far too much is refused. What was found is kept for a while. It
mutates, and lives in the event loop.
"""

import asyncio
import sys
from collections import Counter
from typing import Final

from rookery.bots.asking import write
from rookery.bots.studying import Studied, Study, read_studied
from rookery.runtime.worker import Worker, WorkerKind
from rookery.runtime.workers import Workers
from rookery.server.web.hall_desk import busy

MILLIS: Final = 1_000  # to look around
GLANCE: Final = 250  # … where a whole game is gone through
PROVING: Final = 40_000  # more where an end can be proved; sixteen free squares took 25 s at most
GRACE: Final = 5.0  # seconds more to answer, as the process gets what time others leave
STARTING: Final = 30.0  # seconds more for the first answer, on a busy machine
MEGABYTES: Final = 768
NICE: Final = 19  # below everybody
LINE_MAX: Final = 16_384  # bytes of an answer
WAITING_A_HOST: Final = 40  # studies of one host; a long game has sixty moves, and asks one by one
WAITING_MAX: Final = 200
KEPT: Final = 5_000  # answers, about a kilobyte each
COMMAND: Final = (sys.executable, "-m", "rookery.runtime.analyst", str(MEGABYTES))


class PositionStudy:
    """Has positions studied, and keeps what was found."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        kind = WorkerKind(command, "study", STARTING, LINE_MAX, nice=NICE)
        self._workers = Workers(kind, 1)
        self.close = self._workers.close
        self._known: dict[Study, Studied] = {}
        self._waiting: Counter[str] = Counter()  # by host
        self._turns: dict[str, asyncio.Lock] = {}

    async def look_into(self, wanted: Study, host: str) -> Studied:
        """Study this position, or return what is known of it. Raises Trouble, AllFailed."""
        known = self._known.get(wanted)
        if known is not None:
            return known
        if self._waiting[host] >= WAITING_A_HOST or self._waiting.total() >= WAITING_MAX:
            raise busy()
        self._waiting[host] += 1
        try:
            async with self._turns.setdefault(host, asyncio.Lock()):
                found = self._known.get(wanted) or await self._asked(wanted)
        finally:
            self._waiting[host] -= 1
            if not self._waiting[host]:
                del self._waiting[host]
                self._turns.pop(host, None)
        if len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[wanted] = found
        return found

    async def _asked(self, wanted: Study) -> Studied:
        patience = (wanted.millis + wanted.proving) / 1000 + GRACE

        async def look(worker: Worker) -> Studied:
            return await worker.ask(write(wanted), patience, read_studied)

        return await self._workers.use(look, f"studies {wanted.variant}")
