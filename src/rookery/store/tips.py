"""The tips: the last record of every stream, which the next of that stream names as `before`.

The writer keeps those of running streams in memory. At every bookmark it writes them all
into one row, and those of streams that have ended into a row each, once and for good: so
a record costs no page but its own.
"""

import sqlite3
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from rookery.core.events import Record, table_of
from rookery.store.codec import encode_event

Row = tuple[int, str, int, int, int, int, str]  # as in the table `records`


class Tip(Struct, frozen=True):
    """A stream's last record, and whether it, or one before it, ended the stream."""

    seq: int
    ended: bool = False


class Tips:
    """The tips of all streams. It mutates, and belongs to whoever appends."""

    def __init__(self, connection: sqlite3.Connection, every: int) -> None:
        self._connection = connection
        self._every = every  # records between bookmarks
        seq, running = connection.execute("SELECT seq, running FROM bookmark").fetchone()
        self._bookmark = int(seq)
        tips = msgspec.json.decode(running, type=dict[str, int])
        self._tips = {stream: Tip(tip) for stream, tip in tips.items()}
        for stream, seq, ends in connection.execute(
            "SELECT stream, seq, ends FROM young ORDER BY seq"
        ):
            self._tips[stream] = Tip(seq, ends != 0 or self._tip(stream).ended)

    def link(self, records: Sequence[Record]) -> tuple[list[Row], dict[str, Tip]]:
        """These as rows, each naming the one before it; and the tips once they are written."""
        rows: list[Row] = []
        tips: dict[str, Tip] = {}
        for record in records:
            stream = record.stream
            tip = tips.get(stream) or self._tip(stream)
            tips[stream] = Tip(record.seq, record.ends or tip.ended)
            ends = 1 if record.ends else 0  # sqlite3 is slow to see that a bool is an int
            text = encode_event(record.event)
            rows.append((record.seq, stream, record.n, record.at, ends, tip.seq, text))
        return rows, tips

    def due(self, seq: int) -> bool:
        """Whether it is time for a bookmark once there are so many records."""
        return seq - self._bookmark >= self._every

    def write_bookmark(self, seq: int, moved: dict[str, Tip]) -> None:
        """Put all tips into the file, in the transaction that writes up to `seq`."""
        tips = self._tips | moved
        last_table = max(table_of(stream) or 0 for stream in tips)
        running = {stream: tip.seq for stream, tip in tips.items() if not tip.ended}
        finished = [(stream, tip.seq) for stream, tip in tips.items() if tip.ended]
        self._connection.execute(
            "UPDATE bookmark SET seq = ?, last_table = max(last_table, ?), running = ?",
            (seq, last_table, msgspec.json.encode(running).decode()),
        )
        self._connection.executemany("REPLACE INTO finished VALUES (?, ?)", sorted(finished))

    def moved(self, tips: dict[str, Tip]) -> None:
        """These are written."""
        self._tips.update(tips)

    def bookmarked(self, seq: int) -> None:
        """The bookmark is written: what has ended need not be remembered."""
        self._bookmark = seq
        self._tips = {stream: tip for stream, tip in self._tips.items() if not tip.ended}

    def _tip(self, stream: str) -> Tip:
        """The stream's tip; of a stream that ended before the bookmark, from the file."""
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        found = self._connection.execute("SELECT tip FROM finished WHERE stream = ?", (stream,))
        row = found.fetchone()
        return Tip(0) if row is None else Tip(row[0], ended=True)
