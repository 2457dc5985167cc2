"""Combing a damaged file: every row that SQLite can read, and where it cannot.

SQLite stops at the first page that it cannot read. So the rows behind it are asked for by
ranges of their numbers, and a range that fails is halved, down to single rows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.events import Record, table_of
from rookery.store import StoreBroken
from rookery.store.catalogue import Catalogue
from rookery.store.log import COLUMNS, FAULTS, Follower, Raw, find_in, name_of
from rookery.store.sqlite import BOOKMARK_EVERY, Bookmark, plainly, read_bookmark
from rookery.store.sqlite_file import check_schema, distrust

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


# Examining a log's file: every record that is as it was written, and every flaw.
#
# Nothing in the file is trusted. The records are held against their seals, what SQLite
# keeps around them against its own rules, and what the store keeps beside them (bookmark,
# finished streams, catalogue) against what the records say.


_STRANGE: Final = """
SELECT seq FROM records WHERE typeof(stream) <> 'text' OR typeof(event) <> 'text'
"""
_FILED: Final = "SELECT number, game, tour, status, ended FROM catalogue"
_MISSEALED: Final = """
SELECT count(*) FROM finished JOIN records ON seq = tip WHERE finished.sum <> records.sum
"""
_SHOWN: Final = 20  # sentences of what SQLite itself finds wrong


class Flaw(Struct, frozen=True):
    """Something damaged: the record and its stream, as far as they are known."""

    seq: int
    stream: str
    sentence: str


class Examination:
    """One reading of a log's file, as it is now: what a server adds is not seen. It mutates."""

    def __init__(self, path: Path) -> None:
        address = f"{path.resolve().as_uri()}?mode=ro"
        self._connection = sqlite3.connect(address, uri=True, isolation_level=None)
        try:
            distrust(self._connection)
            self._connection.execute("BEGIN")
            check_schema(self._connection)
        except BaseException:
            self._connection.close()
            raise
        self._tips: dict[str, tuple[int, bool]] = {}  # the last record, and whether it has ended
        self._marked: dict[str, tuple[int, bool]] = {}  # the same, as of the bookmark
        self._marked_table = 0
        self._catalogue = Catalogue()
        self._bookmark: Bookmark | None = None
        self._flawed = False

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def tips(self) -> dict[str, int]:
        """The last record of each stream, as far as that can be read; ask after `records`."""
        if self._bookmark is None:
            return {}
        tips, marked = dict(self._bookmark.running), self._bookmark.seq
        with suppress(*FAULTS):
            tips.update(
                (stream, tip)
                for stream, tip in self._connection.execute("SELECT stream, tip FROM finished")
                if isinstance(stream, str) and isinstance(tip, int) and tip <= marked
            )
        return tips

    def file(self) -> Iterator[str]:
        """Yield what is wrong with the file itself."""
        try:
            for (word,) in self._connection.execute(f"PRAGMA integrity_check({_SHOWN})"):
                if word != "ok":
                    yield f"SQLite finds the file damaged: {word}."
        except FAULTS as wrong:
            yield f"SQLite finds the file damaged: {wrong}."

    def records(self) -> Iterator[Record | Flaw]:
        """Yield every sound record, in order, and a flaw for each of the others."""
        try:
            self._bookmark = read_bookmark(self._connection)
        except (StoreBroken, *FAULTS) as wrong:
            yield self._flaw(0, "", str(wrong))
        follower = Follower(find_in(self._connection))
        for found in comb(self._connection):
            if isinstance(found, Gap):
                to = "on" if found.last is None else f"to {found.last}"
                sentence = f"The records from {found.first} {to} cannot be read: {found.why}."
                yield self._flaw(found.last or found.first, "", sentence)
            else:
                yield self._judge(found, follower)
        if self._flawed:
            return
        for (seq,) in self._connection.execute(_STRANGE):
            yield self._flaw(seq, "", f"Record {seq} of the log is damaged: it is no text.")

    def beside(self) -> Iterator[str]:
        """Yield what the store keeps beside the records that does not follow from them."""
        bookmark = self._bookmark
        if self._flawed or bookmark is None:
            return  # nothing can be said while a record is missing
        try:
            yield from self._beside(bookmark)
        except (*FAULTS, TypeError, ValueError) as wrong:
            yield f"What the log keeps of finished tables cannot be read: {wrong}."

    def _beside(self, bookmark: Bookmark) -> Iterator[str]:
        if bookmark.seq > max((seq for seq, _ in self._tips.values()), default=0):
            yield f"The log had {bookmark.seq} records, and the last of them are missing."
            return
        running = {stream: seq for stream, (seq, ended) in self._marked.items() if not ended}
        if running != bookmark.running or self._marked_table != bookmark.last_table:
            yield "The bookmark is not what the records say."
        ended = {stream: seq for stream, (seq, ended) in self._marked.items() if ended}
        rows = self._connection.execute("SELECT stream, tip FROM finished").fetchall()
        if ended != dict(rows):
            yield "The list of finished streams is not what the records say."
        if self._connection.execute(_MISSEALED).fetchone() != (0,):
            yield "A seal in the list of finished streams is damaged."
        if self._filed() != self._catalogue.rows():
            yield "The catalogue of tables is not what the records say."
        sitters = self._connection.execute("SELECT player, number FROM sitters").fetchall()
        if sorted(sitters) != self._catalogue.sitters():
            yield "The list of who sat where is not what the records say."

    def _filed(self) -> list[tuple[object, ...]]:
        return sorted(self._connection.execute(_FILED).fetchall())

    def _judge(self, row: Raw, follower: Follower) -> Record | Flaw:
        try:
            record = follower.take(row)
        except (StoreBroken, *FAULTS) as wrong:  # what it follows may be where SQLite cannot read
            return self._flaw(row[0], name_of(row[1]), str(wrong))
        _, ended = self._tips.get(record.stream, (0, False))
        self._tips[record.stream] = (record.seq, ended or record.ends)
        if self._bookmark is not None and record.seq <= self._bookmark.seq:
            self._marked[record.stream] = self._tips[record.stream]
            self._marked_table = max(self._marked_table, table_of(record.stream) or 0)
        self._catalogue.take((record,))
        return record

    def _flaw(self, seq: int, stream: str, sentence: str) -> Flaw:
        self._flawed = True
        return Flaw(seq, stream, sentence)


# Gathering what a damaged log still has: every sound record, and every stream with a gap.


class Gathered(Struct, frozen=True):
    """What a damaged log still has: its records in order, and what is missing between them."""

    records: list[Record]
    broken: dict[str, str]  # the streams of which some are missing, and how that shows
    missing: list[range]  # the records that cannot be read, or are damaged


def gather(path: Path) -> Gathered:
    """Gather all that can be read from this file, which may be damaged anywhere.

    Raises StoreBroken where its schema is not what Rookery makes, be that damage or not.
    """
    records: list[Record] = []
    broken: dict[str, str] = {}
    with plainly(path), closing(Examination(path)) as examination:
        for found in examination.records():
            if not isinstance(found, Flaw):
                records.append(found)
            elif found.stream:
                broken.setdefault(found.stream, found.sentence)
        tips = examination.tips()
    taken = {record.seq for record in records}
    reached = {record.stream: record.seq for record in records}
    for stream, tip in tips.items():
        # A tip that is a sound record of another stream is itself what is damaged.
        if reached.get(stream, 0) < tip and tip not in taken:
            broken.setdefault(stream, f"Its last record, {tip}, is missing.")
    end = max([*tips.values(), *taken], default=0)
    # As spans: where the bookmark is damaged, there may be any number of them.
    bounds = pairwise([0, *sorted(taken), end + 1])
    missing = [range(one + 1, other) for one, other in bounds if one + 1 < other]
    return Gathered(records, broken, missing)
