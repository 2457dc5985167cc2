"""Snapshots in a world: a process beside the server makes them, and may die at any step.

Where the log is a file, a power cut leaves what a disk would: a file that was not synced has some
of its sectors, and a rename that was not synced may not have happened.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from errno import EIO, ENOSPC
from pathlib import Path
from typing import Final, Protocol

import msgspec

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.hall.hall_memory import VERSION
from rookery.server.datadir import LOG_FILE
from rookery.server.hall_log import SnapshotMade, follow, make
from rookery.server.jobs import SNAPSHOT_COMMAND, SNAPSHOT_TIMEOUT_S
from rookery.server.workers import WorkerKind, start
from rookery.store.address import Reach, read_address
from rookery.store.postgres import open_hall
from rookery.store.snapshot import ENDING, OWN, write_beside
from rookery.store.sqlite import open_for_reading

SECTOR: Final = 512
_made: Final = msgspec.json.Decoder(SnapshotMade)
KIND: Final = WorkerKind(SNAPSHOT_COMMAND, "make a snapshot", 30.0, 1 << 16)


class Faulty(Protocol):
    """A disk that may have troubles, as snapshots need to know it."""

    chance: Chance
    counts: dict[str, int]

    def has(self, kind: str) -> bool:
        """Whether the disk has a trouble of this kind now."""


class SnapshotFiles:
    """Writes the files of a snapshot on a disk that fails, and knows what a cut leaves of them."""

    def __init__(self, disk: Faulty) -> None:
        self._disk = disk
        self._unsynced: set[str] = set()
        self._before: dict[str, bytes | None] = {}  # what had a name that is not safe yet

    def write(self, path: Path, pieces: Sequence[bytes | memoryview]) -> None:
        """Write these pieces into a new file for its owner alone."""
        if self._disk.has("full") or self._disk.has("write"):
            path.write_bytes(b"".join(pieces)[: self._disk.chance.below(1000)])
            raise OSError(ENOSPC, "No space left on device")
        self._unsynced.add(path.name)
        OWN.write(path, pieces)

    def sync(self, path: Path) -> None:
        """Sync this file, or the names in this folder."""
        if self._disk.has("commit"):
            raise OSError(EIO, "Input/output error")
        self._unsynced.discard(path.name)
        if path.is_dir():
            self._before.clear()

    def rename(self, path: Path, to: Path) -> None:
        """Rename this file; a file that has the new name now is replaced."""
        self._before.setdefault(to.name, to.read_bytes() if to.exists() else None)
        if path.name in self._unsynced:
            self._unsynced.add(to.name)
        self._unsynced.discard(path.name)
        OWN.rename(path, to)

    def remove(self, path: Path) -> None:
        """See that there is no such file."""
        self._unsynced.discard(path.name)
        OWN.remove(path)

    def leave(self, folder: Path, fresh: Path, *, power: bool) -> None:
        """Put the snapshots of a folder into a fresh one, as the dead machine leaves them."""
        chance, counts = self._disk.chance, self._disk.counts
        for file in sorted(folder.glob(f"*{ENDING}*")):
            content: bytes | None = file.read_bytes()
            counts["snapshots left"] += 1
            if power and file.name in self._before and chance.below(2):
                content = self._before[file.name]
                counts["snapshots not renamed"] += 1
            elif power and file.name in self._unsynced and content is not None:
                content = self._torn(content)
                counts["snapshots torn"] += 1
            if content is not None:
                (fresh / file.name).write_bytes(content)
        self._unsynced.clear()
        self._before.clear()

    def _torn(self, content: bytes) -> bytes:
        sectors = (content[at : at + SECTOR] for at in range(0, len(content), SECTOR))
        chance = self._disk.chance
        return b"".join(one if chance.below(2) else bytes(len(one)) for one in sectors)


def write(said: str | SnapshotMade) -> bytes:
    """Write the question to a process that makes a snapshot, or its answer, as a line."""
    return msgspec.json.encode(said) + b"\n"


async def by_a_worker(data: str) -> SnapshotMade:
    """Have a snapshot made by a process of this world. Raises WorkerFailed."""
    worker = await start(KIND)
    try:
        return await worker.ask(write(data), SNAPSHOT_TIMEOUT_S, _made.decode)
    finally:
        worker.kill()


def beside_a_file(
    line: bytes, kind: type[sqlite3.Connection], files: SnapshotFiles
) -> Iterator[bytes]:
    """Make a snapshot of the log's file, step by step; the last step yields the answer."""
    place = Path(msgspec.json.decode(line, type=str)) / LOG_FILE
    try:
        with closing(open_for_reading(place, kind)) as log:
            memory = follow(log)
            yield b""
            pieces = log.seal_snapshot(VERSION, memory.seq, memory.written())
            for _ in write_beside(place, pieces, files):
                yield b""
    except Mistake as wrong:
        yield write(SnapshotMade(why=str(wrong)))
    else:
        yield write(SnapshotMade(memory.seq))


def in_a_database(line: bytes, reach: Reach) -> Iterator[bytes]:
    """The same for a log in a database, where all of it is done or nothing."""
    try:
        with closing(open_hall(read_address(msgspec.json.decode(line, type=str)), reach)) as log:
            yield write(SnapshotMade(make(log)))
    except Mistake as wrong:
        yield write(SnapshotMade(why=str(wrong)))
