"""Copying a log while it is written to, as it was at one moment.

The copy is made in pieces from one moment of the source, which SQLite holds still for us
without holding up the writer. It gets its name when it is whole, and only its owner can
read it.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from rookery.store import StoreFailed
from rookery.store.file.lock import OWNER_ALONE
from rookery.store.file.making import sync_folder

PAGES: Final = 256  # of 4 kB, a piece
BREATH: Final = 0.001  # seconds between pieces: others want the disk too

Copied = Callable[[int, int], None]  # told how many pages there are, and how many are copied


def copy_log(source: sqlite3.Connection, target: Path, copied: Copied | None = None) -> None:
    """Copy what this connection sees into a new file. Raises StoreFailed.

    The connection must be in no transaction.
    """
    if target.exists():
        raise StoreFailed(f"{target} is there already, and is not written over.")
    fresh = target.with_name(f"{target.name}.new")

    def told(_: int, remaining: int, total: int) -> None:
        if copied is not None:
            copied(total, total - remaining)

    try:
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
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
