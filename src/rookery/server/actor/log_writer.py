"""The log, as the hall's runner uses it: one thread writes it, and a watch sees whether it answers.

`LogWriter` is given records, makes them safe, and says so in the event loop. A queue and a
callback are all it needs: an executor's futures, with their locks and chains of callbacks,
cost 60 µs of CPU more a write, which at a single table is a tenth of a whole move.

Where the store can, rows are inserted in the event loop, and only the disk is waited for in
the thread: two threads that both compute take turns at the interpreter, which costs more than
the rows do. And where one thing alone is written, nobody waits for anything else, and the disk
has been quick, the loop waits for the disk itself: to wake a thread and be woken by it costs
more than that, at a single table a fifth of a move.

A log that fails says so at once. One that hangs says nothing: a write that takes longer than
`SILENT` counts as one that hangs. `LogWatch` then stops time, and leaves what has passed since the
log last answered out of all clocks. A log on another machine is asked five times a second whether
it is there while anything is waited for, and no flag falls for a moment later than its last
answer: nothing of that could be kept or told.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import perf_counter_ns
from typing import Final, Protocol

from rookery.core.errors import Damaged
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.hall.hall import Hall
from rookery.server.fairtime import FairTime
from rookery.server.metrics import Histogram
from rookery.store import Log, Store

# Nanoseconds that the last commits took, about, for the loop to wait for one itself: a small part
# of what it may decide in one turn. What one commit counts for is bounded, so that it is forgotten.
QUICK: Final = 1_000_000
SLOW_MAX: Final = 100_000_000
WEIGHT: Final = 8  # a commit is one in so many of what is thought of the disk

Written = Callable[[list[Record], BaseException | None], None]  # and what went wrong, if any


class Writer(Protocol):
    """Makes records safe: the server's `LogWriter`, one that is timed, or a simulated one."""

    def write(self, records: list[Record], *, alone: bool) -> None:
        """Make these records safe, and say so in the event loop, at once or later.

        They are `alone` where nothing else waits to be decided, heard or told.
        """
        ...

    def let_go(self) -> None:
        """Finish the writes that were given so far, and take no more."""
        ...


class LogWriter:
    """Writes the batches it is given, one after the other; made in the event loop."""

    def __init__(
        self, store: Store, written: Written, clock: Callable[[], int] = perf_counter_ns
    ) -> None:
        self._store = store
        self._written = written
        self._clock = clock  # nanoseconds
        self._near = not store.leased  # what is elsewhere may fall silent for long
        self._usual = SLOW_MAX  # nanoseconds that a commit takes, as far as we have seen
        self._begin()

    def _begin(self) -> None:
        """Start the thread."""
        self._loop = asyncio.get_running_loop()
        self._work: SimpleQueue[tuple[list[Record], Callable[[], None]] | None] = SimpleQueue()
        # A daemon: one that nobody let go must not keep the process.
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, records: list[Record], *, alone: bool = False) -> None:
        """Make these records safe; `written` is told in the event loop, even if that fails."""
        try:
            staged = self._store.stage(records)
        except BaseException as wrong:  # noqa: BLE001 # the runner must hear of it
            self._loop.call_soon(self._written, records, wrong)
            return
        if not staged:
            self._beside(records, partial(self._store.append, records))
        elif alone and self._near and self._usual < QUICK:
            self._written(records, self._timed(self._store.commit))
        else:
            self._beside(records, self._store.commit)

    def _beside(self, records: list[Record], make_safe: Callable[[], None]) -> None:
        """Have the thread make these records safe."""
        self._work.put((records, make_safe))

    def let_go(self) -> None:
        """Wait until the writes that were given so far are done, and take no more."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            records, make_safe = work
            failure = self._timed(make_safe)
            self._loop.call_soon_threadsafe(self._written, records, failure)

    def _timed(self, make_safe: Callable[[], None]) -> BaseException | None:
        """Make a batch safe, and remember how long the disk took; return what went wrong."""
        began, failure = self._clock(), None
        try:
            make_safe()
        except BaseException as wrong:  # noqa: BLE001 # the runner must hear of it
            failure = wrong
        self._note(self._clock() - began)
        return failure

    def _note(self, took: int) -> None:
        """Remember how long the disk took for one commit."""
        self._usual += (min(SLOW_MAX, took) - self._usual) // WEIGHT


SILENT: Final[Micros] = 250_000  # a write takes milliseconds
LOOK_S: Final = 0.1  # between two looks at the write under way
PROBE: Final[Micros] = 200_000  # between two questions to a log that is elsewhere


class LogWatch:
    """What is known of whether the log answers.

    `probe` asks a log elsewhere; it is None where the log is on this machine.
    """

    def __init__(self, time: FairTime, hall: Hall, probe: Callable[[], None] | None) -> None:
        self._time, self._hall, self._probe = time, hall, probe
        self._loop = asyncio.get_running_loop()
        self._heard = time.now()  # when the log last answered
        self._began: Micros | None = None  # the write under way
        self._standing = False
        self._look: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Note that something is being written."""
        if self._began is None:
            self._began = self._time.now()
            if self._probe is None:
                self._heard = self._began
        self.watch()

    def answered(self) -> None:
        """Note that it was written: time passes again."""
        if self._standing:
            self._standing = False
            self._time.go_on()
        self._began, self._heard = None, self._time.now()

    def stand(self) -> None:
        """Let no time pass until the log answers, and leave out what has since it last did."""
        if not self._standing:
            self._standing = True
            now = self._time.now()
            self._time.stand()
            self._hall.leave_out(self._heard, now)

    def heard_until(self) -> Micros:
        """The moment up to which the log is known to have been there."""
        if self._began is None and self._probe is None:
            return self._time.now()
        return self._heard

    def watch(self) -> None:
        """Look again in a while, if anything is being written or waited for."""
        if self._look is None and (self._began is not None or self._probes()):
            self._look = self._loop.call_later(LOOK_S, self._look_at_it)

    def stop(self) -> None:
        """Watch no longer."""
        if self._look is not None:
            self._look.cancel()

    def _probes(self) -> bool:
        return self._probe is not None and self._hall.deadline() is not None

    def _look_at_it(self) -> None:
        self._look = None
        now = self._time.now()
        if self._began is not None:
            if now - self._began >= SILENT:
                self.stand()
        elif self._probe is not None and now - self._heard >= PROBE:
            self._probe()
        self.watch()


class Commits:
    """Measures how long one writer takes to make batches safe."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._since: Micros | None = None  # when what is under way was given to be written
        self._took = Histogram()

    def around(
        self, make: Callable[[Store, Written], Writer], store: Store, told: Written
    ) -> Writer:
        """Make a writer with `make`, and return it with a watch around it."""

        def written(records: list[Record], failure: BaseException | None) -> None:
            if failure is None and self._since is not None:
                if records:  # else it was only asked whether the log is there
                    self._took.add(self._clock() - self._since)
                self._since = None
            told(records, failure)

        return MeasuredWriter(self, make(store, written))

    def begin(self) -> None:
        """Start the watch, unless it runs: a write that is tried again is still the same write."""
        if self._since is None:
            self._since = self._clock()

    def samples(self) -> dict[str, float]:
        """What was measured, for Prometheus."""
        since = self._since
        lag = 0 if since is None else self._clock() - since
        found = {"rookery_log_lag_seconds": lag / MICROS_A_SECOND}
        return found | self._took.samples("rookery_commit_seconds")


class MeasuredWriter:
    """A writer whose writes are timed."""

    def __init__(self, commits: Commits, writer: Writer) -> None:
        self._commits = commits
        self._writer = writer
        self.let_go = writer.let_go

    def write(self, records: list[Record], *, alone: bool) -> None:
        """Make these records safe, and take the time."""
        self._commits.begin()
        self._writer.write(records, alone=alone)


log = logging.getLogger(__name__)


class ArchiveReader:
    """Reads one stream at a time back from the log, for a hall that no longer has it in memory.

    A stream that is damaged or cannot be read is logged once, with all that is known; the session
    that asked is told no more than that it is so.
    """

    def __init__(self, store: Log) -> None:
        self._store = store
        self._said: set[str] = set()

    def read(self, stream: str) -> Sequence[Record]:
        """Return all records of one stream; none if there is no such stream. Raises Damaged."""
        try:
            return self._store.read_stream(stream)
        except Damaged as wrong:
            if stream not in self._said:
                self._said.add(stream)
                log.error("%s cannot be read back: %s", stream, wrong)  # noqa: TRY400 # no mistake
            raise
