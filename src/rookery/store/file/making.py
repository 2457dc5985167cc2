"""Making a new log, and telling it from what is left of an old one.

A new log is made under another name and gets its own when it is whole. So a file of no
length, or a missing one whose other half is there, is never one that we were about to
make: something happened to it, and it is not taken for new.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from rookery.store import StoreBroken, StoreFailed
from rookery.store.file.lock import OWNER_ALONE
from rookery.store.sqlite.schema import check_schema, distrust, make_schema


def connect(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    """Open a connection that can write to this file."""
    found = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=kind)
    distrust(found)
    return found


def see_it_is_ours(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> None:
    """Check, without a change to the file, that it may be opened to be written. Raises Mistake."""
    address = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None, factory=kind)) as found:
        distrust(found)
        check_schema(found)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Prepare the connection that writes to this file."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"{path} is on a disk that SQLite's write-ahead log cannot use.")
    connection.execute("PRAGMA synchronous = FULL")


def make_log(path: Path) -> None:
    """Make a log with nothing in it, whole or not at all. Raises StoreBroken and StoreFailed."""
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
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
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
