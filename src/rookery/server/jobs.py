"""Work that takes too long for the event loop: rounds to pair, positions to study, snapshots.

Each kind has processes of its own (`worker_main.py`), below the server in priority, so that
everyone plays on meanwhile. All of this lives in the event loop.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from threading import Event
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
from rookery.server.config import IN_MEMORY
from rookery.server.hall_log import SnapshotMade
from rookery.server.web.hall_client import busy
from rookery.server.workers import AllFailed, Worker, WorkerFailed, WorkerKind, WorkerPool

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

SNAPSHOT_COMMAND: Final = (*WORKER_MAIN, "snapshot")
SNAPSHOT_NICE: Final = 19  # below everybody
SNAPSHOT_TIMEOUT_S: Final = 3600.0  # the first of a log that never had one takes long
COMPLAINTS_MAX: Final = 4_000  # bytes that are logged of what its process writes to stderr
# Records of the hall's own stream, each about 15 µs of the next start; half of a second at most.
SNAPSHOT_EVERY: Final = 20_000

MakeSnapshot = Callable[[str], Awaitable[SnapshotMade]]  # of the log that is here

_pairs: Final[msgspec.json.Decoder[Pairs | None]] = msgspec.json.Decoder(Pairs | None)


def pairing_timeout_s(entrants: int) -> float:
    """How long a process may pair for this many: ten times what it should take."""
    return 60.0 + entrants**2 / 1000


class Pairer:
    """Has rounds paired, one after the other, and passes each result to `told`.

    A process that dies, hangs or writes nonsense is named in the server's log, and another tries
    the same round. If that fails too, a thread of the server itself pairs it, which makes everyone
    slower but stops nobody; if even that raises, the hall learns that nobody could.
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

        async def ask(worker: Worker) -> Pairs | None:
            seconds = self._timeout_s(len(wish.puzzle.entrants))
            return await worker.ask(write(wish.puzzle), seconds, _pairs.decode)

        with contextlib.suppress(AllFailed):
            return Solved(await self._workers.use(ask, f"pairs {what}"))
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
        """Study this in the host's turn, or with another request for the same."""
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
        """Take all waiters for the same study out of their lines."""
        same = [one for line in self._lines.values() for one in line if one.wanted == wanted]
        for host, line in list(self._lines.items()):
            left = deque(one for one in line if one.wanted != wanted)
            if left:
                self._lines[host] = left
            else:
                del self._lines[host]
        return same

    def _leave(self, waiter: _StudyWaiter, host: str) -> None:
        """Forget a waiter that was answered, or is gone."""
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

        async def ask(worker: Worker) -> Studied:
            return await worker.ask(write(wanted), timeout_s, read_studied)

        return await self._workers.use(ask, f"studies {wanted.variant}")


def _is_long(wanted: Study) -> bool:
    """Whether it takes more than a glance."""
    return wanted.millis + wanted.proving > GLANCE_MS


async def snapshot_by_process(
    data: str, command: tuple[str, ...] = SNAPSHOT_COMMAND, timeout_s: float = SNAPSHOT_TIMEOUT_S
) -> SnapshotMade:
    """Have a process make a snapshot of the log that is here. Raises WorkerFailed.

    It is started and waited for in a thread. The event loop starts all other workers, but uvloop
    forks, which takes as long as the server is large: 35 ms of CPU for 700 MB, in which nobody is
    served. Python's own way shares the memory until the new program runs, and takes half a
    millisecond, whatever the size.
    """
    started: list[subprocess.Popen[bytes]] = []
    over = Event()
    work = asyncio.create_task(
        asyncio.to_thread(_run_snapshot, data, command, timeout_s, started, over)
    )
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        over.set()  # before we look: it may be about to start
        for process in started:
            process.kill()
        with contextlib.suppress(WorkerFailed):
            await work  # which ends with the process
        raise
    except RuntimeError as wrong:  # the system has no thread for it, as it may have no process
        over.set()
        raise WorkerFailed(f"could not be started: {wrong}") from None


def _run_snapshot(
    data: str,
    command: tuple[str, ...],
    timeout_s: float,
    started: list[subprocess.Popen[bytes]],
    over: Event,
) -> SnapshotMade:
    """Start the process, ask it, and wait until it is gone; in the thread."""
    try:
        process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as wrong:
        raise WorkerFailed(f"could not be started: {wrong.strerror}") from None
    started.append(process)
    with process:
        if over.is_set():
            process.kill()
        with contextlib.suppress(OSError):  # it may be gone already
            os.setpriority(os.PRIO_PROCESS, process.pid, SNAPSHOT_NICE)
        try:
            said, complaints = process.communicate(msgspec.json.encode(data) + b"\n", timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            _log_complaints(process.communicate()[1])
            raise WorkerFailed(f"did not answer in {timeout_s:.0f} s") from None
    if not over.is_set():
        _log_complaints(complaints)
    if not said:
        raise WorkerFailed("died")
    try:
        return msgspec.json.decode(said, type=SnapshotMade)
    except msgspec.DecodeError as wrong:
        raise WorkerFailed(f"cannot be talked to: {wrong}") from None


def _log_complaints(complaints: bytes) -> None:
    """Put the process's complaints into the server's log; of long ones only the end."""
    if words := complaints[-COMPLAINTS_MAX:].decode(errors="replace").strip():
        log.warning("a process that makes a snapshot said: %s", words)


class Snapshots:
    """Has a snapshot made of the log here, whenever it has enough new records of the hall's own.

    `own_records` says how many the hall has, and `covered` how many the last snapshot reaches to.
    A process reads the log, as any may while a server writes to it, and keeps the snapshot with it.
    If the process dies or fails, the server's log says so, and the next snapshot is tried when it
    would be due.
    """

    def __init__(
        self,
        data: str,
        own_records: Callable[[], int],
        covered: int,
        every: int = SNAPSHOT_EVERY,
        make: MakeSnapshot = snapshot_by_process,
    ) -> None:
        self._data = data
        self._own_records = own_records
        self._every = every
        self._over = data == IN_MEMORY  # nothing is made any more
        self._due = covered + every  # the next is made when the hall has this many own records
        self._make_one = make
        self._making: asyncio.Task[None] | None = None

    def wrote(self, _: Sequence[Record] = ()) -> None:
        """Make a snapshot, if there are enough new records; to be called when there may be."""
        if self._own_records() >= self._due and self._making is None and not self._over:
            self._making = asyncio.create_task(self._make())

    async def close(self) -> None:
        """Make no more; a snapshot that is half made is left, and nobody takes it for whole."""
        self._over = True
        if self._making is not None:
            self._making.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._making

    async def _make(self) -> None:
        own = self._own_records()  # the snapshot reaches so far, or nearly
        try:
            made = await self._make_one(self._data)
            if made.why:
                log.warning("no snapshot could be made: %s", made.why)
            else:
                log.info("made a snapshot up to record %d", made.seq)
        except WorkerFailed as how:
            log.warning("a process that makes a snapshot %s", how)
        self._due = own + self._every
        self._making = None
