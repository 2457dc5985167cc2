"""Reading the log in a database.

The log only grows, so an iterator needs no transaction to hold its moment still: it reads up
to the record that was the last when it began, some at a time. A connection that is cut
meanwhile is made anew. Every record is checked to follow, as in a file.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final, LiteralString

import psycopg

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreBroken, StoreFailed
from rookery.store.address import LogAddress
from rookery.store.catalogue import NO_END, Finding, Finished
from rookery.store.postgres.connecting import DatabaseLine, failed
from rookery.store.postgres.schema import check_tables
from rookery.store.postgres.snapshots import find_snapshot, put_snapshot
from rookery.store.reach import HERE, Reach
from rookery.store.rows import Follower
from rookery.store.snapshot import Snapshot

PIECE: Final = 2_000  # records read at once

_ROWS: Final[LiteralString] = """
SELECT seq, stream, n, at, ends, before, event, sum FROM rookery.records WHERE hall = %(hall)s
"""
_ALL: Final[LiteralString] = (
    _ROWS + " AND seq > %(after)s AND seq <= %(last)s ORDER BY seq LIMIT %(piece)s"
)
_STREAM: Final[LiteralString] = (
    _ROWS
    + """
AND stream = %(stream)s AND seq > %(after)s AND seq <= %(last)s ORDER BY seq LIMIT %(piece)s
"""
)
_THESE: Final[LiteralString] = _ROWS + " AND seq = ANY (%(seqs)s) ORDER BY seq"
_LINK: Final = "SELECT stream, sum FROM rookery.records WHERE hall = %s AND seq = %s"
_HALL: Final = "SELECT seq, last_table FROM rookery.halls WHERE hall = %s"
_LAST_AT: Final = """
SELECT at FROM rookery.records WHERE hall = %s ORDER BY seq DESC LIMIT 1
"""
# In one statement, and so of one moment.
_RUNNING: Final = """
SELECT stream, seq FROM rookery.running JOIN rookery.records USING (hall, stream)
WHERE hall = %(hall)s AND stream <> 'hall'
UNION ALL
SELECT stream, seq FROM rookery.records
WHERE hall = %(hall)s AND stream = 'hall' AND seq > %(known)s
"""
_FINISHED: Final[LiteralString] = """
SELECT number, ended FROM rookery.catalogue
WHERE hall = %(hall)s AND status = %(status)s AND ended > 0 AND ended < %(below)s
"""
_OF_A_GAME: Final[LiteralString] = " AND game = %(game)s"
_OF_A_TOUR: Final[LiteralString] = " AND tour = %(tour)s"
_NEWEST_FIRST: Final[LiteralString] = " ORDER BY ended DESC LIMIT %(limit)s"
_TABLES_OF: Final = """
SELECT number FROM rookery.sitters WHERE hall = %s AND player = %s AND number < %s
ORDER BY number DESC LIMIT %s
"""

Values = dict[str, Any]  # Any: whatever a column holds


class PostgresLog:
    """The log of a hall in a database, to be read. Raises StoreFailed if there is none.

    If the caller has `checked` that there is, the database is called only when something is read.
    """

    def __init__(self, address: LogAddress, reach: Reach = HERE, *, checked: bool = False) -> None:
        self._address = address
        self._hall = address.hall
        self._damaged: dict[str, str] = {}
        self._line = DatabaseLine(address, "reading", reach)
        self._closed = False
        if not checked:
            with ExitStack() as opened:
                opened.callback(self._line.close)
                self._check()
                opened.pop_all()

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        sql = _ALL if stream is None else _STREAM
        values: Values = {"hall": self._hall, "stream": stream, "last": self.last_seq()}
        follower = Follower(self._find)
        while True:
            rows = self._ask(sql, {**values, "after": after, "piece": PIECE})
            for row in rows:
                if stream is None and row[0] != after + 1:
                    raise _missing(after + 1)
                after = row[0]
                yield follower.take(as_bytes(row))
            if len(rows) < PIECE:
                break
        if stream is None and after < values["last"]:
            raise _missing(after + 1)

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return list(self.read(stream=stream))

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        rows = self._ask(_THESE, {"hall": self._hall, "seqs": [seq]})
        return Follower(self._find).take(as_bytes(rows[0])) if rows else None

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: streams that no record has ended."""
        self._damaged = {}
        follower = Follower(self._find)
        running = self._ask(_RUNNING, {"hall": self._hall, "known": known})
        seqs = sorted(seq for _, seq in running)
        for start in range(0, len(seqs), PIECE):
            piece = seqs[start : start + PIECE]
            for row in self._ask(_THESE, {"hall": self._hall, "seqs": piece}):
                name = row[1]
                if name in self._damaged:
                    continue
                try:
                    yield follower.take(as_bytes(row))
                except StoreBroken as wrong:
                    self._damaged[name] = str(wrong)

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""
        return self._damaged

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._number(_HALL)

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._number(_HALL, 1)

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._number(_LAST_AT)

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        sql = _FINISHED
        if wanted.game:
            sql += _OF_A_GAME
        if wanted.tour is not None:
            sql += _OF_A_TOUR
        values: Values = {
            "hall": self._hall,
            "status": wanted.status,
            "game": wanted.game,
            "tour": wanted.tour,
            "below": wanted.below or NO_END,
            "limit": wanted.limit,
        }
        rows = self._ask(sql + _NEWEST_FIRST, values)
        return [Finished(TableId(number), seq) for number, seq in rows]

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start, the highest first."""
        rows = self._ask(_TABLES_OF, (self._hall, player, below or NO_END, limit))
        return [TableId(number) for (number,) in rows]

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none."""
        with reading():
            return find_snapshot(self._line, version)

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before."""
        put_snapshot(self._line, version, seq, parts)

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        self._line.close()

    def _check(self) -> None:
        try:
            check_tables(self._line.get(), self._address)
        except psycopg.Error as wrong:
            raise StoreFailed(failed(self._address, wrong)) from wrong
        if not self._line.ask(_HALL, (self._hall,)):
            raise StoreFailed(f"There is no hall {self._hall} at {self._address}.")

    def _find(self, seq: int) -> tuple[object, object] | None:
        rows = self._ask(_LINK, (self._hall, seq))
        return None if not rows else (rows[0][0].encode(), rows[0][1])

    def _number(self, sql: LiteralString, column: int = 0) -> int:
        rows = self._ask(sql, (self._hall,))
        return int(rows[0][column]) if rows else 0

    def _ask(self, sql: LiteralString, values: Values | tuple[object, ...]) -> list[Any]:
        assert not self._closed, "a closed log is not read"
        with reading():
            return self._line.ask(sql, values)


@contextmanager
def reading() -> Iterator[None]:
    """Raise StoreBroken for StoreFailed: to a reader, what it cannot read now is damaged."""
    try:
        yield
    except StoreFailed as wrong:
        raise StoreBroken(str(wrong)) from wrong


def as_bytes(row: tuple[Any, ...]) -> Any:  # Any: as `rows.py` has them
    """The row as a file has it, with texts as bytes."""
    seq, stream, n, at, ends, before, event, said = row
    return seq, stream.encode(), n, at, ends, before, event.encode(), said


def _missing(seq: int) -> StoreBroken:
    return StoreBroken(f"Record {seq} of the log is missing.")
