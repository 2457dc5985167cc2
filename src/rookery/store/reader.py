"""Reading a log, and what a log that can be written is; the same for a file and a database.

A `Log` reads through a `Source`, of which there are two: SQLite's, and PostgreSQL's. A source knows
its statements and how its records are found; that records follow from one another, and what is said
where they do not, is decided here.

A log only grows, so a reader holds its moment still without a transaction: it reads up to the
record that was the last when it began.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, LiteralString, Protocol

from msgspec import Struct

from rookery.core.events import HALL_STREAM, Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store.catalogue import NO_END, Finding, Finished
from rookery.store.log import Follower, Mark, Raw, StoreBroken, StoreTaken
from rookery.store.snapshot import LastRecord, Snapshot, read_snapshot, see_it_fits, write_snapshot

Pieces = Sequence[bytes | memoryview]

STAGED_MAX: Final = 256  # records that are made ready while others wait: a millisecond


class Sql(Struct, frozen=True):
    """The statements by which a log is read; each names its values as its source does."""

    last_seq: LiteralString
    last_table: LiteralString
    last_at: LiteralString
    finished: LiteralString  # of a :status, ended before :below
    of_a_game: LiteralString  # appended to it
    of_a_tour: LiteralString
    newest_first: LiteralString  # up to :limit
    tables_of: LiteralString  # where :player sits, under :below, up to :limit
    filed: LiteralString  # all tables of the catalogue
    sitters: LiteralString  # and all who sat there


class Source(Protocol):
    """What a log is read from. Raises StoreBroken for whatever it cannot read."""

    sql: Sql

    def ask(self, sql: LiteralString, **values: object) -> list[Any]:  # Any: rows of the statement
        """All rows of this statement."""

    def mark(self, seq: int) -> Mark | None:
        """A record's stream, its place there and its seal, whatever they are; None: none."""

    def rows(self, after: int, last: int) -> Iterator[Raw]:
        """The rows of all records behind `after` up to `last`, in order."""

    def tip(self, stream: str) -> int:
        """The last record of this stream; 0 if there is none."""

    def rows_of(self, stream: str, after: int, tip: int) -> Iterator[Raw]:
        """The rows of one stream behind `after` up to its `tip`, in order."""

    def running(self, known: int, damaged: dict[str, str]) -> tuple[dict[str, int], Iterator[Raw]]:
        """The streams that no record has ended, each with its last record; and their rows in order.

        Of the hall's own stream only the rows behind record `known`. Streams found damaged go into
        `damaged`; others have rows among these too, perhaps.
        """

    def read_snapshot(self) -> bytes | None:
        """The bytes that `write_snapshot` kept last."""

    def write_snapshot(self, seq: int, pieces: Pieces) -> None:
        """Keep these bytes, in place of those before. Raises StoreFailed."""

    def close(self) -> None:
        """Let go of it."""


class Log:
    """A log that can be read. Only what is safe is seen; an iterator in use holds its moment still.

    Reading raises StoreBroken at the first record that is damaged or missing.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._damaged: dict[str, str] = {}

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        if stream is not None:
            yield from self._read_stream(stream, after)
            return
        last, follower = self.last_seq(), Follower(self.source.mark)
        for row in self.source.rows(after, last):
            if row[0] != after + 1:
                break
            after = row[0]
            yield follower.take(row)
        if after < last:
            raise StoreBroken(f"Record {after + 1} of the log is missing.")

    def _read_stream(self, stream: str, after: int) -> Iterator[Record]:
        tip = self.source.tip(stream)
        if tip <= after:
            return
        follower = Follower(self.source.mark)
        for row in self.source.rows_of(stream, after, tip):
            yield follower.take(row)
        if follower.reached(stream) != tip:
            raise StoreBroken(f"Record {tip} of the log, the last of {stream}, is missing.")

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return list(self.read(stream=stream))

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        row = next(self.source.rows(seq - 1, seq), None)
        return None if row is None else Follower(self.source.mark).take(row)

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: every stream that no record has ended.

        Of the hall's own stream only what comes after record `known`, which is one of it, or 0.
        A damaged stream is read up to its damage, and keeps no other from going on; `damaged` names
        it then. It is an error only where nobody could say which streams run.
        """
        damaged = self._damaged = {}
        tips, rows = self.source.running(known, damaged)
        follower = Follower(self.source.mark)
        if known:
            follower.resume(HALL_STREAM, known)
        names = {stream.encode(): stream for stream in tips if stream not in damaged}
        yield from follower.follow(rows, names, damaged)
        for stream, tip in tips.items():
            if stream not in damaged and follower.reached(stream) != tip:
                damaged[stream] = f"Its last record, {tip}, is missing or damaged."

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""
        return self._damaged

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._number(self.source.sql.last_seq)

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._number(self.source.sql.last_table)

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._number(self.source.sql.last_at)

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        sql = self.source.sql
        statement = sql.finished
        if wanted.game:
            statement += sql.of_a_game
        if wanted.tour is not None:
            statement += sql.of_a_tour
        rows = self.source.ask(
            statement + sql.newest_first,
            status=wanted.status,
            game=wanted.game,
            tour=wanted.tour,
            below=wanted.below or NO_END,
            limit=wanted.limit,
        )
        return [Finished(TableId(number), seq) for number, seq in rows]

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start: numbers under `below` (0: all).

        The highest first, which is the table that was opened last.
        """
        rows = self.source.ask(
            self.source.sql.tables_of, player=player, below=below or NO_END, limit=limit
        )
        return [TableId(number) for (number,) in rows]

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none.

        Raises StoreBroken where there is one that is of no use, and says why.
        """
        content = self.source.read_snapshot()
        if content is None:
            return None
        found = read_snapshot(content, version)
        see_it_fits(found, self.source.mark(found.mark.seq))
        return found

    def seal_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> Pieces:
        """A snapshot that reaches to record `seq`, as bytes."""
        found = self.source.mark(seq)
        assert found is not None, "a snapshot reaches to a record that is there"
        _, n, sealed = found
        assert isinstance(n, int), "and that was read"
        assert isinstance(sealed, int), "and that was read"
        return write_snapshot(Snapshot(version, LastRecord(seq, n, sealed), parts))

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before; `seq`: where it reaches.

        Others may write to the log meanwhile. Raises StoreFailed.
        """
        self.source.write_snapshot(seq, self.seal_snapshot(version, seq, parts))

    def close(self) -> None:
        """Let go of the log; it may not be used any more."""
        self.source.close()

    def _number(self, sql: LiteralString) -> int:
        rows = self.source.ask(sql)
        return int(rows[0][0]) if rows else 0


class Store(Log, ABC):
    """A log that can be written too: by one process, and in it one append at a time.

    `append` is the plain way. A caller with a thread to wait for the disk may `stage` a batch,
    which waits for nothing, and let the thread `commit` it: in two threads that need the
    interpreter both, inserting rows costs twice what it costs in one.

    Only a `leased` store may be taken over by another process; any other leads until it is closed.
    """

    leased = False

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._appending = threading.Lock()
        self._closed = False

    @abstractmethod
    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; the same may be tried again.

        A leased store raises StoreTaken if another process leads. With no records it only finds out
        that, and whether the store answers.
        """

    def stage(self, records: Sequence[Record]) -> bool:  # noqa: ARG002 # a plain store takes none
        """Take these records up for `commit`; False: it took none, and `append` must do all."""
        return False

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises as `append`; then nothing is staged."""
        raise AssertionError("nothing was staged")

    @property
    def epoch(self) -> int:
        """How often the store was taken over so far: the process with the highest number leads."""
        return 0

    def leads(self) -> bool:
        """Whether no other process can lead yet; if False, append no records to find out."""
        return True

    def when_taken(self, told: Callable[[StoreTaken], None]) -> None:
        """Call this once, in a thread of the store's own, when another process leads."""

    def when_deaf(
        self, deaf: Callable[[], bool], fresh: float, make_way: Callable[[str], None]
    ) -> None:
        """Call `make_way`, in a thread of the store's own, once `deaf` and a stand-by is not.

        The stand-by has heard the broker in the last `fresh` seconds. `make_way` is told its name,
        perhaps more than once.
        """

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Append, while nobody else does."""
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            yield
        finally:
            self._appending.release()


def follow(records: Sequence[Record], last: int) -> bool:
    """Whether these records are numbered on from `last` without a gap."""
    return [record.seq for record in records] == list(range(last + 1, last + 1 + len(records)))
