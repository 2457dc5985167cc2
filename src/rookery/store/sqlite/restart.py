"""What a restart needs: every stream that no record has ended, in the order of the log.

One damaged stream must not keep the others from going on. So a record that does not follow
makes its stream one of the `damaged`, of which nothing more is given; and where SQLite
cannot read on at all, the streams are read one by one from there.

All records younger than the bookmark are looked at first: only they tell which streams run.
If they cannot be read nobody could say what is missing, and that is an error.
"""

import sqlite3
from collections.abc import Iterator
from heapq import merge
from typing import Final

from rookery.core.events import HALL_STREAM, Record
from rookery.store import StoreBroken
from rookery.store.rows import COLUMNS, FAULTS, Follower, Raw, find_in, name_of
from rookery.store.sqlite.bookmark import WAY_OUT, read_bookmark
from rookery.store.sqlite.sweeping import chains, merged, plan_for, rows_of

_YOUNG: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608
_STREAM_OF: Final = "SELECT CAST(stream AS BLOB) FROM records WHERE seq = ?"
_FINISHED: Final = "SELECT 1 FROM finished WHERE stream = ?"
_LAST: Final = "SELECT coalesce(max(seq), 0) FROM records"


class Restart:
    """Reads what a restart needs; `damaged` has the streams that are not whole. It mutates."""

    def __init__(self, connection: sqlite3.Connection, known: int = 0) -> None:
        self._connection = connection
        self._known = known  # of the hall's own stream only records after this one are needed
        self.damaged: dict[str, str] = {}

    def records(self) -> Iterator[Record]:
        """Yield the records, in order. Raises StoreBroken if nobody can say which they are."""
        tips = self._running()
        follower = Follower(find_in(self._connection))
        if self._known:
            follower.resume(HALL_STREAM, self._known)
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
        """The streams that a damaged record may be of: its own, and that of `before`."""
        yield name_of(stream)
        if isinstance(before, int):
            found = self._connection.execute(_STREAM_OF, (before,)).fetchone()
            if found is not None:
                yield name_of(found[0])

    def _follow(self, tips: dict[str, int], follower: Follower) -> Iterator[Record]:
        """Yield the records of these streams."""
        (last,) = self._connection.execute(_LAST).fetchone()
        names = {stream.encode(): stream for stream in tips if stream not in self.damaged}
        return follower.follow(self._rows(tips, last), names, self.damaged)

    def _rows(self, tips: dict[str, int], last: int) -> Iterator[Raw]:
        """The rows of these streams; of the hall's own only those after the known ones."""
        if not self._known:
            return rows_of(self._connection, tips, plan_for(self._connection, tips, last))
        others = {stream: tip for stream, tip in tips.items() if stream != HALL_STREAM}
        plan = plan_for(self._connection, others, last)
        tip = [tip for tip in (tips.get(HALL_STREAM, 0),) if tip > self._known]
        own = chains(self._connection, tip, self._known)
        return merged(own, rows_of(self._connection, others, plan))

    def _one_by_one(self, tips: dict[str, int], follower: Follower) -> Iterator[Record]:
        """Yield the rest, reading each stream by itself: what fails is damaged."""
        found = [list(self._rest(stream, tip, follower)) for stream, tip in tips.items()]
        yield from merge(*found, key=lambda record: record.seq)

    def _rest(self, stream: str, tip: int, follower: Follower) -> Iterator[Record]:
        """Yield the records of this stream that were not taken yet, as far as it is whole."""
        try:
            for row in chains(self._connection, [tip], follower.reached(stream)):
                if name_of(row[1]) == stream and stream not in self.damaged:
                    yield follower.take(row)
        except StoreBroken as wrong:
            self.damaged[stream] = str(wrong)
        except FAULTS as wrong:
            self.damaged.setdefault(stream, f"It cannot be read: {wrong}.")
