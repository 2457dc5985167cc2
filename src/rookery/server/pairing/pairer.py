"""The pairer: has rounds paired in a process, one after the other, and brings them back.

While it waits everyone else plays on. A process that dies, hangs or talks nonsense is named
in the server's log, and another tries the same round. If that fails too, the round is
paired in a thread of the server itself, which makes everyone slower but nobody stand still;
if even that raises, the hall is told that nobody could. It mutates, and lives in the event
loop.
"""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Sequence
from typing import Final

from rookery.core.events import Record, TourOpened
from rookery.core.tour_values import Pairs
from rookery.hall.batch import Wish
from rookery.hall.tours.formats.dutch import solve
from rookery.hall.tours.formats.swiss import Swiss
from rookery.hall.tours.running.rounds import Solved
from rookery.runtime.worker import Worker, WorkerKind
from rookery.runtime.workers import AllFailed, Workers
from rookery.server.pairing.worker import READY, read_pairs, write

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "rookery.server.pairing.worker")
NICE: Final = 5  # after the server, before bots: a whole tour waits for it
STARTING: Final = 30.0  # seconds for a process to be ready, on a busy machine
LINE_MAX: Final = 1 << 20  # bytes of an answer; a round of 600 has 3,000

Told = Callable[[Wish, Solved], None]


def patience(entrants: int) -> float:
    """Seconds until a process that pairs so many counts as hung: ten times what it should take."""
    return 60.0 + entrants**2 / 1000


def _see(task: asyncio.Task[None]) -> None:
    """Raise what went wrong in this task: nobody else waits for it."""
    if not task.cancelled():
        task.result()


class Pairer:
    """Has rounds paired, and tells `told` the result. No process runs before there is a need."""

    def __init__(
        self,
        told: Told,
        command: tuple[str, ...] = COMMAND,
        patience: Callable[[int], float] = patience,
    ) -> None:
        self._told = told
        self._patience = patience
        kind = WorkerKind(command, "pair", STARTING, LINE_MAX, ready=READY, nice=NICE)
        self._workers = Workers(kind, 1)
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._working: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None

    @property
    def process(self) -> int | None:
        """The id of the process that pairs; None if none runs."""
        return next(iter(self._workers.pids), None)

    def want(self, wish: Wish) -> None:
        """Have this round paired, after all that were wanted before."""
        self._wishes.put_nowait(wish)
        if self._working is None:
            self._working = asyncio.create_task(self._work())
            self._working.add_done_callback(_see)

    def wrote(self, records: Sequence[Record]) -> None:
        """Start a process if these records open a tour that will have rounds to pair."""
        for record in records:
            event = record.event
            if isinstance(event, TourOpened) and event.plan.format.split()[0] == Swiss.name:
                self.warm()

    def warm(self) -> None:
        """Have a process at hand: to start one takes half a second and more."""
        if self._warming is None and self._working is None:
            self._warming = asyncio.create_task(self._workers.warm())

    async def close(self) -> None:
        """Stop pairing; the hall wishes for what was wanted again after the next start."""
        for task in (self._working, self._warming):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self._workers.close()

    async def _work(self) -> None:
        while True:
            wish = await self._wishes.get()
            found = await self._pair(wish)
            self._told(wish, found)

    async def _pair(self, wish: Wish) -> Solved:
        what = f"tour {wish.tour} with {len(wish.puzzle.entrants)} entrants"

        async def have(worker: Worker) -> Pairs | None:
            seconds = self._patience(len(wish.puzzle.entrants))
            return await worker.ask(write(wish.puzzle), seconds, read_pairs)

        with contextlib.suppress(AllFailed):
            return Solved(await self._workers.use(have, f"pairs {what}"))
        log.warning("pairing %s in the server itself, which slows everyone down meanwhile", what)
        try:
            return Solved(await asyncio.to_thread(solve, wish.puzzle))
        except Exception:
            log.exception("nobody could pair %s; it is paused", what)
            return Solved(failed=True)
