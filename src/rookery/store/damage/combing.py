"""Combing a damaged file: every row that SQLite can read, and where it cannot.

SQLite stops at the first page that it cannot read. So the rows behind it are asked for by
ranges of their numbers, and a range that fails is halved, down to single rows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec import Struct

from rookery.store import StoreBroken
from rookery.store.rows import COLUMNS, FAULTS, Raw
from rookery.store.sqlite.bookmark import BOOKMARK_EVERY, read_bookmark

_RANGE: Final = f"SELECT {COLUMNS} FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq"  # noqa: S608
_HIGHEST: Final = (1 << 63) - 1  # number that a row can have
_SHORTEST: Final = 40  # bytes of a record in the file


class Gap(Struct, frozen=True):
    """Records that cannot be read, from the first to the last, and why."""

    first: int
    last: int | None  # None where nobody knows
    why: str


def comb(connection: sqlite3.Connection) -> Iterator[Raw | Gap]:
    """Yield every row of this file that can be read, in order, and every gap between them."""
    ranges = [(1, _HIGHEST)]  # the next one last
    read, why = 0, ""  # the last row that was read, and why those behind it cannot be
    while ranges:
        first, last = ranges.pop()
        try:
            for row in connection.execute(_RANGE, (first, last)):
                if row[0] < first:
                    raise sqlite3.DatabaseError("its rows are not in order")
                if why and read + 1 < row[0]:
                    yield Gap(read + 1, row[0] - 1, why)
                read, why = row[0], ""
                first = read + 1
                yield row
        except FAULTS as wrong:
            if isinstance(wrong, sqlite3.ProgrammingError):
                raise  # our own mistake
            why = why or str(wrong)
            last = min(last, _end(connection)) if last == _HIGHEST else last
            if first < last:
                middle = (first + last) // 2
                ranges += [(middle + 1, last), (first, middle)]
    if why:
        yield Gap(read + 1, None, why)


def _end(connection: sqlite3.Connection) -> int:
    """A number that no sound record of this file exceeds."""
    ((pages,), (size,)) = (
        connection.execute(f"PRAGMA {word}").fetchone() for word in ("page_count", "page_size")
    )
    most = pages * size // _SHORTEST
    with suppress(StoreBroken, *FAULTS):
        most = min(most, read_bookmark(connection).seq + BOOKMARK_EVERY)
    return int(most)
