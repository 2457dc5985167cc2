"""What SQLite has not put into its file yet, and whether some of it is lost.

SQLite reads the file beside the log up to the first frame that is damaged, and takes that
for its end: so a bit that flipped there would cost everything after it, without a word. But a
power cut tears the last transaction alone. So where SQLite stops two or more before the last
one, they were safe once, and something is wrong. Only where it reads nothing at all may they be
in the log already: a power cut can tear the file's head as SQLite begins at the front again,
which it does when everything is in the log.

The transactions are those that the file's head claims, by its salts: two numbers that stand
in each frame too. One of both is enough, as the other may be what is damaged. How far SQLite
reads stands in its index beside the file (https://www.sqlite.org/walformat.html).

SQLite's locks on a file belong to the process: a process that also opens and closes one of its
files lets go of all of them, and of the log's safety. So the bytes are looked at before SQLite
opens anything, and its index is closed after SQLite has closed it.
"""

import sqlite3
import struct
from collections import deque
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from rookery.store import StoreBroken
from rookery.store.sqlite.schema import distrust

HEAD: Final = 32  # bytes with which the file begins
SALTS: Final = slice(16, 24)  # of them
FRAME: Final = struct.Struct(">II4s4s8x")  # page, pages after a commit, two salts, checksum
INDEX: Final = struct.Struct("=16xI12x8s")  # how many frames SQLite reads, and of which salts
LOST: Final = 2  # transactions that no power cut can have torn


class Written(Struct, frozen=True):
    """What was written to the file beside the log since SQLite last began at its front."""

    salts: bytes
    ends: list[int]  # the frames with which transactions end
    in_log: bool  # the pages of the last few are in the log too


def see_nothing_lost(path: Path) -> None:
    """Check that SQLite reads all that lies beside the log. Raises StoreBroken."""
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
        written = _written(path, beside)
        if len(written.ends) < LOST:
            return None
        read, salts = _read(path)
    except (OSError, sqlite3.Error):
        return None  # there is none, or the disk fails, which is said elsewhere
    if any(salts) and salts != written.salts:
        return None  # a server has begun at the front again meanwhile
    unread = sum(end > read for end in written.ends)
    if unread < LOST or (not read and written.in_log):
        return None
    return f"{beside} is damaged: what was written last can no longer be read."


def _written(path: Path, beside: Path) -> Written:
    with beside.open("rb") as file, path.open("rb") as log:
        size = int.from_bytes(log.read(18)[16:])
        size = 1 << 16 if size == 1 else size  # there is no room for this one
        salts = file.read(HEAD)[SALTS]
        number, ends = 0, list[int]()
        pages, last = dict[int, bytes](), deque[dict[int, bytes]](maxlen=LOST)
        while len(frame := file.read(FRAME.size + size)) == FRAME.size + size:
            number += 1
            page, ending, one, other = FRAME.unpack_from(frame)
            if one == salts[:4] or other == salts[4:]:
                pages[page] = frame[FRAME.size :]
                if ending:
                    ends.append(number)
                    last.append(pages)
                    pages = {}
        newest = {page: content for pages in last for page, content in pages.items()}
        return Written(salts, ends, all(_is_in(log, *one) for one in newest.items()))


def _is_in(log: BinaryIO, page: int, content: bytes) -> bool:
    log.seek(max(0, page - 1) * len(content))
    return log.read(len(content)) == content


def _read(path: Path) -> tuple[int, bytes]:
    """How many frames SQLite reads, and their salts: zeros if the file's head is no such."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    with ExitStack() as last, closing(sqlite3.connect(address, uri=True)) as connection:
        distrust(connection)
        connection.execute("PRAGMA user_version").fetchone()  # reads the file, no schema
        index = last.enter_context(path.with_name(f"{path.name}-shm").open("rb"))
        frames, salts = INDEX.unpack(index.read(INDEX.size))
    return frames, salts
