"""Power cuts: images of a disk as a cut may leave it, made from recorded writes and syncs.

Bytes that were synced are there. Of those written since, in either file, each sector may be
there or not, in any order, or torn within. An image is opened as a server would open it, and
must have every record that a client had heard of by then, and no record that never was.
"""

import struct
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.events import Record
from rookery.core.ids import Micros
from rookery.store.sqlite import SqliteStore, open_for_reading

ENTRY: Final = struct.Struct("QIIQQ")  # as `struct entry` in the library
WRITE, SYNC, CUT = 1, 2, 3
LOG, BESIDE = 1, 2
SECTOR: Final = 512
ODDS: Final = (0, 10, 50, 90, 100)  # of a sector to have reached the disk, in a hundred
TORN: Final = 20  # one in so many of those that have is torn


class DiskStep(Struct, frozen=True):
    """A write, a sync or a cut of a file, and when it began."""

    began: Micros
    kind: int
    file: int
    offset: int
    words: bytes = b""


class Image(Struct, frozen=True):
    """Both files as they were left, and when the power went."""

    log: bytes
    beside: bytes
    at: Micros
    checkpoint: bool  # whether the log's own file was being written


def read_trace(path: Path) -> Iterator[DiskStep]:
    """Read the recorded steps; a last one whose end is missing is left out."""
    with path.open("rb") as file:
        while len(head := file.read(ENTRY.size)) == ENTRY.size:
            began, kind, which, offset, length = ENTRY.unpack(head)
            words = file.read(length) if kind == WRITE else b""
            if kind == WRITE and len(words) < length:
                return
            yield DiskStep(began, kind, which, offset, words)


class Platter:
    """One file on the disk: its synced bytes, and the steps since the last sync."""

    def __init__(self, content: bytes) -> None:
        self.safe = bytearray(content)
        self.pending: list[DiskStep] = []

    def take(self, step: DiskStep) -> None:
        """Take in a step that was done to the file."""
        if step.kind != SYNC:
            self.pending.append(step)
            return
        for one in self.pending:
            _put(self.safe, one)
        self.pending.clear()

    def left(self, chance: Chance) -> bytes:
        """The file as a power cut may leave it."""
        found, odds = bytearray(self.safe), chance.choice(ODDS)
        for step in self.pending:
            if step.kind == CUT:
                if chance.below(100) < odds:
                    _put(found, step)
                continue
            for at in range(0, len(step.words), SECTOR):
                if chance.below(100) < odds:
                    words = step.words[at : at + SECTOR]
                    if not chance.below(TORN):
                        words = words[: chance.below(SECTOR)]
                    _put(found, DiskStep(0, WRITE, 0, step.offset + at, words))
        return bytes(found)


def _put(content: bytearray, step: DiskStep) -> None:
    if step.kind == CUT:
        del content[step.offset :]
        content.extend(bytes(step.offset - len(content)))
        return
    content.extend(bytes(max(0, step.offset - len(content))))
    content[step.offset : step.offset + len(step.words)] = step.words


def images(
    before: tuple[bytes, bytes], steps: Sequence[DiskStep], count: int, chance: Chance
) -> Iterator[Image]:
    """Yields `count` images, each of a cut right before a step; half at checkpoints, if any are."""
    files = {LOG: Platter(before[0]), BESIDE: Platter(before[1])}
    points = range(1, len(steps))
    near = [n for n in points if steps[n].file == LOG or steps[n - 1].file == LOG]
    wanted = [chance.choice(near) for _ in range(count // 2 if near else 0)]
    wanted += [chance.choice(points) for _ in range(count - len(wanted))]
    cuts = sorted(wanted)
    for n, step in enumerate(steps):
        while cuts and cuts[0] == n:
            cuts.pop(0)
            log, beside = (files[file].left(chance) for file in (LOG, BESIDE))
            yield Image(log, beside, step.began, bool(files[LOG].pending))
        files[step.file].take(step)


def judge_image(image: Image, folder: Path, records: Sequence[Record], heard: int) -> Iterator[str]:
    """Yields what is wrong with an image of a log with these records, `heard` of them heard of."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    path = folder / "rookery.db"
    path.write_bytes(image.log)
    path.with_name("rookery.db-wal").write_bytes(image.beside)
    try:
        with closing(SqliteStore(path)) as store:
            list(store.unfinished())
            damaged = store.damaged()
        with closing(open_for_reading(path)) as log:
            found = list(log.read())
    except Mistake as wrong:
        yield f"It cannot be opened: {wrong}"
        return
    if damaged:
        yield f"These are damaged: {damaged}"
    if len(found) < heard:
        yield f"It has {len(found)} records, and {heard} were heard of."
    if found != list(records[: len(found)]):
        yield "It has other records than there ever were."
