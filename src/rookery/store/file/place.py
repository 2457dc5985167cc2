"""The place of a store: the file that was opened must still be the one at its path.

Deleting, moving or replacing a file under us does not stop us from writing to it: SQLite
writes on into what nobody will find again. So the writer looks, before and after every
batch, whether its files are still where they were: 5 µs each time.
"""

import os
from pathlib import Path
from typing import Final

from rookery.store import StoreFailed

Identity = tuple[int, int]  # of a file: its disk, and its number there

BACK: Final = "put it back where it was, and the server goes on; or stop the server"


class StorePlace:
    """Where a store's files are, once it has been opened. It mutates."""

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
