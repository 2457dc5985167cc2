"""The snapshot of a log in a file: beside it, whole or not there.

It is written under another name, synced, and then given its own; so a reader finds the old
one or the new one, whatever happens meanwhile. Only a disk that lies leaves half of one, and
then its checksum says so. It has hashes of tokens in it, and is for its owner alone.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from rookery.store.file.lock import OWNER_ALONE

ENDING: Final = ".snapshot"
NEW: Final = ".new-"  # of its name while it is written; the process's number follows
POSIX: Final = os.name == "posix"


class FileCalls(Protocol):
    """What can be done to files: by the system, or by a disk that is made up."""

    def write(self, path: Path, pieces: Sequence[bytes | memoryview]) -> None:
        """Write these pieces into a new file for its owner alone."""

    def sync(self, path: Path) -> None:
        """Wait until this file, or what is in this folder, is safe."""

    def rename(self, path: Path, to: Path) -> None:
        """Give this file another name; a file that has that name now is gone."""

    def remove(self, path: Path) -> None:
        """See that there is no such file."""


class OwnFiles:
    """The files of the system we run on."""

    def write(self, path: Path, pieces: Sequence[bytes | memoryview]) -> None:
        """Write these pieces into a new file for its owner alone."""
        for left in path.parent.glob(f"{path.name.rpartition('-')[0]}-*"):
            self.remove(left)  # by a process that died; one that lives will notice
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(path, flags, OWNER_ALONE), "wb") as file:
            file.writelines(pieces)

    def sync(self, path: Path) -> None:
        """Wait until this file, or what is in this folder, is safe."""
        if not POSIX and path.is_dir():
            return  # there a name is safe when it is given
        number = os.open(path, os.O_RDONLY if POSIX else os.O_RDWR)
        try:
            os.fsync(number)
        finally:
            os.close(number)

    def rename(self, path: Path, to: Path) -> None:
        """Give this file another name; a file that has that name now is gone."""
        path.replace(to)

    def remove(self, path: Path) -> None:
        """See that there is no such file."""
        path.unlink(missing_ok=True)


OWN: Final = OwnFiles()


def snapshot_of(log: Path) -> Path:
    """The file with the snapshot of the log in this file."""
    return log.with_name(f"{log.name}{ENDING}")


def steps(
    log: Path, pieces: Sequence[bytes | memoryview], files: FileCalls = OWN
) -> Iterator[None]:
    """Write the snapshot of a log, pausing after each step. Raises OSError."""
    path = snapshot_of(log)
    new = path.with_name(f"{path.name}{NEW}{os.getpid()}")
    try:
        files.write(new, pieces)
        yield
        files.sync(new)
        yield
        files.rename(new, path)
    except OSError:
        # It may be what fills the disk; and while nothing can be written, no other is made.
        with suppress(OSError):
            files.remove(new)
        raise
    yield
    files.sync(path.parent)
