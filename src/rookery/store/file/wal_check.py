"""What SQLite has not put into its file yet, and whether some of it is damaged.

SQLite reads the file beside the log up to the first frame whose checksum is wrong, and takes
that for its end: so a bit that flipped there would cost everything after it, without a word.
But only the last transaction can have been cut off by a power cut. Where two or more follow
that frame, each sealed by the one before, they were safe once; and where they are not in the
log's own file either, something is wrong. (They are where the first write was cut off after
SQLite had put everything there: it begins at the front again.) What such writes leave behind
is gone at every start, when the store empties this file.

It is looked at before SQLite opens anything. SQLite's locks on a file belong to the process:
a process that also opens and closes one of its files lets go of all of them, and of the log's
safety. A damaged head costs everything, too. It is told from one that was cut off while it
was written by this: some one bit makes it whole.
"""

import struct
from collections.abc import Iterator
from functools import cache
from operator import mul
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from rookery.store import StoreBroken

HEAD: Final = struct.Struct(">IIIIIIII")  # magic, version, page, number, two salts, checksum
FRAME: Final = struct.Struct(">IIIIII")  # page, pages after a commit, two salts, checksum
BIG_ENDIAN: Final = 0x377F0683  # how checksums are counted; one less: the other way
PAGES: Final = tuple(512 << n for n in range(8))  # the sizes that a page can have
SEALED: Final = 8  # bytes of a frame's head that its checksum is about
LOST: Final = 2  # transactions that no power cut can have cut off
WORD: Final = 0xFFFFFFFF

Seal = tuple[int, int]


class Head(Struct, frozen=True):
    """How the write-ahead log begins: the size of its pages, its salts and its checksum."""

    words: bytes
    page: int
    salts: list[int]
    seal: Seal
    order: str  # of the bytes of what is sealed


class Frame(Struct, frozen=True):
    """One page in the write-ahead log, as it was written."""

    page: int  # its number
    content: bytes
    ends: bool  # whether it ends a transaction
    follows: bool  # whether SQLite reads it, where it has read all before
    linked: bool  # whether it was written right after the frame before it, be that damaged


def see_nothing_lost(path: Path) -> None:
    """Check that SQLite will read all that lies beside the log. Raises StoreBroken."""
    if (lost := lost_beside(path)) is not None:
        raise StoreBroken(
            f"{lost} Put a copy of the log and of this file in their place; or move this file "
            "away to go on without what was in it."
        )


def lost_beside(path: Path) -> str | None:
    """Say what SQLite will not read of the file beside the log; None if it reads all.

    This process must have neither file open; others may.
    """
    beside = path.with_name(f"{path.name}-wal")
    try:
        with beside.open("rb") as file, path.open("rb") as log:
            words = file.read(HEAD.size)
            for head in _heads(words):
                if _loses(file, head, log, whole=head.words == words):
                    return f"{beside} is damaged: what was written last can no longer be read."
    except OSError:
        pass  # there is none, or the disk fails, which is said elsewhere
    return None


def _heads(words: bytes) -> Iterator[Head]:
    """Yield the file's head; if it is damaged, each head that flipping one bit makes whole."""
    if len(words) < HEAD.size:
        return
    number = int.from_bytes(words)
    for flip in (0, *(1 << n for n in range(HEAD.size * 8))):
        tried = (number ^ flip).to_bytes(HEAD.size)
        magic, _, page, _, *salts, one, other = HEAD.unpack(tried)
        order = ">" if magic == BIG_ENDIAN else "<"
        if page in PAGES and _sealed((0, 0), tried[:-SEALED], order) == (one, other):
            yield Head(tried, page, salts, (one, other), order)
            if not flip:
                return


def _loses(file: BinaryIO, head: Head, log: BinaryIO, *, whole: bool) -> bool:
    """Whether SQLite, which reads on while everything is whole, will miss what was safe."""
    ended, pages, last = 0, dict[int, bytes](), dict[int, bytes]()
    some = False  # SQLite reads some of it, and takes that for newer than the log
    for frame in _frames(file, head):
        whole = whole and frame.follows
        if whole:
            some = True
            continue
        if not frame.linked:
            if ended >= LOST and (some or not _is_in(log, last)):
                return True
            ended, pages, last = 0, {}, {}
        pages[frame.page] = frame.content
        if frame.ends:
            ended += 1
            last.update(pages)
            pages.clear()
    return ended >= LOST and (some or not _is_in(log, last))


def _is_in(log: BinaryIO, pages: dict[int, bytes]) -> bool:
    """Whether all these pages are in the log's own file already."""
    for page, content in pages.items():
        log.seek((page - 1) * len(content))
        if log.read(len(content)) != content:
            return False
    return True


def _frames(file: BinaryIO, head: Head) -> Iterator[Frame]:
    """Yield all frames that were written since SQLite last began at the front.

    A bit that flipped in a frame's own checksum or salts makes the frame foreign to SQLite. But
    then the other of the two still fits: so the frame is one of these.
    """
    file.seek(HEAD.size)
    before: tuple[Seal, ...] = (head.seal,)  # what the frame before may have had
    size = FRAME.size + head.page
    while len(frame := file.read(size)) == size:
        number, pages, *salted, one, other = FRAME.unpack_from(frame)
        words = frame[:SEALED] + frame[FRAME.size :]
        sealed = tuple(_sealed(seal, words, head.order) for seal in before)
        linked, salts = (one, other) in sealed, salted == head.salts
        if not linked and not salts:
            before = ()
            continue
        before = ((one, other),) if linked else ((one, other), *sealed)
        yield Frame(number, frame[FRAME.size :], bool(pages), linked and salts, linked)


def _sealed(before: Seal, words: bytes, order: str) -> Seal:
    """SQLite's own checksum of these words, if `before` is the checksum of what is before them.

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
    """The weights in both sums of the checksum before, and of each of so many words."""
    a, b, c, d = 1, 0, 0, 1  # what follows makes of one and other
    ones: list[int] = []
    others: list[int] = []
    for _ in range(words // 2):
        ones += (b, a + b)  # from the end: the second word of a pair, then the first
        others += (d, c + d)
        a, b, c, d = (a + b) & WORD, (a + 2 * b) & WORD, (c + d) & WORD, (c + 2 * d) & WORD
    return (a, b), (c, d), tuple(reversed(ones)), tuple(reversed(others))
