"""What SQLite has not put into its file yet, and whether some of it is damaged.

SQLite reads the file beside the log up to the first frame whose checksum is wrong, and takes
that for its end: so a bit that flipped there would cost everything after it, without a word.
But only the last transaction can have been cut off by a power cut. Where two or more follow
that frame, each sealed by the one before, they were safe once, and something is wrong.
"""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.store import StoreBroken

HEAD: Final = struct.Struct(">IIIIIIII")  # magic, version, page, number, two salts, checksum
FRAME: Final = struct.Struct(">IIIIII")  # page, pages after a commit, two salts, checksum
BIG_ENDIAN: Final = 0x377F0683  # how checksums are counted; one less: the other way
INDEX: Final = 20  # bytes of the index until the number of the last frame that counts has ended
SEALED: Final = 8  # bytes of a frame's head that its checksum is about
LOST: Final = 2  # transactions that no power cut can have cut off
WORD: Final = 0xFFFFFFFF


class Frame(Struct, frozen=True):
    """One page beside the file, as it was written."""

    ends: bool  # whether it ends a transaction
    seal: tuple[int, int]
    follows: bool  # whether it was written right after the frame before it


def see_nothing_lost(path: Path) -> None:
    """See that SQLite, which has the log open, has read all that lies beside it.

    Nobody else may write to it meanwhile. Raises StoreBroken.
    """
    beside, index = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    try:
        with index.open("rb") as file:
            counts = int.from_bytes(file.read(INDEX)[16:], sys.byteorder)
        ended = 0
        for frame in _frames_after(beside, counts):
            ended = frame.ends + (ended if frame.follows else 0)
            if ended >= LOST:
                raise StoreBroken(
                    f"{beside} is damaged: what was written there last can no longer be read. "
                    "Put a copy of the log and of this file in their place; or move this file away "
                    "to go on without what was in it."
                )
    except OSError:
        return  # there is none, or the disk fails, which is said elsewhere


def _frames_after(beside: Path, counts: int) -> Iterator[Frame]:
    """Frames of the same time that lie behind so many."""
    with beside.open("rb") as file:
        head = file.read(HEAD.size)
        if len(head) < HEAD.size:
            return
        magic, _, page, _, *salts, _, _ = HEAD.unpack(head)
        order = ">" if magic == BIG_ENDIAN else "<"
        size = FRAME.size + page
        file.seek(HEAD.size + counts * size)
        seal: tuple[int, int] | None = None
        while len(frame := file.read(size)) == size:
            _, pages, one, other, *sealed = FRAME.unpack_from(frame)
            if [one, other] != salts:
                seal = None
                continue
            follows = seal is not None and _sealed(seal, frame, order) == tuple(sealed)
            seal = sealed[0], sealed[1]
            yield Frame(bool(pages), seal, follows)


def _sealed(before: tuple[int, int], frame: bytes, order: str) -> tuple[int, int]:
    """The checksum of a frame behind one with this checksum, as SQLite's own format has it."""
    words = frame[:SEALED] + frame[FRAME.size :]
    one, other = before
    numbers = iter(struct.unpack(f"{order}{len(words) // 4}I", words))
    for first, second in zip(numbers, numbers, strict=True):
        one = (one + first + other) & WORD
        other = (other + second + one) & WORD
    return one, other
