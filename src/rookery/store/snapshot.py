"""Snapshots: what the hall's own stream led to up to some record, so that a start reads on there.

A snapshot says nothing that the log does not, and may be deleted at any time. What is in it is
its maker's business, told by a version; here it is parts of bytes, under one checksum, and the
record it reaches to, with that record's seal. So one that is damaged, of another version, or of
another log is known as such, and is not used.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol
from zlib import crc32

from msgspec import Struct

from rookery.core.events import HALL_STREAM
from rookery.store.log import StoreBroken, StoreFailed
from rookery.store.sqlite_file import create

MAGIC: Final = b"ROOKSNAP"
FORM: Final = 1  # of what is written here; the parts have a version of their own
_HEAD: Final = struct.Struct("<8sIIQQQI")  # magic, form, version, seq, n, seal, parts
_LENGTH: Final = struct.Struct("<I")
_SUM: Final = struct.Struct("<I")


class LastRecord(Struct, frozen=True):
    """The last record that a snapshot reaches to: its number, its place and its seal."""

    seq: int
    n: int
    sum: int


class Snapshot(Struct, frozen=True):
    """What was kept, and the record up to which it reaches."""

    version: int
    mark: LastRecord
    parts: Sequence[bytes | memoryview]


def write_snapshot(snapshot: Snapshot) -> list[bytes | memoryview]:
    """Write the snapshot as pieces of bytes, the checksum last."""
    mark, parts = snapshot.mark, snapshot.parts
    head = (MAGIC, FORM, snapshot.version, mark.seq, mark.n, mark.sum, len(parts))
    pieces: list[bytes | memoryview] = [_HEAD.pack(*head)]
    for part in parts:
        pieces += (_LENGTH.pack(len(part)), part)
    sealed = 0
    for piece in pieces:
        sealed = crc32(piece, sealed)
    return [*pieces, _SUM.pack(sealed)]


def read_snapshot(content: bytes, version: int) -> Snapshot:
    """Read a snapshot. Raises StoreBroken if it is damaged, or of another version.

    Its parts are views of the same bytes: it may be long.
    """
    whole = memoryview(content)
    body, end = whole[: -_SUM.size], whole[-_SUM.size :]
    if len(content) < _HEAD.size + _SUM.size or content[: len(MAGIC)] != MAGIC:
        raise StoreBroken("The snapshot is damaged, or is none.")
    _, form, its, seq, n, sealed, count = _HEAD.unpack_from(body)
    if form != FORM or its != version:
        raise StoreBroken(f"The snapshot is of version {form}.{its}, and not {FORM}.{version}.")
    if (crc32(body),) != _SUM.unpack(end):
        raise StoreBroken("The snapshot is damaged: its checksum is wrong.")
    parts: list[memoryview] = []
    at = _HEAD.size
    for _ in range(count):
        (length,) = _LENGTH.unpack_from(body, at)
        at += _LENGTH.size
        parts.append(body[at : at + length])
        at += length
    return Snapshot(its, LastRecord(seq, n, sealed), parts)


def see_it_fits(snapshot: Snapshot, found: tuple[object, object, object] | None) -> None:
    """Check that a snapshot is of this log; `found` is what the log has at its last record.

    That is the stream, the place and the seal. Raises StoreBroken.
    """
    mark = snapshot.mark
    if found is None:
        raise StoreBroken(f"The snapshot reaches to record {mark.seq}, which the log has not.")
    if found != (HALL_STREAM.encode(), mark.n, mark.sum):
        raise StoreBroken(f"The snapshot is of another log: record {mark.seq} differs.")


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
        with os.fdopen(create(path), "wb") as file:
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


def read_beside(log: Path) -> bytes | None:
    """The bytes of the snapshot of a log; None where there is none. Raises StoreBroken."""
    try:
        return snapshot_of(log).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise StoreBroken(f"The snapshot cannot be read: {wrong.strerror}.") from wrong


def write_beside(
    log: Path, pieces: Sequence[bytes | memoryview], files: FileCalls = OWN
) -> Iterator[None]:
    """Write the snapshot of a log beside it, pausing after each step. Raises StoreFailed.

    It is written under another name, synced, and then given its own; so a reader finds the old one
    or the new one, whatever happens meanwhile. Only a disk that lies leaves half of one, and then
    its checksum says so. It has hashes of tokens in it, and is for its owner alone.
    """
    path = snapshot_of(log)
    new = path.with_name(f"{path.name}{NEW}{os.getpid()}")
    try:
        files.write(new, pieces)
        yield
        files.sync(new)
        yield
        files.rename(new, path)
        yield
        files.sync(path.parent)
    except OSError as wrong:
        # It may be what fills the disk; and while nothing can be written, no other is made.
        with suppress(OSError):
            files.remove(new)
        raise StoreFailed(f"The snapshot cannot be written: {wrong.strerror}.") from wrong
