"""The store in one SQLite file: write-ahead log, `synchronous=FULL`, a batch a transaction.

The file that was opened must stay the one at its path (`place.py`). Exactly one connection
writes and checkpoints: SQLite before 3.51.3 can lose a reset of its log when two do. Reading
has a connection of its own (`reading.py`), so that one thread may read while another appends.

`append` is the plain way. A caller with a thread to wait for the disk may `stage` a batch,
which waits for nothing, and let the thread `commit` it: in two threads that need the
interpreter both, inserting rows costs twice what it costs in one.
"""

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from rookery.core.events import Record
from rookery.store import StoreBroken, StoreFailed, follow
from rookery.store.catalogue import file_away
from rookery.store.file.lock import lock_store, lock_writer
from rookery.store.file.making import connect, make_log, prepare, see_it_is_ours
from rookery.store.file.place import StorePlace
from rookery.store.file.wal_check import see_nothing_lost
from rookery.store.file.wal_room import make_room
from rookery.store.reading_through import ReadingThrough
from rookery.store.sqlite.bookmark import BOOKMARK_EVERY, WAY_OUT
from rookery.store.sqlite.reading import SqliteLog, plainly
from rookery.store.sqlite.stream_tips import Tip, Tips

STAGED_MAX: Final = 256  # records that are inserted while others wait: a millisecond
LOCK_PATIENCE: Final = 5_000  # milliseconds that `append` waits for others who write to the file

_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteStore(ReadingThrough):
    """The one writer of the store in this file, which is made if there is none.

    `room`: bytes that the file beside it has from the start. Raises StoreLocked, StoreForeign,
    StoreBroken and StoreFailed.
    """

    def __init__(
        self,
        path: Path,
        *,
        bookmark_every: int = BOOKMARK_EVERY,
        kind: type[sqlite3.Connection] = sqlite3.Connection,
        room: int = 0,
    ) -> None:
        self._path = path.resolve()
        with ExitStack() as opened, plainly(self._path):
            opened.enter_context(lock_writer(self._path))
            if not self._path.exists():
                make_log(self._path)
            opened.enter_context(lock_store(self._path))
            see_nothing_lost(self._path)
            see_it_is_ours(self._path, kind)
            self._writing = connect(self._path, kind)
            opened.enter_context(closing(self._writing))
            prepare(self._writing, self._path)
            self._wait_at_most(0)
            with suppress(sqlite3.Error):  # a full disk is noticed at the first write
                self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                make_room(self._path, room)
            self._tips = Tips(self._writing, bookmark_every)
            self._log = opened.enter_context(closing(SqliteLog(self._path, kind)))
            self._last = self._log.last_seq()
            if self._last < self._tips.bookmark:
                raise StoreBroken(
                    f"{self._path} is damaged: it had {self._tips.bookmark} records, and the last "
                    f"there is has number {self._last}; {WAY_OUT}."
                )
            self._place = StorePlace(self._path)
            self._opened = opened.pop_all()  # which closes in reverse, the lock last
        self._appending = threading.Lock()
        self._staged: tuple[int, dict[str, Tip]] | None = None  # its last record, and its tips
        self._lost = False  # the last batch was written to a file that nobody will find
        self._closed = False

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; try the same again."""
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            self._place.check()
            if self._lost and records and records[-1].seq == self._last:
                self._lost = False  # the file is back, and the records are in it
                return
            assert follow(records, self._last), "records are numbered without a gap"
            if records:
                self._wait_at_most(LOCK_PATIENCE)
                self._write(records)
                self._check_after()
        finally:
            self._wait_at_most(0)
            self._appending.release()

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`, without waiting; False: `append` must do it.

        False if there are many, or a bookmark is due, or anything is not as it should be.
        """
        assert not self._closed, "a closed store takes no records"
        if self._lost or not 0 < len(records) <= STAGED_MAX or self._tips.due(records[-1].seq):
            return False
        if not self._appending.acquire(blocking=False):
            return False
        try:
            assert follow(records, self._last), "records are numbered without a gap"
            self._staged = (records[-1].seq, self._insert(records))
        except sqlite3.Error:
            return False
        finally:
            if self._staged is None:
                self._roll_back()
                self._appending.release()
        return True

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises StoreFailed; then nothing is staged."""
        assert self._staged is not None, "something was staged before"
        (last, tips), self._staged = self._staged, None
        try:
            self._place.check()
            self._writing.execute("COMMIT")
            self._last = last
            self._tips.moved(tips)
            self._check_after()
        except sqlite3.Error as error:
            raise StoreFailed(f"{self._path} cannot be written: {error}.") from error
        finally:
            self._roll_back()
            self._appending.release()

    def close(self) -> None:
        """Put everything into the one file, and let the next writer in."""
        if self._closed:
            return
        self._closed = True
        # If the disk fails now, what was acknowledged is still safe beside the file.
        with suppress(sqlite3.Error, StoreFailed):
            self._wait_at_most(LOCK_PATIENCE)
            self._bookmark()
        with suppress(sqlite3.Error):
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._opened.close()

    def _bookmark(self) -> None:
        """Move the bookmark to the end, so that it shows if records get lost there."""
        if self._last > self._tips.bookmark:
            self._writing.execute("BEGIN IMMEDIATE")
            try:
                self._tips.write_bookmark(self._last, {})
                self._writing.execute("COMMIT")
            finally:
                self._roll_back()

    def _check_after(self) -> None:
        """Check that what was written is in the file at our path. Raises StoreFailed."""
        try:
            self._place.check()
        except StoreFailed:
            self._lost = True
            raise

    def _write(self, records: Sequence[Record]) -> None:
        last = records[-1].seq
        try:
            tips = self._insert(records)
            bookmark = self._tips.due(last)
            if bookmark:
                self._tips.write_bookmark(last, tips)
            self._writing.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise StoreFailed(f"{self._path} cannot be written: {error}.") from error
        except BaseException:
            self._roll_back()
            raise
        self._last = last
        self._tips.moved(tips)
        if bookmark:
            self._tips.bookmarked(last)

    def _insert(self, records: Sequence[Record]) -> dict[str, Tip]:
        """Begin a transaction with these records; return the tips it will lead to."""
        rows, tips = self._tips.link(records)
        self._writing.execute("BEGIN IMMEDIATE")
        self._writing.executemany(_INSERT, rows)
        file_away(self._writing, records)
        return tips

    def _wait_at_most(self, milliseconds: int) -> None:
        """Set how long to wait for others who write to the file."""
        self._writing.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def _roll_back(self) -> None:
        """Roll a half batch back, unless SQLite has done so by itself."""
        if self._writing.in_transaction:
            with suppress(sqlite3.Error):
                self._writing.execute("ROLLBACK")
