"""Examining a log: every record that is as it was written, and every flaw; and gathering the rest.

Nothing in a log is trusted. The records are held against their seals, and what the store keeps
beside them (bookmark, finished streams, catalogue) against what the records say.

SQLite stops at the first page that it cannot read. So the rows behind it are asked for by ranges of
their numbers, and a range that fails is halved, down to single rows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.events import Record, table_of
from rookery.store.catalogue import file_away
from rookery.store.log import Follower, Raw, StoreBroken, name_of
from rookery.store.reader import Source
from rookery.store.sqlite import (
    BOOKMARK_EVERY,
    COLUMNS,
    FAULTS,
    MEMORY,
    SQL,
    Bookmark,
    open_source,
    plainly,
    read_bookmark,
)
from rookery.store.sqlite_file import make_schema

_RANGE: Final = f"SELECT {COLUMNS} FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq"  # noqa: S608
_HIGHEST: Final = (1 << 63) - 1  # number that a row can have
_SHORTEST: Final = 40  # bytes of a record in the file
_SHOWN: Final = 20  # sentences of what SQLite itself finds wrong
_STRANGE: Final = """
SELECT seq FROM records WHERE typeof(stream) <> 'text' OR typeof(event) <> 'text'
"""
_ENDED: Final = "SELECT stream, tip FROM finished"
_MISSEALED: Final = """
SELECT count(*) FROM finished JOIN records ON seq = tip WHERE finished.sum <> records.sum
"""


class Flaw(Struct, frozen=True):
    """Something damaged: the record and its stream, as far as they are known."""

    seq: int
    stream: str
    sentence: str


class Gap(Struct, frozen=True):
    """Records that cannot be read, from the first to the last, in a sentence."""

    first: int
    last: int | None  # None where nobody knows
    sentence: str


class Seen:
    """What the records lead to that were read so far."""

    def __init__(self) -> None:
        self.last = self.last_table = 0
        self._tips: dict[str, tuple[int, bool]] = {}  # the last record, and whether it has ended

    def take(self, record: Record) -> None:
        """Take the next record."""
        _, ended = self._tips.get(record.stream, (0, False))
        self._tips[record.stream] = (record.seq, ended or record.ends)
        self.last = record.seq
        self.last_table = max(self.last_table, table_of(record.stream) or 0)

    def streams(self, *, ended: bool) -> dict[str, int]:
        """The streams that have ended, or the others, each with its last record."""
        return {stream: seq for stream, (seq, over) in self._tips.items() if over == ended}


class Examined(Protocol):
    """A log as an examination looks into it: a file, or a hall in a database."""

    source: Source

    def file(self) -> Iterator[str]:
        """Yields what is wrong with the file itself."""

    def rows(self) -> Iterator[Raw | Gap]:
        """Yields every row that can be read, in order, and every gap between them."""

    def note(self, record: Record) -> None:
        """Take notice of a sound record."""

    def beside(self, seen: Seen) -> Iterator[str]:
        """Yields what is kept beside sound records and does not follow from them."""

    def close(self) -> None:
        """Let go of it."""


class Examination:
    """One reading of a log, as it is now: what a server adds is not seen."""

    def __init__(self, examined: Examined) -> None:
        self._examined = examined
        self._seen = Seen()
        self._catalogue = sqlite3.connect(MEMORY, isolation_level=None)  # as the records have it
        make_schema(self._catalogue)
        self._flawed = False

    def close(self) -> None:
        """Let go of the log."""
        self._catalogue.close()
        self._examined.close()

    def file(self) -> Iterator[str]:
        """Yield what is wrong with the file itself."""
        return self._examined.file()

    def records(self) -> Iterator[Record | Flaw]:
        """Yield every sound record, in order, and a flaw for each of the others."""
        follower = Follower(self._examined.source.mark)
        for found in self._examined.rows():
            if isinstance(found, Gap):
                yield self._flaw(found.last or found.first, "", found.sentence)
                continue
            try:
                record = follower.take(found)
            except StoreBroken as wrong:  # what it follows may be where SQLite cannot read
                yield self._flaw(found[0], name_of(found[1]), str(wrong))
                continue
            self._seen.take(record)
            self._examined.note(record)
            file_away(self._catalogue, (record,))
            yield record

    def beside(self) -> Iterator[str]:
        """Yield what the store keeps beside the records that does not follow from them."""
        if self._flawed:
            return  # nothing can be said while a record is missing
        try:
            yield from self._examined.beside(self._seen)
            source = self._examined.source
            if sorted(source.ask(source.sql.filed)) != self._wanted(SQL.filed):
                yield "The catalogue of tables is not what the records say."
            if sorted(source.ask(source.sql.sitters)) != self._wanted(SQL.sitters):
                yield "The list of who sat where is not what the records say."
        except (*FAULTS, StoreBroken, TypeError, ValueError) as wrong:
            yield f"What the log keeps of finished tables cannot be read: {wrong}."

    def _wanted(self, sql: str) -> list[tuple[object, ...]]:
        return sorted(self._catalogue.execute(sql).fetchall())

    def _flaw(self, seq: int, stream: str, sentence: str) -> Flaw:
        self._flawed = True
        return Flaw(seq, stream, sentence)


class ExaminedFile:
    """A log's file as an examination looks into it, at one moment."""

    def __init__(self, path: Path) -> None:
        source = open_source(path.resolve())
        self.source: Source = source
        self._connection = source.connection
        with ExitStack() as opened, plainly(path):
            opened.callback(self.close)
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the moment
            opened.pop_all()
        self._bookmark: Bookmark | None = None
        self._marked = Seen()  # as of the bookmark

    def close(self) -> None:
        """Let go of the file."""
        self.source.close()

    def tips(self) -> dict[str, int]:
        """The last record of each stream, as far as that can be read; ask after `rows`."""
        if self._bookmark is None:
            return {}
        tips, marked = dict(self._bookmark.running), self._bookmark.seq
        with suppress(*FAULTS):
            tips.update(
                (stream, tip)
                for stream, tip in self._connection.execute(_ENDED)
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

    def rows(self) -> Iterator[Raw | Gap]:
        """Yield every row that can be read, in order, and every gap between them."""
        try:
            self._bookmark = read_bookmark(self._connection)
        except (StoreBroken, *FAULTS) as wrong:
            yield Gap(0, 0, str(wrong))
        yield from self._comb()

    def note(self, record: Record) -> None:
        """Take notice of a sound record."""
        if self._bookmark is not None and record.seq <= self._bookmark.seq:
            self._marked.take(record)

    def beside(self, seen: Seen) -> Iterator[str]:
        """Yield what is kept beside sound records and does not follow from them."""
        bookmark, marked = self._bookmark, self._marked
        if bookmark is None:
            return  # which was said
        for (seq,) in self._connection.execute(_STRANGE):
            yield f"Record {seq} of the log is damaged: it is no text."
        if bookmark.seq > seen.last:
            yield f"The log had {bookmark.seq} records, and the last of them are missing."
            return
        running = marked.streams(ended=False)
        if running != bookmark.running or marked.last_table != bookmark.last_table:
            yield "The bookmark is not what the records say."
        if marked.streams(ended=True) != dict(self._connection.execute(_ENDED).fetchall()):
            yield "The list of finished streams is not what the records say."
        if self._connection.execute(_MISSEALED).fetchone() != (0,):
            yield "A seal in the list of finished streams is damaged."

    def _comb(self) -> Iterator[Raw | Gap]:
        """Yield every row that can be read, and every gap: halve each range that fails."""
        ranges = [(1, _HIGHEST)]  # the next one last
        read, why = 0, ""  # the last row that was read, and why those behind it cannot be
        while ranges:
            first, last = ranges.pop()
            try:
                for row in self._connection.execute(_RANGE, (first, last)):
                    if row[0] < first:
                        raise sqlite3.DatabaseError("its rows are not in order")
                    if why and read + 1 < row[0]:
                        yield _unread(read + 1, row[0] - 1, why)
                    read, why = row[0], ""
                    first = read + 1
                    yield row
            except sqlite3.ProgrammingError:
                raise  # our own mistake
            except FAULTS as wrong:
                why = why or str(wrong)
                last = min(last, self._end()) if last == _HIGHEST else last
                if first < last:
                    middle = (first + last) // 2
                    ranges += [(middle + 1, last), (first, middle)]
        if why:
            yield _unread(read + 1, None, why)

    def _end(self) -> int:
        """A number that no sound record of this file exceeds."""
        ((pages,), (size,)) = (
            self._connection.execute(f"PRAGMA {word}").fetchone()
            for word in ("page_count", "page_size")
        )
        most = pages * size // _SHORTEST
        if self._bookmark is not None:
            most = min(most, self._bookmark.seq + BOOKMARK_EVERY)
        return int(most)


def _unread(first: int, last: int | None, why: str) -> Gap:
    to = "on" if last is None else f"to {last}"
    return Gap(first, last, f"The records from {first} {to} cannot be read: {why}.")


def examine_file(path: Path) -> Examination:
    """Examine the log in this file. Raises Mistake where it is none."""
    return Examination(ExaminedFile(path))


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
    file = ExaminedFile(path)
    with plainly(path), closing(Examination(file)) as examination:
        for found in examination.records():
            if not isinstance(found, Flaw):
                records.append(found)
            elif found.stream:
                broken.setdefault(found.stream, found.sentence)
        tips = file.tips()
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
