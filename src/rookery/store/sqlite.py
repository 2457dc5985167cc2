"""The bookmark: up to which record the tips of all streams stand in the file.

What runs is one row of it, sealed as records are; what had ended is a row each in
`finished`, with the seal of the record it points to.
"""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from heapq import merge
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.events import HALL_STREAM, Record, table_of
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreBroken, StoreFailed, follow
from rookery.store.catalogue import Finding, Finished, file_away, find_finished, find_tables_of
from rookery.store.log import (
    COLUMNS,
    FAULTS,
    Follower,
    Raw,
    encode_event,
    find_in,
    first_seal,
    name_of,
    numbers,
    seal_bookmark,
)
from rookery.store.reader import ReadingThrough
from rookery.store.snapshot import (
    OWN,
    FileCalls,
    LastRecord,
    Snapshot,
    read_snapshot,
    see_it_fits,
    snapshot_of,
    steps,
    write_snapshot,
)
from rookery.store.sqlite_file import (
    StorePlace,
    check_schema,
    connect,
    distrust,
    lock_store,
    lock_writer,
    make_log,
    make_room,
    prepare,
    see_it_is_ours,
    see_nothing_lost,
)

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


# The tips: the last record of every stream, which the next of that stream names as `before`.
#
# The writer keeps those of running streams in memory. At every bookmark it writes them all
# into one row, and those of streams that have ended into a row each, once and for good: so
# a record costs no page but its own.


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


# How the records of running streams are found: along their chains, or by one sweep.
#
# A record names the one before it in its stream, so a few old streams are best read along
# those chains. But each step is a search in the file: where most of what was written lately runs
# still, reading all of that in one go takes half the time. A plan has both: tables opened after
# some record are swept up from there, the others and all else come along their chains.
#
# Tables are numbered as they are opened, which the plan relies on to be quick and never to be
# right: of a table that the sweep meets half-way the beginning is fetched.


_LENGTHS: Final = """
SELECT seq, n FROM records WHERE seq IN (SELECT value FROM json_each(:tips))
"""
# A damaged `before` could lead on and not back, and then round for ever.
_CHAIN: Final = """
WITH RECURSIVE chain(seq) AS (
    SELECT value FROM json_each(:tips)
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > :after AND before < seq
)
"""
_CHAINS: Final = f"""
{_CHAIN} SELECT {COLUMNS} FROM records
WHERE seq IN (SELECT seq FROM chain) AND seq > :after ORDER BY seq
"""  # noqa: S608
_FIRST: Final = f"{_CHAIN} SELECT min(seq) FROM chain"  # noqa: S608
_SWEEP: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608

STEP: Final = 2.2  # how many times as long a step along a chain takes as a record of a sweep
LONG: Final = 26  # characters that no name of a table has
WORTH: Final = 1_000  # records from which it pays to make a plan
SHARES: Final = (0, 0.02, 0.1, 0.3)  # of the tables, the oldest: left to chains in each plan tried


class Sweep(Struct, frozen=True):
    """A plan: sweep up these streams' records behind record `after`; read others along chains."""

    swept: frozenset[str] = frozenset()
    after: int = 0


CHAINS: Final = Sweep()  # all along their chains


def plan_for(connection: sqlite3.Connection, tips: dict[str, int], last: int) -> Sweep:
    """The quickest plan to read these streams, in a log of so many records."""
    found = connection.execute(_LENGTHS, {"tips": _listed(tips.values())})
    lengths = {seq: n for seq, n in found if isinstance(n, int)}  # if it is not damaged
    needed = {stream: lengths.get(tip, 1) for stream, tip in tips.items()}
    steps = sum(needed.values())
    if steps < WORTH:
        return CHAINS
    tables = sorted((table, stream) for stream in tips if (table := _table(stream)) is not None)
    plans = [(STEP * steps, 0, CHAINS), (float(last), 1, Sweep(frozenset(tips)))]
    for way, share in enumerate(SHARES if tables else ()):
        swept = [stream for _, stream in tables[int(share * len(tables)) :]]
        after = _first(connection, tips[swept[0]]) - 1
        left = steps - sum(needed[stream] for stream in swept)
        plans.append((STEP * left + last - after, way + 2, Sweep(frozenset(swept), after)))
    return min(plans)[2]


def rows_of(connection: sqlite3.Connection, tips: dict[str, int], plan: Sweep) -> Iterator[Raw]:
    """Yield the rows of these streams, in order, and some of others along damaged chains."""
    chained = [tip for stream, tip in tips.items() if stream not in plan.swept]
    if not plan.swept:
        return chains(connection, chained)
    names = {stream.encode() for stream in plan.swept}
    rows = _sweep(connection, names, plan.after)
    return merged(chains(connection, chained), rows) if chained else rows


def chains(connection: sqlite3.Connection, tips: Iterable[int], after: int = 0) -> Iterator[Raw]:
    """Yield the rows behind record `after` on the chains that end in these tips, in order."""
    return connection.execute(_CHAINS, {"tips": _listed(tips), "after": after})


def _sweep(connection: sqlite3.Connection, names: set[bytes], after: int) -> Iterator[Raw]:
    """Yield the rows of these streams behind record `after`, and what they follow before it."""
    if not after:  # nothing comes before them; and so everything may be read
        return (row for row in connection.execute(_SWEEP, (after,)) if row[1] in names)
    return _sweep_behind(connection, names, after)


def _sweep_behind(connection: sqlite3.Connection, names: set[bytes], after: int) -> Iterator[Raw]:
    begun: set[bytes] = set()
    for row in connection.execute(_SWEEP, (after,)):
        stream, before = row[1], row[5]
        if stream in names:
            if stream not in begun:
                begun.add(stream)
                if isinstance(before, int) and 0 < before <= after:
                    yield from list(chains(connection, [before]))
            yield row


def merged(few: Iterator[Raw], many: Iterator[Raw]) -> Iterator[Raw]:
    """Yield the rows of both, in order; as `heapq.merge` does, at a tenth of the price a row."""
    nearest = next(few, None)
    if nearest is not None:
        for row in many:
            while nearest is not None and nearest[0] < row[0]:
                yield nearest
                nearest = next(few, None)
            yield row
            if nearest is None:
                break
    yield from many
    if nearest is not None:
        yield nearest
    yield from few


def _table(stream: str) -> int | None:
    """The number of the table whose stream this is; None if it is no table's, or damaged."""
    number = stream.removeprefix("table/")
    return int(number) if number.isdecimal() and len(number) < len(stream) < LONG else None


def _first(connection: sqlite3.Connection, tip: int) -> int:
    """The first record of the chain that ends in this one."""
    (first,) = connection.execute(_FIRST, {"tips": f"[{tip}]", "after": 0}).fetchone()
    return int(first)


def _listed(tips: Iterable[int] | Sequence[int]) -> str:
    return msgspec.json.encode(list(tips)).decode()


# What a restart needs: every stream that no record has ended, in the order of the log.
#
# One damaged stream must not keep the others from going on. So a record that does not follow
# makes its stream one of the `damaged`, of which nothing more is given; and where SQLite
# cannot read on at all, the streams are read one by one from there.
#
# All records younger than the bookmark are looked at first: only they tell which streams run.
# If they cannot be read nobody could say what is missing, and that is an error.


_YOUNG_ROWS: Final = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq"  # noqa: S608
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
            for row in self._connection.execute(_YOUNG_ROWS, (bookmark.seq,)):
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


# Reading the file, by a connection that cannot write.
#
# It sees what is committed and nothing else, beside a writer in this process or another,
# and never checkpoints: that is the writer's alone. One stream is read backwards along
# `before`, from its tip (`sqlite_file.py` has the reason), and every record is checked to follow.


_ALL: Final = f"SELECT {COLUMNS} FROM records WHERE seq > :after ORDER BY seq"  # noqa: S608

# The text of a name is asked for, because a damaged one may be no text.
_TIPS: Final = """
SELECT (SELECT max(seq) FROM young WHERE CAST(stream AS TEXT) = :stream), tip, sum
FROM (SELECT 1) LEFT JOIN finished ON stream = :stream
"""
# A damaged `before` could lead on and not back, and then round for ever.
_STREAM: Final = f"""
WITH RECURSIVE chain(seq) AS (
    SELECT :tip
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > :after AND before < seq
)
SELECT {COLUMNS} FROM records WHERE seq IN (SELECT seq FROM chain) ORDER BY seq
"""  # noqa: S608

_LAST_TABLE: Final = """
SELECT max(last_table, coalesce((
    SELECT max(CAST(substr(stream, 7) AS INTEGER)) FROM young WHERE stream GLOB 'table/*'
), 0)) FROM bookmark
"""
_ONE: Final = f"SELECT {COLUMNS} FROM records WHERE seq = ?"  # noqa: S608
_MARK: Final = "SELECT CAST(stream AS BLOB), n, sum FROM records WHERE seq = ?"
_LAST_SEQ: Final = "SELECT coalesce(max(seq), 0) FROM records"
_LAST_AT: Final = "SELECT coalesce((SELECT at FROM records ORDER BY seq DESC LIMIT 1), 0)"


class SqliteLog:
    """The log in this file, to be read. Raises StoreFailed and StoreBroken."""

    def __init__(self, path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> None:
        self._path = path
        self._damaged: dict[str, str] = {}
        with plainly(path), ExitStack() as opened:
            address = f"{path.as_uri()}?mode=ro"
            self._connection = sqlite3.connect(
                address, uri=True, isolation_level=None, check_same_thread=False, factory=kind
            )
            opened.enter_context(closing(self._connection))
            distrust(self._connection)
            check_schema(self._connection)
            opened.pop_all()

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        with reading(self._path):
            if stream is None:
                yield from self._records(_ALL, {"after": after})
                return
            tip = self._tip(stream)
            if tip > after:
                follower = Follower(find_in(self._connection))
                yield from self._records(_STREAM, {"after": after, "tip": tip}, follower)
                if follower.reached(stream) != tip:
                    raise StoreBroken(f"Record {tip} of the log, the last of {stream}, is missing.")

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return list(self.read(stream=stream))

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        with reading(self._path):
            row = self._connection.execute(_ONE, (seq,)).fetchone()
            return None if row is None else Follower(find_in(self._connection)).take(row)

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: streams that no record has ended."""
        with reading(self._path):
            restart = Restart(self._connection, known)
            self._damaged = restart.damaged
            yield from restart.records()

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""
        return self._damaged

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._number(_LAST_SEQ)

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._number(_LAST_TABLE)

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._number(_LAST_AT)

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        with reading(self._path):
            return find_finished(self._connection, wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start, the highest first."""
        with reading(self._path):
            return find_tables_of(self._connection, player, below, limit)

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none."""
        try:
            content = snapshot_of(self._path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as wrong:
            raise StoreBroken(f"The snapshot cannot be read: {wrong.strerror}.") from wrong
        found = read_snapshot(content, version)
        see_it_fits(found, self._mark(found.mark.seq))
        return found

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before."""
        for _ in self.snapshot_steps(version, seq, parts):
            pass

    def snapshot_steps(
        self, version: int, seq: int, parts: Sequence[bytes], files: FileCalls = OWN
    ) -> Iterator[None]:
        """As `keep_snapshot`, pausing after each step."""
        marked = self._mark(seq)
        assert marked is not None, "a snapshot reaches to a record that is there"
        pieces = write_snapshot(Snapshot(version, LastRecord(seq, *marked[1:]), parts))
        try:
            yield from steps(self._path, pieces, files)
        except OSError as wrong:
            raise StoreFailed(f"The snapshot cannot be written: {wrong.strerror}.") from wrong

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _records(
        self, sql: str, values: dict[str, int], follower: Follower | None = None
    ) -> Iterator[Record]:
        follower = follower or Follower(find_in(self._connection))
        for row in self._connection.execute(sql, values):
            yield follower.take(row)

    def _tip(self, stream: str) -> int:
        """The last record of this stream; 0 if there is none. Raises StoreBroken."""
        young, tip, said = self._connection.execute(_TIPS, {"stream": stream}).fetchone()
        if young is not None:
            return int(young)
        if tip is None:
            return read_bookmark(self._connection).running.get(stream, 0)
        found = self._connection.execute("SELECT sum FROM records WHERE seq = ?", (tip,)).fetchone()
        if found is None or found[0] != said:
            raise StoreBroken(f"Where {stream} ends in the log is damaged.")
        return int(tip)

    def _mark(self, seq: int) -> tuple[str, int, int] | None:
        """The stream of a record, its place there and its seal; None if it is missing."""
        with reading(self._path):
            row = self._connection.execute(_MARK, (seq,)).fetchone()
            return None if row is None else (name_of(row[0]), row[1], row[2])

    def _number(self, sql: str) -> int:
        with reading(self._path):
            return int(self._connection.execute(sql).fetchone()[0])


def open_for_reading(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> SqliteLog:
    """The log in this file, whether or not a server writes to it."""
    if not path.is_file():
        raise StoreFailed(f"There is no log at {path}.")
    return SqliteLog(path.resolve(), kind)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise StoreBroken for what SQLite cannot read, be it the file's or the disk's fault."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except (sqlite3.Error, TypeError, ValueError) as error:
        if isinstance(error, Mistake):
            raise
        raise StoreBroken(f"{path} is damaged, or cannot be read: {error}.") from error


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Raise what SQLite finds wrong with this file as a sentence of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except sqlite3.OperationalError as error:
        raise StoreFailed(f"{path} cannot be used: {error}.") from error
    except (sqlite3.Error, UnicodeError) as error:  # damage may be in the words of an error too
        raise StoreBroken(f"{path} is damaged, or was never a log: {error}.") from error


# The store in one SQLite file: write-ahead log, `synchronous=FULL`, a batch a transaction.
#
# The file that was opened must stay the one at its path (`sqlite_file.py`). Exactly one connection
# writes and checkpoints: SQLite before 3.51.3 can lose a reset of its log when two do. Reading
# has a connection of its own, so that one thread may read while another appends.
#
# `append` is the plain way. A caller with a thread to wait for the disk may `stage` a batch,
# which waits for nothing, and let the thread `commit` it: in two threads that need the
# interpreter both, inserting rows costs twice what it costs in one.


STAGED_MAX: Final = 256  # records that are inserted while others wait: a millisecond
LOCK_PATIENCE: Final = 5_000  # milliseconds that `append` waits for others who write to the file

_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteStore(ReadingThrough):
    """The one writer of the store in this file, which is made if there is none.

    `room`: bytes that the file beside it has from the start. Raises StoreLocked, StoreForeign,
    StoreBroken and StoreFailed.
    """

    def __init__(
        self,
        path: Path,
        *,
        bookmark_every: int = BOOKMARK_EVERY,
        kind: type[sqlite3.Connection] = sqlite3.Connection,
        room: int = 0,
    ) -> None:
        self._path = path.resolve()
        with ExitStack() as opened, plainly(self._path):
            opened.enter_context(lock_writer(self._path))
            if not self._path.exists():
                make_log(self._path)
            opened.enter_context(lock_store(self._path))
            see_nothing_lost(self._path)
            see_it_is_ours(self._path, kind)
            self._writing = connect(self._path, kind)
            opened.enter_context(closing(self._writing))
            prepare(self._writing, self._path)
            self._wait_at_most(0)
            with suppress(sqlite3.Error):  # a full disk is noticed at the first write
                self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                make_room(self._path, room)
            self._tips = Tips(self._writing, bookmark_every)
            self._log = opened.enter_context(closing(SqliteLog(self._path, kind)))
            self._last = self._log.last_seq()
            if self._last < self._tips.bookmark:
                raise StoreBroken(
                    f"{self._path} is damaged: it had {self._tips.bookmark} records, and the last "
                    f"there is has number {self._last}; {WAY_OUT}."
                )
            self._place = StorePlace(self._path)
            self._opened = opened.pop_all()  # which closes in reverse, the lock last
        self._appending = threading.Lock()
        self._staged: tuple[int, dict[str, Tip]] | None = None  # its last record, and its tips
        self._lost = False  # the last batch was written to a file that nobody will find
        self._closed = False

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; try the same again."""
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            self._place.check()
            if self._lost and records and records[-1].seq == self._last:
                self._lost = False  # the file is back, and the records are in it
                return
            assert follow(records, self._last), "records are numbered without a gap"
            if records:
                self._wait_at_most(LOCK_PATIENCE)
                self._write(records)
                self._check_after()
        finally:
            self._wait_at_most(0)
            self._appending.release()

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`, without waiting; False: `append` must do it.

        False if there are many, or a bookmark is due, or anything is not as it should be.
        """
        assert not self._closed, "a closed store takes no records"
        if self._lost or not 0 < len(records) <= STAGED_MAX or self._tips.due(records[-1].seq):
            return False
        if not self._appending.acquire(blocking=False):
            return False
        try:
            assert follow(records, self._last), "records are numbered without a gap"
            self._staged = (records[-1].seq, self._insert(records))
        except sqlite3.Error:
            return False
        finally:
            if self._staged is None:
                self._roll_back()
                self._appending.release()
        return True

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises StoreFailed; then nothing is staged."""
        assert self._staged is not None, "something was staged before"
        (last, tips), self._staged = self._staged, None
        try:
            self._place.check()
            self._writing.execute("COMMIT")
            self._last = last
            self._tips.moved(tips)
            self._check_after()
        except sqlite3.Error as error:
            raise StoreFailed(f"{self._path} cannot be written: {error}.") from error
        finally:
            self._roll_back()
            self._appending.release()

    def close(self) -> None:
        """Put everything into the one file, and let the next writer in."""
        if self._closed:
            return
        self._closed = True
        # If the disk fails now, what was acknowledged is still safe beside the file.
        with suppress(sqlite3.Error, StoreFailed):
            self._wait_at_most(LOCK_PATIENCE)
            self._bookmark()
        with suppress(sqlite3.Error):
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._opened.close()

    def _bookmark(self) -> None:
        """Move the bookmark to the end, so that it shows if records get lost there."""
        if self._last > self._tips.bookmark:
            self._writing.execute("BEGIN IMMEDIATE")
            try:
                self._tips.write_bookmark(self._last, {})
                self._writing.execute("COMMIT")
            finally:
                self._roll_back()

    def _check_after(self) -> None:
        """Check that what was written is in the file at our path. Raises StoreFailed."""
        try:
            self._place.check()
        except StoreFailed:
            self._lost = True
            raise

    def _write(self, records: Sequence[Record]) -> None:
        last = records[-1].seq
        try:
            tips = self._insert(records)
            bookmark = self._tips.due(last)
            if bookmark:
                self._tips.write_bookmark(last, tips)
            self._writing.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise StoreFailed(f"{self._path} cannot be written: {error}.") from error
        except BaseException:
            self._roll_back()
            raise
        self._last = last
        self._tips.moved(tips)
        if bookmark:
            self._tips.bookmarked(last)

    def _insert(self, records: Sequence[Record]) -> dict[str, Tip]:
        """Begin a transaction with these records; return the tips it will lead to."""
        rows, tips = self._tips.link(records)
        self._writing.execute("BEGIN IMMEDIATE")
        self._writing.executemany(_INSERT, rows)
        file_away(self._writing, records)
        return tips

    def _wait_at_most(self, milliseconds: int) -> None:
        """Set how long to wait for others who write to the file."""
        self._writing.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def _roll_back(self) -> None:
        """Roll a half batch back, unless SQLite has done so by itself."""
        if self._writing.in_transaction:
            with suppress(sqlite3.Error):
                self._writing.execute("ROLLBACK")
