"""Work that takes too long for the event loop: rounds to pair, and positions to study.

Each kind has processes of its own (`workers.py`), below the server in priority, so that everyone
plays on meanwhile. All of this lives in the event loop.
"""

import asyncio
import contextlib
import logging
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec

from rookery.bots.asking import write
from rookery.bots.studying import Studied, Study, read_studied
from rookery.core.events import Record, TourOpened
from rookery.core.tour_values import Pairs
from rookery.hall.batch import Wish
from rookery.hall.tours.formats.dutch import solve
from rookery.hall.tours.formats.swiss import Swiss
from rookery.hall.tours.running.rounds import Solved
from rookery.server.web.hall_client import busy
from rookery.server.workers import AllFailed, Worker, WorkerKind, WorkerPool

log = logging.getLogger(__name__)

Told = Callable[[Wish, Solved], None]

WORKER_MAIN: Final = (sys.executable, "-m", "rookery.server.worker_main")

PAIR_COMMAND: Final = (*WORKER_MAIN, "pair")
PAIR_NICE: Final = 5  # after the server, before bots: a whole tour waits for it
PAIR_START_S: Final = 30.0  # for a process to be ready, on a busy machine
PAIR_LINE_MAX: Final = 1 << 20  # bytes of an answer; a round of 600 has 3,000

STUDY_MS: Final = 1_000  # to look around
GLANCE_MS: Final = 250  # … where a whole game is gone through
PROVING_MS: Final = 40_000  # more where an end can be proved; 16 free squares took 25 s at most
STUDY_GRACE_S: Final = 5.0  # more to answer, as the process gets what time others leave
STUDY_START_S: Final = 30.0  # more for the first answer, on a busy machine
STUDY_MEGABYTES: Final = 768
STUDY_NICE: Final = 19  # below everybody
STUDY_LINE_MAX: Final = 16_384  # bytes of an answer
STUDIES_A_HOST: Final = 40  # waiting; a long game has sixty moves, and the page asks one by one
STUDIES_MAX: Final = 200  # waiting
STUDIES_KEPT: Final = 5_000  # answers, about a kilobyte each
STUDY_COMMAND: Final = (*WORKER_MAIN, "study", str(STUDY_MEGABYTES))

_pairs: Final[msgspec.json.Decoder[Pairs | None]] = msgspec.json.Decoder(Pairs | None)


def pairing_timeout_s(entrants: int) -> float:
    """How long a process may pair for this many: ten times what it should take."""
    return 60.0 + entrants**2 / 1000


class Pairer:
    """Has rounds paired, one after the other, and passes each result to `told`.

    A process that dies, hangs or writes nonsense is named in the server's log, and another tries
    the same round. If that fails too, a thread of the server itself pairs it, which makes everyone
    slower but stops nobody; if even that raises, the hall is told that nobody could.
    """

    def __init__(
        self,
        told: Told,
        command: tuple[str, ...] = PAIR_COMMAND,
        timeout_s: Callable[[int], float] = pairing_timeout_s,
    ) -> None:
        self._told = told
        self._timeout_s = timeout_s
        kind = WorkerKind(
            command, "pair", PAIR_START_S, PAIR_LINE_MAX, ready=b"ready", nice=PAIR_NICE
        )
        self._workers = WorkerPool(kind, 1)
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._working: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None

    @property
    def process(self) -> int | None:
        """The id of the process that pairs; None if none runs."""
        return next(iter(self._workers.pids), None)

    def want(self, wish: Wish) -> None:
        """Have this round paired, after those that were asked for before."""
        self._wishes.put_nowait(wish)
        if self._working is None:
            self._working = asyncio.create_task(self._work())
            self._working.add_done_callback(_raise_mistake)

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
        """Stop pairing; after the next start the hall asks again for what is left."""
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
            seconds = self._timeout_s(len(wish.puzzle.entrants))
            return await worker.ask(write(wish.puzzle), seconds, _pairs.decode)

        with contextlib.suppress(AllFailed):
            return Solved(await self._workers.use(have, f"pairs {what}"))
        log.warning("pairing %s in the server itself, which slows everyone down meanwhile", what)
        try:
            return Solved(await asyncio.to_thread(solve, wish.puzzle))
        except Exception:
            log.exception("nobody could pair %s; it is paused", what)
            return Solved(failed=True)


def _raise_mistake(task: asyncio.Task[None]) -> None:
    """Raise what went wrong in this task: nobody awaits it."""
    if not task.cancelled():
        task.result()


class PositionStudy:
    """Has positions studied, for one host after the other, and keeps what was found.

    There are two queues: a glance takes a quarter of a second, and need not wait for a study that
    tries for forty to prove its result. In each, one study is under way at a time, and hosts take
    turns; a host that asks far too much is refused. What two ask for is studied once. A study that
    nobody waits for any longer never begins, and a long one that is under way ends.
    """

    def __init__(self, command: tuple[str, ...] = STUDY_COMMAND) -> None:
        kind = WorkerKind(command, "study", STUDY_START_S, STUDY_LINE_MAX, nice=STUDY_NICE)
        self._workers = WorkerPool(kind, 2)
        self.close = self._workers.close
        self._known: dict[Study, Studied] = {}
        self._waiting: Counter[str] = Counter()  # by host
        self._glances, self._long = _StudyQueue(self._workers), _StudyQueue(self._workers)

    async def look_into(self, wanted: Study, host: str) -> Studied:
        """Study this position, or return what is known of it. Raises HttpProblem, AllFailed."""
        known = self._known.get(wanted)
        if known is not None:
            return known
        if self._waiting[host] >= STUDIES_A_HOST or self._waiting.total() >= STUDIES_MAX:
            raise busy()
        self._waiting[host] += 1
        try:
            queue = self._long if _is_long(wanted) else self._glances
            found = await queue.study(wanted, host)
        finally:
            self._waiting[host] -= 1
            if not self._waiting[host]:
                del self._waiting[host]
        if len(self._known) >= STUDIES_KEPT:
            del self._known[next(iter(self._known))]
        self._known[wanted] = found
        return found


class _StudyWaiter:
    """A request that waits for a study."""

    def __init__(self, wanted: Study) -> None:
        self.wanted = wanted
        self.answer: asyncio.Future[Studied] = asyncio.get_running_loop().create_future()


class _StudyQueue:
    """Studies of one kind, one at a time; hosts take turns."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._lines: dict[str, deque[_StudyWaiter]] = {}  # by host; the next turn is the first's
        self._last = ""  # the host that had the last turn
        self._served: list[_StudyWaiter] = []  # those that wait for the study under way
        self._task: asyncio.Task[Studied] | None = None  # which is this

    async def study(self, wanted: Study, host: str) -> Studied:
        """Study this in the host's turn, or wait for another who asks the same."""
        waiter = _StudyWaiter(wanted)
        if self._served and self._served[0].wanted == wanted:
            self._served.append(waiter)
        else:
            self._lines.setdefault(host, deque()).append(waiter)
            self._go_on()
        try:
            return await waiter.answer
        finally:
            self._leave(waiter, host)

    def _go_on(self) -> None:
        """Begin the next study, unless one is under way."""
        if self._task is not None or not self._lines:
            return
        self._last = host = next((one for one in self._lines if one != self._last), self._last)
        line = self._lines.pop(host)
        wanted = line.popleft()
        if line:
            self._lines[host] = line  # behind all others
        self._served = [wanted, *self._take(wanted.wanted)]
        self._task = asyncio.get_running_loop().create_task(self._asked(wanted.wanted))
        self._task.add_done_callback(self._done)

    def _take(self, wanted: Study) -> list[_StudyWaiter]:
        """Take all who wait for the same out of their lines."""
        same = [one for line in self._lines.values() for one in line if one.wanted == wanted]
        for host, line in list(self._lines.items()):
            left = deque(one for one in line if one.wanted != wanted)
            if left:
                self._lines[host] = left
            else:
                del self._lines[host]
        return same

    def _leave(self, waiter: _StudyWaiter, host: str) -> None:
        """Forget somebody who was answered, or has gone."""
        if waiter in self._served:
            self._served.remove(waiter)
            if not self._served and self._task is not None and _is_long(waiter.wanted):
                self._task.cancel()  # which ends the process; a glance is over sooner
        elif (line := self._lines.get(host)) is not None and waiter in line:
            line.remove(waiter)
            if not line:
                del self._lines[host]

    def _done(self, task: "asyncio.Task[Studied]") -> None:
        served, self._served, self._task = self._served, [], None
        for one in served:
            if one.answer.done():
                continue
            if task.cancelled():
                one.answer.cancel()
            elif (wrong := task.exception()) is not None:
                one.answer.set_exception(wrong)
            else:
                one.answer.set_result(task.result())
        if not task.cancelled():
            task.exception()  # mark it as seen: perhaps nobody has waited for it
        self._go_on()

    async def _asked(self, wanted: Study) -> Studied:
        timeout_s = (wanted.millis + wanted.proving) / 1000 + STUDY_GRACE_S
        ask = partial(_ask, wanted, timeout_s)
        return await self._workers.use(ask, f"studies {wanted.variant}")


async def _ask(wanted: Study, timeout_s: float, worker: Worker) -> Studied:
    return await worker.ask(write(wanted), timeout_s, read_studied)


def _is_long(wanted: Study) -> bool:
    """Whether it takes more than a glance."""
    return wanted.millis + wanted.proving > GLANCE_MS
