"""The scribe: the one thread that writes the log, so that a slow disk keeps nobody waiting.

It is given records, makes them safe, and says so in the event loop. A queue and a word
back are all it needs: an executor's futures, with their locks and chains of callbacks,
cost 60 µs of CPU more a write, which at a single table is a tenth of a whole move.

Where the store can, rows are inserted in the event loop, and only the disk is waited for in
the thread: two threads that both compute take turns at the interpreter, which costs more than
the rows do.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

from rookery.core.events import Record
from rookery.store import Staging, Store

Written = Callable[[list[Record], BaseException | None], None]  # with what went wrong, if it did


class Writer(Protocol):
    """A scribe, as the keeper knows it."""

    def write(self, records: list[Record]) -> None:
        """Make these safe, and say so in the event loop."""
        ...

    def let_go(self) -> None:
        """Wait for what was given so far, and write no more."""
        ...


class Scribe:
    """Writes what it is given, one batch after the other; made in the event loop."""

    def __init__(self, store: Store, written: Written) -> None:
        self._store = store
        self._staging = store if isinstance(store, Staging) else None
        self._written = written
        self._loop = asyncio.get_running_loop()
        self._work: SimpleQueue[tuple[list[Record], Callable[[], None]] | None] = SimpleQueue()
        # A daemon: one that nobody let go must not keep the process.
        self._thread = Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, records: list[Record]) -> None:
        """Make these safe; `written` is told in the event loop, whatever comes of it."""
        staging = self._staging
        try:
            staged = staging is not None and staging.stage(records)
        except BaseException as wrong:  # noqa: BLE001 # whoever gave it must hear of it
            self._loop.call_soon(self._written, records, wrong)
            return
        append = partial(self._store.append, records)
        self._work.put((records, staging.commit if staging is not None and staged else append))

    def let_go(self) -> None:
        """Wait for what was given so far, and write no more."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            (records, make_safe), failure = work, None
            try:
                make_safe()
            except BaseException as wrong:  # noqa: BLE001 # whoever gave it must hear of it
                failure = wrong
            self._loop.call_soon_threadsafe(self._written, records, failure)
