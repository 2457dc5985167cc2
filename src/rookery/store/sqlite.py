"""The store in one SQLite file: write-ahead log, `synchronous=FULL`, a batch a transaction.

Exactly one connection writes and checkpoints: SQLite before 3.51.3 can lose a reset of
its log when two do. Reading has a connection of its own (`reading.py`), so that one
thread may read while another appends.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreFailed, follow
from rookery.store.catalogue import Finding, Finished, file_away
from rookery.store.lock import lock_writer
from rookery.store.reading import SqliteLog, plainly
from rookery.store.schema import MIGRATIONS, migrate, version_of
from rookery.store.tips import Tips

# Records between bookmarks. More make a bookmark cheaper, and reading one stream dearer:
# it looks through what is younger than the bookmark, about 0.1 µs a record.
BOOKMARK_EVERY: Final = 20_000

_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)"


class SqliteStore:
    """The one writer of the store in this file, which is made if there is none.

    Raises StoreLocked, StoreTooNew, StoreBroken and StoreFailed.
    """

    def __init__(self, path: Path, *, bookmark_every: int = BOOKMARK_EVERY) -> None:
        self._path = path.resolve()
        with ExitStack() as opened, plainly(self._path):
            opened.enter_context(lock_writer(self._path))
            self._writing = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False
            )
            opened.enter_context(closing(self._writing))
            _prepare(self._writing, self._path)
            self._tips = Tips(self._writing, bookmark_every)
            self._log = opened.enter_context(closing(SqliteLog(self._path)))
            self._last = self._log.last_seq()
            self._opened = opened.pop_all()  # which closes in reverse, the lock last
        self._appending = threading.Lock()
        self._closed = False

    def append(self, records: Sequence[Record]) -> None:
        """Make these safe, all or none. Raises StoreFailed; the same may be tried again."""
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            assert follow(records, self._last), "records are numbered without a gap"
            if records:
                self._write(records)
        finally:
            self._appending.release()

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        return self._log.read(after, stream)

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All of one stream; empty where there is none."""
        return self._log.read_stream(stream)

    def unfinished(self) -> Iterator[Record]:
        """What a restart needs, in order: every stream that no record has ended."""
        return self._log.unfinished()

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._log.last_seq()

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._log.last_table()

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._log.last_at()

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        return self._log.finished(wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Where a player sat and did not leave before the start, the highest number first."""
        return self._log.tables_of(player, below, limit)

    def close(self) -> None:
        """Put everything into the one file, and let the next writer in."""
        if self._closed:
            return
        self._closed = True
        # If the disk fails now, what was acknowledged is still safe beside the file.
        with suppress(sqlite3.Error):
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._opened.close()

    def _write(self, records: Sequence[Record]) -> None:
        last = records[-1].seq
        try:
            rows, tips = self._tips.link(records)
            self._writing.execute("BEGIN IMMEDIATE")
            self._writing.executemany(_INSERT, rows)
            file_away(self._writing, records)
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

    def _roll_back(self) -> None:
        """Forget the half of a batch, where SQLite has not done so by itself."""
        if self._writing.in_transaction:
            with suppress(sqlite3.Error):
                self._writing.execute("ROLLBACK")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make this the connection that writes, to a file of the newest schema."""
    version_of(connection, len(MIGRATIONS))  # before anything is changed in it
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"{path} is on a disk that SQLite's write-ahead log cannot use.")
    connection.execute("PRAGMA synchronous = FULL")
    migrate(connection, MIGRATIONS)
