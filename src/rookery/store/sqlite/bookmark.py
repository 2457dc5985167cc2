"""The bookmark: up to which record the tips of all streams stand in the file.

What runs is one row of it, sealed as records are; what had ended is a row each in
`finished`, with the seal of the record it points to.
"""

import sqlite3
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from rookery.store import StoreBroken
from rookery.store.seal import seal_bookmark

_READ: Final = "SELECT seq, last_table, CAST(running AS BLOB), sum FROM bookmark"
_WRITE: Final = "UPDATE bookmark SET seq = ?, last_table = ?, running = ?, sum = ?"
_RUNNING: Final = msgspec.json.Decoder(dict[str, int])

# Records between bookmarks. More make a bookmark cheaper, and reading one stream dearer:
# it looks through what is younger than the bookmark, about 0.1 µs a record.
BOOKMARK_EVERY: Final = 20_000

WAY_OUT: Final = "`rookery salvage` saves what can be saved"


class Bookmark(Struct, frozen=True):
    """Up to which record the file knows the tips of streams, and those that ran then."""

    seq: int
    last_table: int  # the highest number of a table up to there
    running: Mapping[str, int]  # the last record of each stream that no record had ended


def read_bookmark(connection: sqlite3.Connection) -> Bookmark:
    """Read the bookmark in this file. Raises StoreBroken if it is damaged."""
    found = connection.execute(_READ).fetchall()
    try:
        ((seq, last_table, running, said),) = found
        if seal_bookmark(seq, last_table, running) == said:
            return Bookmark(seq, last_table, _RUNNING.decode(running))
    except Exception as wrong:  # whatever a damaged row is
        raise StoreBroken(f"The bookmark of the log is damaged; {WAY_OUT}.") from wrong
    raise StoreBroken(f"The bookmark of the log is damaged; {WAY_OUT}.")


def write_bookmark(connection: sqlite3.Connection, bookmark: Bookmark) -> None:
    """Put this bookmark into the file, as part of the transaction under way."""
    running = msgspec.json.encode(bookmark.running)
    sealed = seal_bookmark(bookmark.seq, bookmark.last_table, running)
    row = (bookmark.seq, bookmark.last_table, running.decode(), sealed)
    connection.execute(_WRITE, row)
