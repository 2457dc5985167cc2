"""The file of a log: its lock, its schema, how it is made and copied, and what can happen to it.

One process writes to a log, and its lock dies with it: it is the operating system's lock on an
open file, so there is no number of a dead process to clear away. There are two: one on a file
beside the log, which is there before the log is, and one on the log's own file, so that deleting
the first lets nobody in. Readers ask for neither.

SQLite has locks of its own on its file, of another kind, and they belong to the process: closing
the file anywhere in it lets go of all of them. So a second writer in one process is refused before
it opens the file, and whatever looks at the bytes does so before SQLite opens anything.

An index over all records would cost more than the records: neighbours in the log are of different
streams, so each would touch a page of its own (measured with 10,000 tables: 7 µs a record more).
Instead every record names the one `before` it in its stream. Where a stream's chain begins is kept
as of the `bookmark`, which is moved now and then; what is younger is found by looking through it.

A file comes from anywhere: from a disk that failed, or from somebody who wishes us ill. A view in
place of a table runs for ever when it is read, and so can a trigger, a generated column or a
constraint. So before anything is read, the schema is compared with the one that our script makes,
word for word; a file with anything more, less or else is refused.
"""

import os
import sqlite3
import struct
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, BinaryIO, Final

from msgspec import Struct

from rookery.store.log import StoreBroken, StoreFailed, StoreForeign, StoreLocked, seal_bookmark

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


OWNER_ALONE: Final = 0o600

# Elsewhere the two kinds of lock may be one, and SQLite would wait for ours for ever.
_OWN_KIND: Final = sys.platform == "linux"

_held: Final[set[tuple[int, int]]] = set()  # the stores that this process writes to


@contextmanager
def lock_writer(path: Path) -> Iterator[None]:
    """Become the only process that may make or write a store here. Raises StoreLocked."""
    try:
        file = open(path.with_name(f"{path.name}.lock"), "ab", opener=_for_owner)  # noqa: SIM115
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written: {error.strerror}.") from error
    with closing(file):
        _take(file, path)
        yield


@contextmanager
def lock_store(path: Path) -> Iterator[None]:
    """Become the only writer of the store in this file, which exists. Raises StoreLocked."""
    with ExitStack() as opened:
        try:
            found = path.stat()
            if (found.st_dev, found.st_ino) in _held:
                raise StoreLocked(f"Another process is writing to {path}.")
            if _OWN_KIND:
                file = opened.enter_context(path.open("rb"))
                found = os.fstat(file.fileno())
                _take(file, path)
        except OSError as error:
            raise StoreFailed(f"{path} cannot be read: {error.strerror}.") from error
        ours = (found.st_dev, found.st_ino)
        _held.add(ours)
        opened.callback(_held.discard, ours)
        yield


def _take(file: IO[bytes], path: Path) -> None:
    try:
        _lock(file)
    except OSError as error:
        raise StoreLocked(f"Another process is writing to {path}.") from error


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, OWNER_ALONE)


def create(path: Path) -> int:
    """Create a file that is not there yet, for its owner alone; return its open number."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE)


APPLICATION: Final = 0x524F4F4B  # "ROOK": tells our files from other people's
VERSION: Final = 1  # of the schema; raised when it changes

_SCHEMA: Final = """
CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    before INTEGER NOT NULL, -- the stream's record before this one; 0 for its first
    event TEXT NOT NULL,
    sum INTEGER NOT NULL -- the record's seal
);
CREATE TABLE finished (
    stream TEXT PRIMARY KEY,
    tip INTEGER NOT NULL, -- the stream's last record
    sum INTEGER NOT NULL -- of that record
) WITHOUT ROWID;
CREATE TABLE bookmark (
    seq INTEGER NOT NULL,
    last_table INTEGER NOT NULL, -- the highest number of a table up to there
    running TEXT NOT NULL, -- {"stream": tip, ...} of all streams that no record has ended
    sum INTEGER NOT NULL -- the seal of all this
);
CREATE VIEW young AS SELECT * FROM records WHERE seq > (SELECT seq FROM bookmark);
CREATE TABLE catalogue (
    number INTEGER PRIMARY KEY, -- the table's
    game TEXT NOT NULL,
    tour INTEGER, -- whose match it was, where it was one
    status TEXT NOT NULL, -- over or closed; empty until then
    ended INTEGER NOT NULL -- the record that ended it; 0 until then
);
CREATE TABLE sitters (
    player INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (player, number)
) WITHOUT ROWID;
CREATE INDEX catalogue_by_end ON catalogue (status, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_game ON catalogue (status, game, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_tour ON catalogue (tour, status, ended) WHERE ended > 0;
"""
_START: Final = f"INSERT INTO bookmark VALUES (0, 0, '{{}}', {seal_bookmark(0, 0, b'{}')})"  # noqa: S608

# Bytes of the longest value that is read or written. The longest we have is the bookmark of
# 50,000 running tables, with 1.6 megabytes.
VALUE_MAX: Final = 16 << 20

# As bytes: in a damaged file they may be no text.
_FOUND: Final = """
SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
FROM sqlite_master LIMIT ?
"""

Made = tuple[bytes | None, ...]  # what SQLite writes down of a table, an index or a view


def make_schema(connection: sqlite3.Connection) -> None:
    """Put the schema of an empty log into this file, which has none, whole or not at all."""
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {_START};")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise


def distrust(connection: sqlite3.Connection) -> None:
    """Let nothing that stands in the file do more than be read, and that only up to a size."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
    connection.execute("PRAGMA trusted_schema = OFF")


def check_schema(connection: sqlite3.Connection) -> None:
    """Check that our script made all that is in the file. Raises StoreBroken and StoreForeign."""
    _check_version(connection)
    made = _made()
    found = _objects(connection, len(made) + 1)
    strange = [one for one in found if one not in made]
    if strange:
        kind, name = ((one or b"").decode(errors="replace") for one in strange[0][:2])
        what = f"the {kind[:40]} {name[:40]!r} in it is not one that Rookery makes"
    elif len(found) < len(made):
        what = "some of its tables are missing"
    elif connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        what = "its texts are not in UTF-8"
    else:
        return
    raise StoreBroken(f"{_file_of(connection)} is damaged, or no log of Rookery's: {what}.")


def _check_version(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    file = _file_of(connection)
    if not (application or version or tables):  # SQLite takes a few bytes for a new database too
        raise StoreBroken(
            f"{file} is empty, which no log is: put a copy of the log in its place, or delete the "
            "file to begin a new log."
        )
    if application != APPLICATION:
        raise StoreBroken(f"{file} is a database, but not one of Rookery's.")
    if version != VERSION:
        raise StoreForeign(
            f"Another version of Rookery wrote {file}: its schema is {version}, and this version "
            f"knows {VERSION}."
        )


def _objects(connection: sqlite3.Connection, most: int) -> list[Made]:
    """What is in the file, or so much of it."""
    return connection.execute(_FOUND, (most,)).fetchall()


@cache
def _made() -> frozenset[Made]:
    """What our script puts into an empty file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript(_SCHEMA)
        return frozenset(_objects(connection, -1))
    finally:
        connection.close()


def _file_of(connection: sqlite3.Connection) -> str:
    """The path of this database's file."""
    return str(connection.execute("PRAGMA database_list").fetchone()[2])


def connect(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    """Open a connection that can write to this file."""
    found = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=kind)
    distrust(found)
    return found


def connect_to_read(
    path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """Open a connection that can only read this file."""
    found = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        factory=kind,
    )
    distrust(found)
    return found


def see_it_is_ours(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> None:
    """Check, without a change to the file, that it may be opened to be written. Raises Mistake."""
    with closing(connect_to_read(path, kind)) as found:
        check_schema(found)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Prepare the connection that writes to this file."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"{path} is on a disk that SQLite's write-ahead log cannot use.")
    connection.execute("PRAGMA synchronous = FULL")


def make_log(path: Path) -> None:
    """Make a log with nothing in it, whole or not at all. Raises StoreBroken and StoreFailed.

    It is made under another name and gets its own when it is whole. So a file of no length, or a
    missing one whose other half is there, is never one that we were about to make: something
    happened to it, and it is not taken for new.
    """
    beside = path.with_name(f"{path.name}-wal")
    with suppress(OSError):
        if beside.stat().st_size:
            raise StoreBroken(
                f"{path} is missing, and {beside}, which has its newest records, is there: put the "
                "log back beside it, or move that file away to begin a new log."
            )
    fresh = path.with_name(f"{path.name}.new")
    try:
        for left in (fresh, fresh.with_name(f"{fresh.name}-wal")):
            left.unlink(missing_ok=True)  # of a start that was cut short
        os.close(create(fresh))
        with closing(connect(fresh)) as connection:
            prepare(connection, fresh)
            make_schema(connection)
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written: {error.strerror}.") from error


def sync_folder(folder: Path) -> None:
    """Make the names of the files in this folder safe, if the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


Identity = tuple[int, int]  # of a file: its disk, and its number there

BACK: Final = "put it back where it was, and the server goes on; or stop the server"


class StorePlace:
    """Where a store's files are: the file that was opened must still be the one at its path.

    Deleting, moving or replacing a file under us does not stop us from writing to it: SQLite writes
    on into what nobody will find again. So the writer looks, before and after every batch, whether
    its files are still where they were: 5 µs each time.
    """

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._wal = f"{path}-wal"
        self._main_id = _identity(self._path)
        self._wal_id = _identity(self._wal)

    def check(self) -> None:
        """Check that the files are where they were. Raises StoreFailed."""
        found = _identity(self._path)
        if found != self._main_id:
            how = "was deleted or moved away" if found is None else "was replaced by another file"
            raise StoreFailed(f"The log {self._path} {how} under the server: {BACK}.")
        beside = _identity(self._wal)
        if self._wal_id is None:
            self._wal_id = beside  # SQLite makes it when it is first needed
        elif beside != self._wal_id:
            raise StoreFailed(
                f"{self._wal}, a part of the log, was deleted or replaced under the server: stop "
                "the server, which then puts everything into the log itself, and start it again."
            )


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - a quarter of the time of Path.stat, at every batch
    except OSError:
        return None
    return found.st_dev, found.st_ino


# As much as SQLite writes there before it puts all of it into the log and begins anew: a
# thousand pages, each with a head, and a batch more.
ROOM: Final = 32 + 1_024 * (24 + 4_096)
PIECE: Final = 1 << 20


def make_room(path: Path, size: int) -> None:
    """Give the file beside the log here this size, if there is nothing in it yet.

    A file that grows with every commit has its new size made safe with it, and its new blocks
    found: that is half of what a commit takes, in time and in CPU (measured on ext4: 300 µs and
    110 µs of CPU for a page, where writing over what is there takes 170 and 70). SQLite keeps the
    file once it has grown, so this only spares the first thousand commits after a start. Zeros are
    nothing to SQLite, and to us: a frame counts only with the salts of the file's head and a
    checksum that follows from the one before.

    SQLite has it open, has emptied it, and holds no lock on it, as it does on its others: those
    would be lost by opening and closing them. Where there is no room there is none: what is
    short then is for the log itself.
    """
    with suppress(OSError):
        number = os.open(path.with_name(f"{path.name}-wal"), os.O_RDWR)
        try:
            if os.fstat(number).st_size == 0:
                # Else zeros could reach the disk before that knows that the file was emptied: what
                # is left of it would be read then, and is older than the log.
                os.fsync(number)
                _fill(number, size)
        finally:
            os.close(number)


def _fill(number: int, size: int) -> None:
    try:
        at = 0
        while at < size:
            at += os.pwrite(number, bytes(min(PIECE, size - at)), at)
        os.fdatasync(number)
    except OSError:
        os.ftruncate(number, 0)


HEAD: Final = 32  # bytes with which the file begins
SALTS: Final = slice(16, 24)  # of them
FRAME: Final = struct.Struct(">II4s4s8x")  # page, pages after a commit, two salts, checksum
INDEX: Final = struct.Struct("=16xI12x8s")  # how many frames SQLite reads, and of which salts
LOST: Final = 2  # transactions that no power cut can have torn


class Written(Struct, frozen=True):
    """What was written to the file beside the log since SQLite last began at its front."""

    salts: bytes
    ends: list[int]  # the frames with which transactions end
    in_log: bool  # the pages of the last few are in the log too


def see_nothing_lost(path: Path) -> None:
    """Check that SQLite reads all that lies beside the log. Raises StoreBroken."""
    if (lost := lost_beside(path)) is not None:
        raise StoreBroken(
            f"{lost} Put a copy of the log and of this file in their place; or move this file "
            "away to go on without what was in it."
        )


def lost_beside(path: Path) -> str | None:
    """Say what SQLite will not read of the file beside the log; None if it reads all.

    SQLite reads it up to the first frame that is damaged, and takes that for its end: so a bit that
    flipped there would cost everything after it, without a word. But a power cut tears the last
    transaction alone. So where SQLite stops two or more before the last one, they were safe once,
    and something is wrong. Only where it reads nothing at all may they be in the log already: a
    power cut can tear the file's head as SQLite begins at the front again, which it does when
    everything is in the log.

    The transactions are those that the file's head claims, by its salts: two numbers that stand in
    each frame too. One of both is enough, as the other may be what is damaged. How far SQLite reads
    stands in its index beside the file (https://www.sqlite.org/walformat.html).

    This process must have neither file open; others may.
    """
    beside = path.with_name(f"{path.name}-wal")
    try:
        written = _written(path, beside)
        if len(written.ends) < LOST:
            return None
        read, salts = _read(path)
    except (OSError, sqlite3.Error):
        return None  # there is none, or the disk fails, which is said elsewhere
    if any(salts) and salts != written.salts:
        return None  # a server has begun at the front again meanwhile
    unread = sum(end > read for end in written.ends)
    if unread < LOST or (not read and written.in_log):
        return None
    return f"{beside} is damaged: what was written last can no longer be read."


def _written(path: Path, beside: Path) -> Written:
    with beside.open("rb") as file, path.open("rb") as log:
        size = int.from_bytes(log.read(18)[16:])
        size = 1 << 16 if size == 1 else size  # there is no room for this one
        salts = file.read(HEAD)[SALTS]
        number, ends = 0, list[int]()
        pages, last = dict[int, bytes](), deque[dict[int, bytes]](maxlen=LOST)
        while len(frame := file.read(FRAME.size + size)) == FRAME.size + size:
            number += 1
            page, ending, one, other = FRAME.unpack_from(frame)
            if one == salts[:4] or other == salts[4:]:
                pages[page] = frame[FRAME.size :]
                if ending:
                    ends.append(number)
                    last.append(pages)
                    pages = {}
        newest = {page: content for pages in last for page, content in pages.items()}
        return Written(salts, ends, all(_is_in(log, *one) for one in newest.items()))


def _is_in(log: BinaryIO, page: int, content: bytes) -> bool:
    log.seek(max(0, page - 1) * len(content))
    return log.read(len(content)) == content


def _read(path: Path) -> tuple[int, bytes]:
    """How many frames SQLite reads, and their salts: zeros if the file's head is no such."""
    # SQLite's index is closed after SQLite has closed it.
    with ExitStack() as last, closing(connect_to_read(path)) as connection:
        connection.execute("PRAGMA user_version").fetchone()  # reads the file, no schema
        index = last.enter_context(path.with_name(f"{path.name}-shm").open("rb"))
        frames, salts = INDEX.unpack(index.read(INDEX.size))
    return frames, salts


PAGES: Final = 256  # of 4 kB, a piece
BREATH: Final = 0.001  # seconds between pieces: others want the disk too

Copied = Callable[[int, int], None]  # told how many pages there are, and how many are copied


def copy_log(source: sqlite3.Connection, target: Path, copied: Copied | None = None) -> None:
    """Copy what this connection sees into a new file, while others write to it. Raises StoreFailed.

    The copy is made in pieces from one moment, which SQLite holds still without holding up the
    writer, and gets its name when it is whole. The connection must be in no transaction.
    """
    if target.exists():
        raise StoreFailed(f"{target} is there already, and is not written over.")
    fresh = target.with_name(f"{target.name}.new")

    def told(_: int, remaining: int, total: int) -> None:
        if copied is not None:
            copied(total, total - remaining)

    try:
        fresh.unlink(missing_ok=True)
        os.close(create(fresh))
        with closing(sqlite3.connect(fresh)) as copy:
            # Else a write in between would make SQLite begin again, and again.
            source.execute("BEGIN")
            try:
                source.execute("SELECT count(*) FROM sqlite_master").fetchone()
                source.backup(copy, pages=PAGES, progress=told, sleep=BREATH)
            finally:
                source.execute("ROLLBACK")
        os.link(fresh, target)  # which fails where somebody made it meanwhile
        sync_folder(target.parent)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreFailed(f"{target} cannot be written: {why}.") from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
