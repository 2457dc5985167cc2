"""The writer's lock: one process writes to a store, and the lock dies with it.

It is the operating system's lock on an open file, so there is no number of a dead process
to clear away. There are two: one on a file beside the store, which is there before the
store is, and one on the store's own file, so that deleting the first lets nobody in. Readers
ask for neither.

SQLite has locks of its own on its file, of another kind, and loses them when this process
closes the file anywhere: so a second writer in one process is refused before it opens it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Final

from rookery.store import StoreFailed, StoreLocked

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
