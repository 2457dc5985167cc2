"""The log in SQLite: in one file, with its write-ahead log synced at every commit, or in memory.

A record names the one `before` it in its stream (`sqlite_file.py` has the reason), so a stream is
read backwards along its chain, from its tip: the last record of it. The tips of running streams are
in the `bookmark`, a row that is moved now and then; those of streams that have ended are a row each
in `finished`, written once and for good. What is younger than the bookmark is looked through.

The file that was opened must stay the one at its path. Exactly one connection writes and
checkpoints: SQLite before 3.51.3 can lose a reset of its log when two do. Readers have a connection
that cannot write, which sees what is committed and nothing else, so that one thread may read while
another appends.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, LiteralString

import msgspec
from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.events import HALL_STREAM, Record, table_of
from rookery.store.catalogue import file_away
from rookery.store.log import (
    Follower,
    Link,
    Mark,
    Raw,
    StoreBroken,
    StoreFailed,
    first_seal,
    link,
    name_of,
    seal_bookmark,
)
from rookery.store.reader import STAGED_MAX, Log, Pieces, Sql, Store, follow
from rookery.store.snapshot import read_beside, write_beside
from rookery.store.sqlite_file import (
    StorePlace,
    check_schema,
    connect,
    connect_to_read,
    lock_store,
    lock_writer,
    make_log,
    make_room,
    make_schema,
    prepare,
    see_it_is_ours,
    see_nothing_lost,
)

# Records between bookmarks. More make a bookmark cheaper, and reading one stream dearer:
# it looks through what is younger than the bookmark, about 0.1 µs a record.
BOOKMARK_EVERY: Final = 20_000
LOCK_PATIENCE: Final = 5_000  # milliseconds that `append` waits for others who write to the file
TRIES: Final = 60  # at reading one seal, a second apart; then it is not the disk's bad moment
WAY_OUT: Final = "`rookery salvage` saves what can be saved"
MEMORY: Final = ":memory:"

# How SQLite fails on a damaged file; its own words may be damaged too, and then are no text.
FAULTS: Final = (sqlite3.DatabaseError, UnicodeError)

COLUMNS: Final = "seq, CAST(stream AS BLOB), n, at, ends, before, CAST(event AS BLOB), sum"
_ROWS: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? AND seq <= ? ORDER BY seq"  # noqa: S608
# The rows behind :after of the stream that ends in :tip, and all of those that end in :tips.
# A damaged `before` could lead on and not back, and then round for ever.
_CHAINS: Final = f"""
WITH RECURSIVE chain(seq, after) AS (
    SELECT value, 0 FROM json_each(:tips)
    UNION ALL
    SELECT :tip, :after WHERE :tip > :after
    UNION ALL
    SELECT before, after FROM chain JOIN records USING (seq) WHERE before > after AND before < seq
)
SELECT {COLUMNS} FROM records WHERE seq IN (SELECT seq FROM chain) ORDER BY seq
"""  # noqa: S608
_MARK: Final = "SELECT CAST(stream AS BLOB), n, sum FROM records WHERE seq = ?"
# The text of a name is asked for, because a damaged one may be no text.
_TIP: Final = """
SELECT (SELECT max(seq) FROM young WHERE CAST(stream AS TEXT) = :stream), tip, sum
FROM (SELECT 1) LEFT JOIN finished ON stream = :stream
"""
_HAS_ENDED: Final = "SELECT 1 FROM finished WHERE stream = ?"
_YOUNG: Final = f"SELECT {COLUMNS} FROM young ORDER BY seq"  # noqa: S608
_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SEAL: Final = "SELECT sum FROM records WHERE seq = ?"
_READ_BOOKMARK: Final = "SELECT seq, last_table, CAST(running AS BLOB), sum FROM bookmark"
_WRITE_BOOKMARK: Final = "UPDATE bookmark SET seq = ?, last_table = ?, running = ?, sum = ?"

SQL: Final = Sql(
    last_seq="SELECT coalesce(max(seq), 0) FROM records",
    last_table="""
SELECT max(last_table, coalesce((
    SELECT max(CAST(substr(stream, 7) AS INTEGER)) FROM young WHERE stream GLOB 'table/*'
), 0)) FROM bookmark
""",
    last_at="SELECT coalesce((SELECT at FROM records ORDER BY seq DESC LIMIT 1), 0)",
    finished="""
SELECT number, ended FROM catalogue WHERE status = :status AND ended > 0 AND ended < :below
""",
    of_a_game=" AND game = :game",
    of_a_tour=" AND tour = :tour",
    newest_first=" ORDER BY ended DESC LIMIT :limit",
    tables_of="""
SELECT number FROM sitters WHERE player = :player AND number < :below
ORDER BY number DESC LIMIT :limit
""",
    filed="SELECT number, game, tour, status, ended FROM catalogue",
    sitters="SELECT player, number FROM sitters",
)

_RUNNING: Final = msgspec.json.Decoder(dict[str, int])


class Bookmark(Struct, frozen=True):
    """Up to which record the file knows the tips of streams, and those that ran then."""

    seq: int
    last_table: int  # the highest number of a table up to there
    running: Mapping[str, int]  # the last record of each stream that no record had ended


def read_bookmark(connection: sqlite3.Connection) -> Bookmark:
    """Read the bookmark in this file. Raises StoreBroken if it is damaged."""
    found = connection.execute(_READ_BOOKMARK).fetchall()
    try:
        ((seq, last_table, running, said),) = found
        if seal_bookmark(seq, last_table, running) == said:
            return Bookmark(seq, last_table, _RUNNING.decode(running))
    except Exception as wrong:  # whatever a damaged row is
        raise StoreBroken(f"The bookmark of the log is damaged; {WAY_OUT}.") from wrong
    raise StoreBroken(f"The bookmark of the log is damaged; {WAY_OUT}.")


def write_bookmark(connection: sqlite3.Connection, bookmark: Bookmark) -> None:
    """Put this bookmark into the file, as part of the transaction under way."""
    running = msgspec.json.encode(bookmark.running)
    sealed = seal_bookmark(bookmark.seq, bookmark.last_table, running)
    row = (bookmark.seq, bookmark.last_table, running.decode(), sealed)
    connection.execute(_WRITE_BOOKMARK, row)


class Tips:
    """The last record of every stream. They belong to whoever appends."""

    def __init__(self, connection: sqlite3.Connection, every: int) -> None:
        self._connection = connection
        self._every = every  # records between bookmarks
        self._failed: dict[int, int] = {}  # how often the disk could not read a record's seal
        bookmark = read_bookmark(connection)
        self._bookmark = bookmark.seq
        self._last_table = bookmark.last_table
        self._unread = dict(bookmark.running)  # whose seals are looked up when they are needed
        self._tips: dict[str, Link] = {}  # and those that are known
        for seq, name, _, _, ends, _, _, sealed in connection.execute(_YOUNG):
            stream = name_of(name)
            sound = sealed if isinstance(sealed, int) else first_seal(stream)  # readers see damage
            self._tips[stream] = Link(seq, sound, bool(ends) or self._has_ended(stream))

    @property
    def bookmark(self) -> int:
        """The last record that the bookmark in the file knows of."""
        return self._bookmark

    def due(self, seq: int) -> bool:
        """Whether it is time for a bookmark once there are so many records."""
        return seq - self._bookmark >= self._every

    def write_bookmark(self, seq: int, moved: dict[str, Link]) -> None:
        """Put all tips into the file, in the transaction that writes up to `seq`."""
        tips = self._tips | moved
        running = {stream: tip for stream, tip in self._unread.items() if stream not in tips}
        running |= {stream: tip.seq for stream, tip in tips.items() if not tip.ended}
        write_bookmark(self._connection, Bookmark(seq, self._highest(tips), running))
        finished = [(stream, tip.seq, tip.sum) for stream, tip in tips.items() if tip.ended]
        self._connection.executemany("REPLACE INTO finished VALUES (?, ?, ?)", sorted(finished))

    def moved(self, tips: dict[str, Link]) -> None:
        """Note that these tips are written."""
        self._tips.update(tips)

    def bookmarked(self, seq: int) -> None:
        """Note that the bookmark is written, and forget streams that have ended."""
        self._bookmark = seq
        self._last_table = self._highest(self._tips)
        self._unread = {s: tip for s, tip in self._unread.items() if s not in self._tips}
        self._tips = {stream: tip for stream, tip in self._tips.items() if not tip.ended}

    def _highest(self, streams: Iterable[str]) -> int:
        """The highest number of a table, these streams' among them."""
        return max(self._last_table, *(table_of(stream) or 0 for stream in streams), 0)

    def _has_ended(self, stream: str) -> bool:
        tip = self._tips.get(stream)
        if tip is not None:
            return tip.ended
        return stream not in self._unread and self._finished(stream) is not None

    def find(self, stream: str) -> Link:
        """The stream's tip; from the file if we do not know it."""
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        seq = self._unread.get(stream)
        if seq is not None:
            return Link(seq, self._sealed(stream, seq))
        seq = self._finished(stream)
        if seq is not None:
            return Link(seq, self._sealed(stream, seq), ended=True)
        return Link(0, first_seal(stream))

    def _finished(self, stream: str) -> int | None:
        """The tip of a stream that ended before the bookmark."""
        found = self._connection.execute("SELECT tip FROM finished WHERE stream = ?", (stream,))
        row = found.fetchone()
        return None if row is None else row[0]

    def _sealed(self, stream: str, seq: int) -> int:
        """The seal of a stream's last record, from the file.

        If it cannot be read the stream is damaged, and readers will see that; that is no reason to
        write nothing more. But a disk that fails for a moment is no damage: a seal that is made up
        would be.
        """
        row = None
        try:
            row = self._connection.execute(_SEAL, (seq,)).fetchone()
        except sqlite3.OperationalError:
            self._failed[seq] = self._failed.get(seq, 0) + 1
            if self._failed[seq] < TRIES:
                raise
        except sqlite3.DatabaseError:
            pass
        return row[0] if row is not None and isinstance(row[0], int) else first_seal(stream)


class SqliteSource:
    """The records of one SQLite database, which may be damaged anywhere.

    Without a path it is in memory, where there is one connection for the writer and all readers.
    """

    sql = SQL

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.connection = connection
        # Who reads the writer's own connection would see half a batch.
        self.turn = threading.RLock() if path is None else nullcontext()
        self._path = path
        self._kept: bytes | None = None  # the snapshot, in memory

    def ask(self, sql: LiteralString, **values: object) -> list[Any]:  # Any: rows of the statement
        """All rows of this statement."""
        with reading(self._path), self.turn:
            return self.connection.execute(sql, values).fetchall()

    def mark(self, seq: int) -> Mark | None:
        """A record's stream, its place there and its seal, whatever they are; None: none."""
        with reading(self._path), self.turn:
            return self._mark(seq)

    def rows(self, after: int, last: int) -> Iterator[Raw]:
        """The rows of all records behind `after` up to `last`, in order."""
        with reading(self._path):
            yield from self._found(_ROWS, (after, last))

    def tip(self, stream: str) -> int:
        """The last record of this stream; 0 if there is none. Raises StoreBroken."""
        with reading(self._path), self.turn:
            young, tip, said = self.connection.execute(_TIP, {"stream": stream}).fetchone()
            if young is not None:
                return int(young)
            if tip is None:
                return read_bookmark(self.connection).running.get(stream, 0)
            found = self._mark(tip)
        if found is None or found[2] != said:
            raise StoreBroken(f"Where {stream} ends in the log is damaged.")
        return int(tip)

    def rows_of(self, stream: str, after: int, tip: int) -> Iterator[Raw]:  # noqa: ARG002 # a chain has no name
        """The rows of one stream behind `after` up to its `tip`, in order."""
        with reading(self._path):
            yield from self._chains((), tip, after)

    def running(self, known: int, damaged: dict[str, str]) -> tuple[dict[str, int], Iterator[Raw]]:
        """The streams that no record has ended, with their last records; and the rows of these.

        All records younger than the bookmark are looked at first: only they tell which streams run.
        If they cannot be read nobody could say what is missing, and that is an error.
        """
        with reading(self._path), self.turn:
            tips = self._running(damaged)
        return tips, self._rows_of_all(tips, known, damaged)

    def read_snapshot(self) -> bytes | None:
        """The bytes that `write_snapshot` kept last."""
        return self._kept if self._path is None else read_beside(self._path)

    def write_snapshot(self, seq: int, pieces: Pieces) -> None:  # noqa: ARG002 # it is in the bytes
        """Keep these bytes, in place of those before. Raises StoreFailed."""
        if self._path is None:
            self._kept = b"".join(pieces)
        else:
            for _ in write_beside(self._path, pieces):
                pass

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def _found(self, sql: str, values: Mapping[str, object] | Sequence[object]) -> Iterator[Any]:
        """The rows as they come; all at once where the writer has the same connection."""
        if self._path is not None:
            return self.connection.execute(sql, values)
        with self.turn:
            return iter(self.connection.execute(sql, values).fetchall())

    def _mark(self, seq: int) -> Mark | None:
        found: Mark | None = self.connection.execute(_MARK, (seq,)).fetchone()
        return found

    def _chains(self, tips: Iterable[int], tip: int = 0, after: int = 0) -> Iterator[Raw]:
        """The rows of the streams that end in `tips`, and of one only those behind `after`."""
        listed = msgspec.json.encode(list(tips)).decode()
        return self._found(_CHAINS, {"tips": listed, "tip": tip, "after": after})

    def _running(self, damaged: dict[str, str]) -> dict[str, int]:
        """The streams that run, and the last record of each."""
        bookmark = read_bookmark(self.connection)
        running = dict(bookmark.running)
        ended: set[str] = set()
        follower = Follower(self._mark)
        try:
            for row in self.connection.execute(_YOUNG):
                try:
                    follower.take(row)
                except StoreBroken as wrong:
                    for name in self._concerned(row[1], row[5]):
                        damaged.setdefault(name, str(wrong))
                running[name_of(row[1])] = row[0]
                if row[4]:
                    ended.add(name_of(row[1]))
            for stream in running.keys() - bookmark.running.keys():
                # What is said after a stream's end does not begin it again.
                if self.connection.execute(_HAS_ENDED, (stream,)).fetchone() is not None:
                    ended.add(stream)
        except sqlite3.ProgrammingError:
            raise  # our own mistake
        except FAULTS as wrong:
            raise StoreBroken(f"The newest records cannot be read: {wrong}; {WAY_OUT}.") from wrong
        return {stream: tip for stream, tip in running.items() if stream not in ended}

    def _concerned(self, stream: object, before: object) -> Iterator[str]:
        """The streams that a damaged record may be of: its own, and that of `before`."""
        yield name_of(stream)
        found = self._mark(before) if isinstance(before, int) else None
        if found is not None:
            yield name_of(found[0])

    def _rows_of_all(
        self, tips: Mapping[str, int], known: int, damaged: dict[str, str]
    ) -> Iterator[Raw]:
        """The rows of these streams in order; of the hall's own only those behind record `known`.

        Where SQLite cannot read on, the streams are read one by one, and only some are damaged.
        """
        reached, rest = 0, list[Raw]()
        others = [tip for stream, tip in tips.items() if stream != HALL_STREAM]
        try:
            for row in self._chains(others, tips.get(HALL_STREAM, 0), known):
                yield row
                reached = row[0]
        except sqlite3.ProgrammingError:
            raise  # our own mistake
        except FAULTS:
            for stream, tip in tips.items():
                try:
                    rows = self._chains((), tip, known if stream == HALL_STREAM else 0)
                    rest.extend(row for row in rows if row[0] > reached)
                except FAULTS as wrong:
                    damaged.setdefault(stream, f"It cannot be read: {wrong}.")
        yield from sorted(rest, key=itemgetter(0))


def open_for_reading(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> Log:
    """The log in this file, whether or not a server writes to it. Raises Mistake."""
    if not path.is_file():
        raise StoreFailed(f"There is no log at {path}.")
    return Log(open_source(path.resolve(), kind))


def open_source(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> SqliteSource:
    """Open this file to be read, by a connection that cannot write. Raises Mistake."""
    with plainly(path), ExitStack() as opened:
        connection = opened.enter_context(closing(connect_to_read(path, kind)))
        check_schema(connection)
        opened.pop_all()
        return SqliteSource(connection, path)


@contextmanager
def reading(path: Path | None) -> Iterator[None]:
    """Raise StoreBroken for what SQLite cannot read, be it the file's or the disk's fault."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except (sqlite3.Error, TypeError, ValueError) as error:
        if isinstance(error, Mistake):
            raise
        raise StoreBroken(f"{path or MEMORY} is damaged, or cannot be read: {error}.") from error


@contextmanager
def plainly(path: Path | None) -> Iterator[None]:
    """Raise what SQLite finds wrong with this file as a sentence of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except sqlite3.OperationalError as error:
        raise StoreFailed(f"{path} cannot be used: {error}.") from error
    except (sqlite3.Error, UnicodeError) as error:  # damage may be in the words of an error too
        raise StoreBroken(f"{path} is damaged, or was never a log: {error}.") from error


class SqliteStore(Store):
    """The one writer of the store in this file, which is made if there is none.

    Without a path it is in memory, and dies with the process. `room`: bytes that the file beside it
    has from the start. Raises StoreLocked, StoreForeign, StoreBroken and StoreFailed.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        bookmark_every: int = BOOKMARK_EVERY,
        kind: type[sqlite3.Connection] = sqlite3.Connection,
        room: int = 0,
    ) -> None:
        self._path = None if path is None else path.resolve()
        self._check_place: Callable[[], None] = lambda: None
        with ExitStack() as opened, plainly(self._path):
            if self._path is None:
                self._writing = opened.enter_context(closing(connect(Path(MEMORY), kind)))
                make_schema(self._writing)
                source = SqliteSource(self._writing, None)
            else:
                source = self._open_file(self._path, kind, room, opened)
            super().__init__(source)
            self._turn = source.turn
            self._tips = Tips(self._writing, bookmark_every)
            self._last = self.last_seq()
            if self._last < self._tips.bookmark:
                raise StoreBroken(
                    f"{self._path} is damaged: it had {self._tips.bookmark} records, and the last "
                    f"there is has number {self._last}; {WAY_OUT}."
                )
            self._opened = opened.pop_all()  # which closes in reverse, the lock last
        self._staged: tuple[int, dict[str, Link]] | None = None  # its last record, and its tips
        self._lost = False  # the last batch was written to a file that nobody will find

    def _open_file(
        self, path: Path, kind: type[sqlite3.Connection], room: int, opened: ExitStack
    ) -> SqliteSource:
        """Open this file to be written, and to be read beside that."""
        opened.enter_context(lock_writer(path))
        if not path.exists():
            make_log(path)
        opened.enter_context(lock_store(path))
        see_nothing_lost(path)
        see_it_is_ours(path, kind)
        self._writing = opened.enter_context(closing(connect(path, kind)))
        prepare(self._writing, path)
        self._wait_at_most(0)
        with suppress(sqlite3.Error):  # a full disk is noticed at the first write
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            make_room(path, room)
        source = opened.enter_context(closing(open_source(path, kind)))
        self._check_place = StorePlace(path).check
        return source

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; try the same again."""
        with self._alone(), self._turn:
            self._check_place()
            if self._lost and records and records[-1].seq == self._last:
                self._lost = False  # the file is back, and the records are in it
                return
            assert follow(records, self._last), "records are numbered without a gap"
            if records:
                try:
                    self._wait_at_most(LOCK_PATIENCE)
                    self._write(records)
                    self._check_after()
                finally:
                    self._wait_at_most(0)

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`, without waiting; False: `append` must do it.

        False if there are many, or a bookmark is due, or anything is not as it should be; and in
        memory, where nobody waits for a disk and half a batch would be seen.
        """
        assert not self._closed, "a closed store takes no records"
        if self._path is None or self._lost or not 0 < len(records) <= STAGED_MAX:
            return False
        if self._tips.due(records[-1].seq) or not self._appending.acquire(blocking=False):
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
            self._check_place()
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
            self._check_place()
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

    def _insert(self, records: Sequence[Record]) -> dict[str, Link]:
        """Begin a transaction with these records; return the tips it will lead to."""
        rows, tips = link(records, self._tips.find)
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
