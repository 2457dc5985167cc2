"""The tips: the last record of every stream, which the next of that stream names as `before`.

The writer keeps those of running streams in memory. At every bookmark it writes them all
into one row, and those of streams that have ended into a row each, once and for good: so
a record costs no page but its own.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from msgspec import Struct

from rookery.core.events import Record, table_of
from rookery.store.codec import encode_event
from rookery.store.seal import first_seal, numbers
from rookery.store.sqlite.bookmark import Bookmark, read_bookmark, write_bookmark

_YOUNG: Final = """
SELECT seq, CAST(stream AS BLOB), ends, sum FROM records WHERE seq > ? ORDER BY seq
"""

TRIES: Final = 60  # at reading one seal, a second apart; then it is not the disk's bad moment
_SEAL: Final = "SELECT sum FROM records WHERE seq = ?"

Row = tuple[int, str, int, int, int, int, str, int]  # as in the table `records`


class Tip(Struct, frozen=True, gc=False):
    """A stream's last record, and whether it, or one before it, ended the stream."""

    seq: int
    ended: bool = False
    sum: int | None = None  # its seal; None: it is looked up when it is needed


class Tips:
    """The tips of all streams. It mutates, and belongs to the one who appends."""

    def __init__(self, connection: sqlite3.Connection, every: int) -> None:
        self._connection = connection
        self._every = every  # records between bookmarks
        self._failed: dict[int, int] = {}  # how often the disk could not read a record's seal
        bookmark = read_bookmark(connection)
        self._bookmark = bookmark.seq
        self._last_table = bookmark.last_table
        self._tips = {stream: Tip(tip) for stream, tip in bookmark.running.items()}
        for seq, name, ends, sealed in connection.execute(_YOUNG, (bookmark.seq,)):
            stream = str(name, errors="replace") if isinstance(name, bytes) else ""
            ended = bool(ends) or self._tip(stream).ended
            self._tips[stream] = Tip(seq, ended, sealed if isinstance(sealed, int) else None)

    @property
    def bookmark(self) -> int:
        """The last record that the bookmark in the file knows of."""
        return self._bookmark

    def link(self, records: Sequence[Record]) -> tuple[list[Row], dict[str, Tip]]:
        """These records as rows, each naming the one before it; and the tips after them."""
        rows: list[Row] = []
        tips: dict[str, Tip] = {}
        known = self._tips
        for record in records:
            seq, stream, n, at = record.seq, record.stream, record.n, record.at
            tip = tips.get(stream) or known.get(stream) or self._tip(stream)
            before, last = tip.seq, tip.sum
            if last is None:
                last = self._sealed(stream, tip)
            ends = 1 if record.ends else 0  # sqlite3 is slow to see that a bool is an int
            event = encode_event(record.event)
            # `seal`, written out: this is asked of every record there is.
            sealed = crc32(event, crc32(numbers(seq, n, at, ends, before), last))
            tips[stream] = Tip(seq, record.ends or tip.ended, sealed)
            rows.append((seq, stream, n, at, ends, before, event.decode(), sealed))
        return rows, tips

    def due(self, seq: int) -> bool:
        """Whether it is time for a bookmark once there are so many records."""
        return seq - self._bookmark >= self._every

    def write_bookmark(self, seq: int, moved: dict[str, Tip]) -> None:
        """Put all tips into the file, in the transaction that writes up to `seq`."""
        tips = self._tips | moved
        last_table = max(table_of(stream) or 0 for stream in tips) if tips else 0
        last_table = max(self._last_table, last_table)
        running = {stream: tip.seq for stream, tip in tips.items() if not tip.ended}
        write_bookmark(self._connection, Bookmark(seq, last_table, running))
        finished = [
            (stream, tip.seq, self._sealed(stream, tip))
            for stream, tip in tips.items()
            if tip.ended
        ]
        self._connection.executemany("REPLACE INTO finished VALUES (?, ?, ?)", sorted(finished))

    def moved(self, tips: dict[str, Tip]) -> None:
        """Note that these tips are written."""
        self._tips.update(tips)

    def bookmarked(self, seq: int) -> None:
        """Note that the bookmark is written, and forget streams that have ended."""
        self._bookmark = seq
        self._last_table = max(self._last_table, *(table_of(one) or 0 for one in self._tips), 0)
        self._tips = {stream: tip for stream, tip in self._tips.items() if not tip.ended}

    def _tip(self, stream: str) -> Tip:
        """The stream's tip; from the file if it ended before the bookmark."""
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        found = self._connection.execute("SELECT tip FROM finished WHERE stream = ?", (stream,))
        row = found.fetchone()
        return Tip(0) if row is None else Tip(row[0], ended=True)

    def _sealed(self, stream: str, tip: Tip) -> int:
        """The seal of a stream's last record, from the file if we do not know it.

        If it cannot be read the stream is damaged, and readers will see that; that is no reason to
        write nothing more. But a disk that fails for a moment is no damage: a seal that is made up
        would be.
        """
        if tip.sum is not None:
            return tip.sum
        row = None
        if tip.seq:
            try:
                row = self._connection.execute(_SEAL, (tip.seq,)).fetchone()
            except sqlite3.OperationalError:
                self._failed[tip.seq] = self._failed.get(tip.seq, 0) + 1
                if self._failed[tip.seq] < TRIES:
                    raise
            except sqlite3.DatabaseError:
                pass
        return row[0] if row is not None and isinstance(row[0], int) else first_seal(stream)
