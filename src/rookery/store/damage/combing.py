"""Combing a damaged file: every row that can be had from it, and where some cannot.

SQLite stops at the first page that it cannot read. Here the rows behind it are asked for
one by one, until one comes, and reading goes on from there.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from rookery.store.rows import COLUMNS, FAULTS, Raw

_ON: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608
_ONE: Final = f"SELECT {COLUMNS} FROM records WHERE seq = ?"  # noqa: S608
_NONE: Final = "SELECT 1 FROM records LIMIT 0"
STEPS_MAX: Final = 100_000  # rows asked for one by one until there is another that can be read


class Gap(Struct, frozen=True):
    """Records that cannot be read, from the first to the last, and why."""

    first: int
    last: int | None  # None where nobody knows
    why: str


def comb(connection: sqlite3.Connection) -> Iterator[Raw | Gap]:
    """Yield every row of this file that can be read, in order, and every gap between them."""
    last = 0
    while True:
        try:
            for row in connection.execute(_ON, (last,)):
                last = row[0]
                yield row
        except FAULTS as wrong:
            if isinstance(wrong, sqlite3.ProgrammingError):
                raise  # our own mistake
            row = _next(connection, last)
            if row is None:
                yield Gap(last + 1, None, str(wrong))
                return
            if row[0] > last + 1:
                yield Gap(last + 1, row[0] - 1, str(wrong))
            yield row
            last = row[0]
        else:
            return


def _next(connection: sqlite3.Connection, last: int) -> Raw | None:
    """The next row after this one that can be read; None if none is found."""
    try:
        connection.execute(_NONE)
    except FAULTS:
        return None  # if even that cannot be asked, SQLite knows no table of records
    for seq in range(last + 1, last + STEPS_MAX):
        try:
            row: Raw | None = connection.execute(_ONE, (seq,)).fetchone()
        except FAULTS:
            continue
        if row is not None:
            return row
    return None
