"""The scribe: the one thread that writes the log, so that a slow disk keeps nobody waiting.

The scribe is given records, makes them safe, and says so in the event loop. A queue and a
word back are all it needs: an executor's futures, with their locks and chains of callbacks,
cost 60 µs of CPU more a write, which at a single table is a tenth of a whole move.

Where the store can, rows are inserted in the event loop, and only the disk is waited for in
the thread: two threads that both compute take turns at the interpreter, which costs more than
the rows do. And where one thing alone is written, nobody waits for anything else, and the disk
has been quick, the loop waits for the disk itself: to wake a thread and be woken by it costs
more than that, at a single table a fifth of a move. It mutates.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import perf_counter_ns
from typing import Final, Protocol

from rookery.core.events import Record
from rookery.store import Leased, Staging, Store

# Nanoseconds that the last commits took, about, for the loop to wait for one itself: a small part
# of what it may decide in one turn. What one commit counts for is bounded, so that it is forgotten.
QUICK: Final = 1_000_000
SLOW_MAX: Final = 100_000_000
WEIGHT: Final = 8  # a commit is one in so many of what is thought of the disk

Written = Callable[[list[Record], BaseException | None], None]  # and what went wrong, if any


class Writer(Protocol):
    """Makes records safe: a scribe, as the keeper knows it."""

    def write(self, records: list[Record], *, alone: bool) -> None:
        """Make these records safe, and say so in the event loop, at once or later.

        They are `alone` where nothing else waits to be decided, heard or told.
        """
        ...

    def let_go(self) -> None:
        """Finish the writes that were given so far, and take no more."""
        ...


class Scribe:
    """Writes the batches it is given, one after the other; made in the event loop."""

    def __init__(
        self, store: Store, written: Written, clock: Callable[[], int] = perf_counter_ns
    ) -> None:
        self._store = store
        self._staging = store if isinstance(store, Staging) else None
        self._written = written
        self._clock = clock  # nanoseconds
        self._near = not isinstance(store, Leased)  # what is elsewhere may fall silent for long
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
        staging = self._staging
        try:
            staged = staging is not None and staging.stage(records)
        except BaseException as wrong:  # noqa: BLE001 # the keeper must hear of it
            self._loop.call_soon(self._written, records, wrong)
            return
        if staging is None or not staged:
            self._beside(records, partial(self._store.append, records))
        elif alone and self._near and self._usual < QUICK:
            self._written(records, self._timed(staging.commit))
        else:
            self._beside(records, staging.commit)

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
        except BaseException as wrong:  # noqa: BLE001 # the keeper must hear of it
            failure = wrong
        self._note(self._clock() - began)
        return failure

    def _note(self, took: int) -> None:
        """Remember how long the disk took for one commit."""
        self._usual += (min(SLOW_MAX, took) - self._usual) // WEIGHT
