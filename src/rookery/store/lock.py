"""The writer's lock: one process writes to a store, and the lock dies with it.

It is the operating system's lock on an open file beside the store, so there is no number
of a dead process to clear away. The file itself stays: whoever removed it could remove
the one that the next writer has just locked. Readers ask for no lock.
"""

import sys
from pathlib import Path
from typing import IO

from rookery.store import StoreFailed, StoreLocked

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_writer(path: Path) -> IO[bytes]:
    """Become the one writer of this store until the file is closed. Raises StoreLocked."""
    try:
        file = path.with_name(f"{path.name}.lock").open("ab")
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written: {error.strerror}.") from error
    try:
        _lock(file)
    except OSError as error:
        file.close()
        raise StoreLocked(f"Another process is writing to {path}.") from error
    return file
