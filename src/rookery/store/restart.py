"""What a restart needs: every stream that no record has ended, in the order of the log.

One damaged stream must not keep the others from going on. So a record that does not follow
makes its stream one of the `damaged`, of which nothing more is given; and where SQLite
cannot read on at all, the streams are read one by one from there.

What is younger than the bookmark is looked at first, all of it: only so is it known which
streams run. If that cannot be read nobody could say what is missing, and it is an error.
"""

import sqlite3
from collections.abc import Iterator
from heapq import merge
from typing import Final

import msgspec

from rookery.core.events import Record
from rookery.store import StoreBroken
from rookery.store.bookmark import WAY_OUT, read_bookmark
from rookery.store.rows import COLUMNS, FAULTS, Follower, Raw, find_in, name_of

_YOUNG: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608
_STREAM_OF: Final = "SELECT CAST(stream AS BLOB) FROM records WHERE seq = ?"
_FINISHED: Final = "SELECT 1 FROM finished WHERE stream = ?"
_CHAINS: Final = f"""
WITH RECURSIVE chain(seq) AS (
    SELECT value FROM json_each(:tips)
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > 0 AND before < seq
)
SELECT {COLUMNS} FROM records
WHERE seq IN (SELECT seq FROM chain) AND seq > :after ORDER BY seq
"""  # noqa: S608


class Restart:
    """Reads what a restart needs; `damaged` has the streams that are not whole. It mutates."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._last = 0  # the record that was given last
        self.damaged: dict[str, str] = {}

    def records(self) -> Iterator[Record]:
        """The records, in order. Raises StoreBroken where nobody can say which they are."""
        tips = self._running()
        follower = Follower(find_in(self._connection))
        try:
            yield from self._follow(tips, follower)
        except FAULTS as wrong:
            if isinstance(wrong, sqlite3.ProgrammingError):
                raise  # our own mistake
            yield from self._one_by_one(tips, follower)
        for stream, tip in tips.items():
            if stream not in self.damaged and follower.reached(stream) != tip:
                self.damaged[stream] = f"Its last record, {tip}, is missing or damaged."

    def _running(self) -> dict[str, int]:
        """The streams that run, and the last record of each."""
        bookmark = read_bookmark(self._connection)
        running = dict(bookmark.running)
        ended: set[str] = set()
        follower = Follower(find_in(self._connection))
        try:
            for row in self._connection.execute(_YOUNG, (bookmark.seq,)):
                seq, stream, _, _, ends, before, _, _ = row
                try:
                    follower.take(row)
                except StoreBroken as wrong:
                    for name in self._concerned(stream, before):
                        self.damaged.setdefault(name, str(wrong))
                name = name_of(stream)
                running[name] = seq
                if ends:
                    ended.add(name)
        except FAULTS as wrong:
            if isinstance(wrong, sqlite3.ProgrammingError):
                raise
            raise StoreBroken(f"The newest records cannot be read: {wrong}; {WAY_OUT}.") from wrong
        return {
            stream: tip
            for stream, tip in running.items()
            if stream not in ended
            and (
                stream in bookmark.running
                or self._connection.execute(_FINISHED, (stream,)).fetchone() is None
            )
        }

    def _concerned(self, stream: bytes, before: object) -> Iterator[str]:
        """Whose record a damaged one may be: of the stream it names, or of the one it follows."""
        yield name_of(stream)
        if isinstance(before, int):
            found = self._connection.execute(_STREAM_OF, (before,)).fetchone()
            if found is not None:
                yield name_of(found[0])

    def _follow(self, tips: dict[str, int], follower: Follower) -> Iterator[Record]:
        """The records of these streams that come after the last that was given."""
        values = {"tips": msgspec.json.encode(list(tips.values())).decode(), "after": self._last}
        for row in self._connection.execute(_CHAINS, values):
            record = self._take(row, tips, follower)
            if record is not None:
                self._last = record.seq
                yield record

    def _take(self, row: Raw, tips: dict[str, int], follower: Follower) -> Record | None:
        """The record in this row, if it is one of a sound stream that is wanted."""
        name = name_of(row[1])
        if name not in tips or name in self.damaged:
            return None
        try:
            return follower.take(row)
        except StoreBroken as wrong:
            self.damaged[name] = str(wrong)
            return None

    def _one_by_one(self, tips: dict[str, int], follower: Follower) -> Iterator[Record]:
        """The rest, each stream read by itself: those that cannot be are damaged."""
        found: list[list[Record]] = []
        for stream, tip in tips.items():
            values = {"tips": f"[{tip}]", "after": self._last}
            try:
                rows = self._connection.execute(_CHAINS, values).fetchall()
            except FAULTS as wrong:
                self.damaged.setdefault(stream, f"It cannot be read: {wrong}.")
                continue
            taken = (self._take(row, {stream: tip}, follower) for row in rows)
            found.append([record for record in taken if record is not None])
        yield from merge(*found, key=lambda record: record.seq)
