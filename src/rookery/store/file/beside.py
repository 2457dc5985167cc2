"""What SQLite has not put into its file yet, and whether some of it is damaged.

SQLite reads the file beside the log up to the first frame whose checksum is wrong, and takes
that for its end: so a bit that flipped there would cost everything after it, without a word.
But only the last transaction can have been cut off by a power cut. Where two or more follow
that frame, each sealed by the one before, they were safe once, and something is wrong.

It is looked at before SQLite opens anything. SQLite's locks on a file belong to the process:
whoever opens and closes one of its files beside it lets go of all of them, and of the log's
safety. A head that is damaged is taken for a torn one, as SQLite does.
"""

import struct
from collections.abc import Iterator
from functools import cache
from operator import mul
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.store import StoreBroken

HEAD: Final = struct.Struct(">IIIIIIII")  # magic, version, page, number, two salts, checksum
FRAME: Final = struct.Struct(">IIIIII")  # page, pages after a commit, two salts, checksum
BIG_ENDIAN: Final = 0x377F0683  # how checksums are counted; one less: the other way
PAGES: Final = tuple(512 << n for n in range(8))  # how large one can be
SEALED: Final = 8  # bytes of a frame's head that its checksum is about
LOST: Final = 2  # transactions that no power cut can have cut off
WORD: Final = 0xFFFFFFFF

Seal = tuple[int, int]


class Frame(Struct, frozen=True):
    """One page beside the file, as it was written."""

    ends: bool  # whether it ends a transaction
    seal: Seal
    follows: bool  # whether it was written right after the frame before it


def see_nothing_lost(path: Path) -> None:
    """See that SQLite will read all that lies beside the log, which nobody has open yet.

    Raises StoreBroken.
    """
    beside = path.with_name(f"{path.name}-wal")
    counts = True  # SQLite reads on
    ended = 0
    try:
        for frame in _frames(beside):
            counts = counts and frame.follows
            if counts:
                continue
            ended = frame.ends + (ended if frame.follows else 0)
            if ended >= LOST:
                raise StoreBroken(
                    f"{beside} is damaged: what was written there last can no longer be read. "
                    "Put a copy of the log and of this file in their place; or move this file away "
                    "to go on without what was in it."
                )
    except OSError:
        return  # there is none, or the disk fails, which is said elsewhere


def _frames(beside: Path) -> Iterator[Frame]:
    """All that were written since SQLite last began at the front."""
    with beside.open("rb") as file:
        head = file.read(HEAD.size)
        if len(head) < HEAD.size:
            return
        magic, _, page, _, *salts, one, other = HEAD.unpack(head)
        order = ">" if magic == BIG_ENDIAN else "<"
        if page not in PAGES or _sealed((0, 0), head[:-SEALED], order) != (one, other):
            return
        seal: Seal | None = (one, other)
        while len(frame := file.read(FRAME.size + page)) == FRAME.size + page:
            _, pages, *salted, one, other = FRAME.unpack_from(frame)
            if salted != salts:
                seal = None
                continue
            words = frame[:SEALED] + frame[FRAME.size :]
            follows = seal is not None and _sealed(seal, words, order) == (one, other)
            seal = one, other
            yield Frame(bool(pages), seal, follows)


def _sealed(before: Seal, words: bytes, order: str) -> Seal:
    """The checksum of these words behind what has this one, as SQLite's own format has it.

    Word by word it is `one += word + other`, `other += next + one`: sums with weights that
    depend on the place alone, which Python adds up ten times as fast.
    """
    numbers = struct.unpack(f"{order}{len(words) // 4}I", words)
    (a, b), (c, d), ones, others = _weights(len(numbers))
    one = before[0] * a + before[1] * b + sum(map(mul, numbers, ones))
    other = before[0] * c + before[1] * d + sum(map(mul, numbers, others))
    return one & WORD, other & WORD


@cache
def _weights(words: int) -> tuple[Seal, Seal, tuple[int, ...], tuple[int, ...]]:
    """What the checksum before counts for, and each of so many words, in both numbers."""
    a, b, c, d = 1, 0, 0, 1  # what follows makes of one and other
    ones: list[int] = []
    others: list[int] = []
    for _ in range(words // 2):
        ones += (b, a + b)  # from the end: the second word of a pair, then the first
        others += (d, c + d)
        a, b, c, d = (a + b) & WORD, (a + 2 * b) & WORD, (c + d) & WORD, (c + 2 * d) & WORD
    return (a, b), (c, d), tuple(reversed(ones)), tuple(reversed(others))
