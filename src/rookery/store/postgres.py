"""The store in a database: the leader of a hall writes here, through the fence.

`append` sends one statement and waits for its commit. When the connection is lost on the
way, nobody knows whether it was made: then the same statement is sent on a new connection.
It inserts nothing if the first had done it, for the hall's count has moved on; so whether
the count stands where this batch ends, under our own epoch, is the answer. A batch that is in
doubt must be the next that is tried: it is settled, or tried again, and never guessed at.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from operator import itemgetter
from typing import Any, Final, LiteralString

from rookery.core.events import Record
from rookery.store.address import HERE, LogAddress, Reach
from rookery.store.catalogue import (
    NO_END,
)
from rookery.store.database import (
    ANSWER,
    LONG_ANSWER,
    BadContent,
    DatabaseLine,
    PatientConnection,
    Pause,
    Waiting,
    check_tables,
    failing,
    keep_organiser,
    make_tables,
    wait,
)
from rookery.store.examine import Examination, Gap, Seen
from rookery.store.lease import (
    AGAIN,
    SECONDS,
    HearsBroker,
    Lease,
    Led,
    await_lease,
    claim,
    taken,
)
from rookery.store.log import (
    Link,
    Mark,
    Raw,
    StoreBroken,
    StoreFailed,
    StoreLocked,
    StoreTaken,
    first_seal,
)
from rookery.store.reader import STAGED_MAX, Log, Pieces, Source, Sql, Store, follow
from rookery.store.statement import Statement, make_statement

log = logging.getLogger(__name__)

PIECE: Final = 2_000  # records read at once
SNAPSHOT_PIECE: Final = 1 << 20  # bytes of a row

_ROWS: Final[LiteralString] = """
SELECT seq, stream, n, at, ends, before, event, sum FROM rookery.records WHERE hall = %(hall)s
"""
_IN_ORDER: Final[LiteralString] = (
    " AND seq > %(after)s AND seq <= %(last)s ORDER BY seq LIMIT %(piece)s"
)
_ALL: Final[LiteralString] = _ROWS + _IN_ORDER
_STREAM: Final[LiteralString] = _ROWS + " AND stream = %(stream)s" + _IN_ORDER
_THESE: Final[LiteralString] = _ROWS + " AND seq = ANY (%(seqs)s) ORDER BY seq"
_MARK: Final = "SELECT stream, n, sum FROM rookery.records WHERE hall = %(hall)s AND seq = %(seq)s"
_LAST: Final = """
SELECT seq, sum FROM rookery.records WHERE hall = %(hall)s AND stream = %(stream)s
ORDER BY seq DESC LIMIT 1
"""
# In one statement, and so of one moment.
_RUNNING: Final = """
SELECT stream, seq FROM rookery.running JOIN rookery.records USING (hall, stream)
WHERE hall = %(hall)s AND stream <> 'hall'
UNION ALL
SELECT stream, seq FROM rookery.records
WHERE hall = %(hall)s AND stream = 'hall' AND seq > %(known)s
"""
SQL: Final = Sql(
    last_seq="SELECT seq FROM rookery.halls WHERE hall = %(hall)s",
    last_table="SELECT last_table FROM rookery.halls WHERE hall = %(hall)s",
    last_at="SELECT at FROM rookery.records WHERE hall = %(hall)s ORDER BY seq DESC LIMIT 1",
    finished="""
SELECT number, ended FROM rookery.catalogue
WHERE hall = %(hall)s AND status = %(status)s AND ended > 0 AND ended < %(below)s
""",
    of_a_game=" AND game = %(game)s",
    of_a_tour=" AND tour = %(tour)s",
    newest_first=" ORDER BY ended DESC LIMIT %(limit)s",
    tables_of="""
SELECT number FROM rookery.sitters
WHERE hall = %(hall)s AND player = %(player)s AND number < %(below)s
ORDER BY number DESC LIMIT %(limit)s
""",
    filed="""
SELECT number, game, tour, status, ended FROM rookery.catalogue WHERE hall = %(hall)s
""",
    sitters="SELECT player, number FROM rookery.sitters WHERE hall = %(hall)s",
)
_NEWEST: Final = "SELECT max(seq) FROM rookery.snapshots WHERE hall = %(hall)s"
_PIECE: Final[LiteralString] = """
SELECT content FROM rookery.snapshots
WHERE hall = %(hall)s AND seq = %(seq)s AND piece = %(piece)s
"""
_PUT: Final = "INSERT INTO rookery.snapshots VALUES (%s, %s, %s, %s)"
_DELETE: Final = "DELETE FROM rookery.snapshots WHERE hall = %s"


class PostgresSource:
    """The records of one hall, some at a time; a connection that is cut meanwhile is made anew."""

    sql = SQL

    def __init__(self, line: DatabaseLine) -> None:
        self.line = line
        self._hall = line.address.hall
        self._closed = False

    def ask(self, sql: LiteralString, **values: object) -> list[Any]:  # Any: rows of the statement
        """All rows of this statement."""
        assert not self._closed, "a closed log is not read"
        try:
            return self.line.ask(sql, {"hall": self._hall, **values})
        except StoreFailed as wrong:
            raise StoreBroken(str(wrong)) from wrong  # to a reader it is the same

    def mark(self, seq: int) -> Mark | None:
        """A record's stream, its place there and its seal; None: none."""
        rows = self.ask(_MARK, seq=seq)
        return (rows[0][0].encode(), *rows[0][1:]) if rows else None

    def rows(self, after: int, last: int) -> Iterator[Raw]:
        """The rows of all records behind `after` up to `last`, in order."""
        return self._pieces(_ALL, after, last)

    def tip(self, stream: str) -> int:
        """The last record of this stream; 0 if there is none."""
        rows = self.ask(_LAST, stream=stream)
        return int(rows[0][0]) if rows else 0

    def rows_of(self, stream: str, after: int, tip: int) -> Iterator[Raw]:
        """The rows of one stream behind `after` up to its `tip`, in order."""
        return self._pieces(_STREAM, after, tip, stream=stream)

    def running(
        self,
        known: int,
        damaged: dict[str, str],  # noqa: ARG002 # PostgreSQL itself says what it cannot read
    ) -> tuple[dict[str, int], Iterator[Raw]]:
        """The streams that no record has ended, with their last records; and the rows of these."""
        found = sorted(self.ask(_RUNNING, known=known), key=itemgetter(1))
        return dict(found), self._these([seq for _, seq in found])

    def read_snapshot(self) -> bytes | None:
        """The bytes that `write_snapshot` kept last."""
        ((newest,),) = self.ask(_NEWEST)
        pieces: list[bytes] = []
        while newest is not None and (rows := self.ask(_PIECE, seq=newest, piece=len(pieces))):
            pieces.append(rows[0][0])
        return None if newest is None else b"".join(pieces)

    def write_snapshot(self, seq: int, pieces: Pieces) -> None:
        """Keep these bytes, in place of those before, all or none. Raises StoreFailed.

        It needs no fence: a snapshot follows from records alone, and says by a seal from which. A
        process that led once and writes one late has written what is true.
        """
        content = b"".join(pieces)
        with failing(self.line.address):
            connection = self.line.get()
            with connection.transaction():
                connection.execute(_DELETE, (self._hall,))
                for piece, at in enumerate(range(0, len(content), SNAPSHOT_PIECE)):
                    part = content[at : at + SNAPSHOT_PIECE]
                    connection.execute(_PUT, (self._hall, seq, piece, part))

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        self.line.close()

    def _pieces(self, sql: LiteralString, after: int, last: int, **values: str) -> Iterator[Raw]:
        more = True
        while more:
            rows = self.ask(sql, after=after, last=last, piece=PIECE, **values)
            yield from map(as_bytes, rows)
            more = len(rows) == PIECE
            after = rows[-1][0] if rows else after

    def _these(self, seqs: list[int]) -> Iterator[Raw]:
        for start in range(0, len(seqs), PIECE):
            yield from map(as_bytes, self.ask(_THESE, seqs=seqs[start : start + PIECE]))


def open_hall(address: LogAddress, reach: Reach = HERE, *, checked: bool = False) -> Log:
    """The log of a hall in a database, to be read. Raises StoreFailed if there is none.

    If the caller has `checked` that there is, the database is called only when something is read.
    """
    log = Log(PostgresSource(line := DatabaseLine(address, "reading", reach)))
    if not checked:
        with ExitStack() as opened, failing(address):
            opened.callback(line.close)
            check_tables(line.get(), address)
            if not line.ask(SQL.last_seq, {"hall": address.hall}):
                raise StoreFailed(f"There is no hall {address.hall} at {address}.")
            opened.pop_all()
    return log


def as_bytes(row: tuple[Any, ...]) -> Any:  # Any: as `log.py` has them
    """The row as a file has it, with texts as bytes."""
    seq, stream, n, at, ends, before, event, said = row
    return seq, stream.encode(), n, at, ends, before, event.encode(), said


NOBODY: Final = Led("", 0, 0.0)
ENDED_MAX: Final = 10_000  # ended streams that are remembered: in some there is still talk

_COUNT: Final = "SELECT epoch, seq FROM rookery.halls WHERE hall = %s"
_TIPS: Final[LiteralString] = """
SELECT stream, seq, sum FROM rookery.running AS r CROSS JOIN LATERAL (
    SELECT seq, sum FROM rookery.records
    WHERE hall = r.hall AND stream = r.stream ORDER BY seq DESC LIMIT 1
) AS last WHERE r.hall = %s
"""


class Lines:
    """The connections that a store writes and reads by; a stand-by makes them ahead.

    Each is made anew when it is needed, if it was cut meanwhile. Raises StoreFailed.
    """

    def __init__(self, address: LogAddress, reach: Reach, seconds: float) -> None:
        # A leader that has waited for longer than its lease must stand still anyway.
        self.writing = DatabaseLine(address, "writing", reach, patience=min(ANSWER, seconds))
        with ExitStack() as opened:
            opened.callback(self.writing.close)
            self.writing.get()
            self.log = open_hall(address, reach)
            opened.pop_all()

    def close(self) -> None:
        """Hang up both."""
        self.log.close()
        self.writing.close()


class PostgresStore(Store):
    """The one writer of a hall in a database, for as long as it has this lease."""

    leased = True

    def __init__(self, address: LogAddress, lease: Lease, lines: Lines | None = None) -> None:
        self.lease = lease
        self._address = address
        self._hall = {"hall": address.hall, "epoch": str(lease.epoch)}
        self._doubt: Statement | None = None  # a batch of which nobody knows whether it is there
        self._staged: Statement | None = None
        with ExitStack() as opened:
            opened.callback(lease.release)
            lines = lines or Lines(address, lease.reach, lease.seconds)
            opened.enter_context(closing(lines))
            super().__init__(lines.log.source)
            self._line, self._last = lines.writing, self.last_seq()
            rows = self._line.ask(_TIPS, (address.hall,))
            self._tips = {stream: Link(seq, sum_) for stream, seq, sum_ in rows}
            self._ended: dict[str, Link] = {}
            self._opened = opened.pop_all()

    @property
    def epoch(self) -> int:
        """The number under which this process leads."""
        return self.lease.epoch

    def leads(self) -> bool:
        """Whether nobody can have taken the hall over."""
        return self.lease.held()

    def when_taken(self, told: Callable[[StoreTaken], None]) -> None:
        """Call this once, in a thread of the store's own, when another process leads."""
        self.lease.when_lost(told)

    def when_deaf(
        self, deaf: Callable[[], bool], fresh: float, make_way: Callable[[str], None]
    ) -> None:
        """Call `make_way` in a thread of the store's own, once `deaf` and a stand-by is not."""
        self.lease.when_deaf(deaf, fresh, make_way)

    def organiser(self, fresh: str) -> str:
        """The organiser's token; it is `fresh` if the hall had none. Raises StoreFailed."""
        return keep_organiser(self._line, fresh)

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; try the same again.

        Raises StoreTaken if another process leads. With no records it only finds out that, and
        whether the database answers.
        """
        with self._alone():
            if records:
                assert follow(records, self._last), "records are numbered without a gap"
                self._write(make_statement(records, self._look_up))
            else:
                self._look()

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`, without waiting; False: `append` must do it.

        False if there are many, or something must be asked of the database, or a batch is in doubt.
        """
        assert not self._closed, "a closed store takes no records"
        if self._doubt is not None or not 0 < len(records) <= STAGED_MAX:
            return False
        if not self._appending.acquire(blocking=False):
            return False
        try:
            assert follow(records, self._last), "records are numbered without a gap"
            self._staged = make_statement(records, self._tip)
        except LookupError:
            return False
        finally:
            if self._staged is None:
                self._appending.release()
        return True

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises as `append` does; nothing is staged."""
        assert self._staged is not None, "something was staged before"
        batch, self._staged = self._staged, None
        try:
            self._write(batch)
        finally:
            self._appending.release()

    def close(self) -> None:
        """Give the lease back, so that another process can lead."""
        if not self._closed:
            self._closed = True
            self._opened.close()

    def _write(self, batch: Statement) -> None:
        doubted = self._doubt
        assert doubted is None or doubted.records == batch.records, "a batch in doubt goes first"
        self._doubt = batch
        try:
            self._line.twice(partial(self._insert, batch))
        except BadContent:
            self._doubt = None  # it is not there, and never will be
            raise
        self._doubt = None
        self._last = batch.records[-1].seq
        for stream, tip in batch.tips.items():
            if tip.ended or stream in self._ended:
                self._ended[stream] = tip
                self._tips.pop(stream, None)
            else:
                self._tips[stream] = tip
        if len(self._ended) > ENDED_MAX:
            self._ended.clear()

    def _look(self) -> None:
        """Find out whether the database answers, and we lead. Raises StoreFailed, StoreTaken."""
        rows = self._line.ask(_COUNT, (self._address.hall,)) if self.lease.held() else []
        if not rows or rows[0][0] != self.lease.epoch:
            self.lease.renew()

    def _insert(self, batch: Statement, connection: PatientConnection) -> None:
        done = connection.execute(batch.sql, batch.values | self._hall, prepare=True)
        if done.rowcount == 0:
            self._explain(batch, connection)

    def _explain(self, batch: Statement, connection: PatientConnection) -> None:
        """Find out why nothing was inserted: it was there, or raises StoreTaken."""
        row = connection.execute(_COUNT, (self._address.hall,)).fetchone()
        epoch, seq = row or (0, 0)
        if epoch != self.lease.epoch:
            raise taken(self._line)
        if seq == batch.records[-1].seq:
            return
        raise StoreBroken(
            f"{self._address} has {seq} records, and {self._last} were safe there before: if it is "
            "another copy of the database, it has not all that this one had."
        )

    def _tip(self, stream: str) -> Link:
        """The last record of a stream, if we know it. Raises LookupError if we do not."""
        return self._tips.get(stream) or self._ended[stream]

    def _look_up(self, stream: str) -> Link:
        """The last record of a stream, if need be from the database. Raises StoreFailed."""
        try:
            return self._tip(stream)
        except LookupError:
            rows = self._line.ask(_LAST, {"hall": self._address.hall, "stream": stream})
            return Link(*rows[0]) if rows else Link(0, first_seal(stream))


def open_postgres(
    address: LogAddress,
    *,
    seconds: float = SECONDS,
    kind: type[PostgresStore] = PostgresStore,
    patience: float = 0.0,
) -> PostgresStore:
    """Lead the hall at this address, which is made if there is none.

    The database may be away for `patience` seconds. Raises StoreLocked if another process leads,
    StoreForeign, StoreBroken and StoreFailed.
    """
    return wait(opening(address, HERE, seconds=seconds, kind=kind, patience=patience))


def opening(
    address: LogAddress,
    reach: Reach,
    *,
    seconds: float = SECONDS,
    kind: type[PostgresStore] = PostgresStore,
    patience: float = 0.0,
) -> Waiting[PostgresStore]:
    """As `open_postgres`, by this reach and as a generator of pauses."""
    start = _Start(patience, reach)
    while True:
        try:
            with _lease_line(address, seconds, reach) as line:
                lease = yield from claim(line, seconds=seconds)
                return kind(address, lease)
        except StoreFailed as wrong:
            start.failed(wrong)
        yield Pause(AGAIN)


def standing_by(
    address: LogAddress,
    reach: Reach = HERE,
    *,
    seconds: float = SECONDS,
    waits: Callable[[Led], bool],
    patience: float = 0.0,
    broker: HearsBroker | None = None,
) -> Waiting[PostgresStore | None]:
    """Lead the hall at this address as soon as nobody else does; None once `waits` says no.

    `waits` hears every so often who leads. A database may be away for `patience` seconds at first,
    and for any while once it was there. Raises what `open_postgres` does, but for StoreLocked.
    """
    last, failing = NOBODY, False  # who led when we last knew
    start: _Start | None = _Start(patience, reach)  # until the database was there once

    def looks(led: Led) -> bool:
        nonlocal failing, start, last
        failing, start, last = False, None, led
        if not made:  # if that fails, it will show when we take over
            with suppress(StoreFailed):
                made.append(ahead.enter_context(closing(Lines(address, reach, seconds))))
            made.append(None)
        return waits(led)

    while True:
        try:
            with _lease_line(address, seconds, reach) as line, ExitStack() as ahead:
                made: list[Lines | None] = []  # connections, while another leads
                lease = yield from await_lease(line, seconds=seconds, waits=looks, broker=broker)
                if lease is None:
                    return None
                ahead.pop_all()
                return PostgresStore(address, lease, made[0] if made else None)
        except StoreFailed as wrong:
            if start is not None:
                start.failed(wrong)
            elif not failing:
                log.warning("standing by without a database: %s", wrong)
            failing = True
            if not waits(last):
                return None
            yield Pause(AGAIN)


class _Start:
    """A start without a database, for which we wait a while."""

    def __init__(self, patience: float, reach: Reach) -> None:
        self._clock, self._until = reach.clock, reach.clock() + patience
        self._noted = False

    def failed(self, wrong: StoreFailed) -> None:
        """Log the failure, once; raise it if we have waited long enough."""
        left = self._until - self._clock()
        if left <= 0:
            raise wrong
        if not self._noted:
            log.warning("%s Trying again for %.0f seconds.", wrong, left)
        self._noted = True


@contextmanager
def _lease_line(address: LogAddress, seconds: float, reach: Reach) -> Iterator[DatabaseLine]:
    """Open a line for the lease, and make the tables if need be. Raises StoreFailed.

    The lease keeps the line, which is closed here only if something goes wrong.
    """
    line = DatabaseLine(address, "lease", reach, patience=min(ANSWER, seconds))
    try:
        with failing(address):
            make_tables(line.get(), address)
            yield line
    except BaseException:
        line.close()
        raise


_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_BOOKS: Final = "SELECT seq, last_table FROM rookery.halls WHERE hall = %(hall)s"
_STREAMS: Final = "SELECT stream FROM rookery.running WHERE hall = %(hall)s"


class ExaminedHall:
    """A hall's log as an examination looks into it.

    That pages are what was written to them is PostgreSQL's to say, by its own checksums. But
    somebody may have reached into the tables.
    """

    def __init__(self, line: DatabaseLine, *, own: bool = True) -> None:
        self.source: Source = PostgresSource(line)
        self._own = own  # else the line's owner is in a transaction, and will hang up
        if own:
            line.get().execute(_MOMENT)

    def close(self) -> None:
        """Hang up."""
        if self._own:
            self.source.close()

    def file(self) -> Iterator[str]:
        """Nothing is wrong with the file itself: there is none."""
        return iter(())

    def rows(self) -> Iterator[Raw | Gap]:
        """Every row, in order, and every gap between them."""
        last = 0
        ((seq, _),) = self.source.ask(_BOOKS)
        for row in self.source.rows(0, NO_END):
            if row[0] != last + 1:
                yield _missing(last + 1, row[0] - 1)
            last = row[0]
            yield row
        if last < seq:
            yield _missing(last + 1, seq)

    def note(self, record: Record) -> None:
        """Nothing is kept as of some record."""

    def beside(self, seen: Seen) -> Iterator[str]:
        """What is kept beside the records and does not follow from them."""
        if self.source.ask(_BOOKS) != [(seen.last, seen.last_table)]:
            yield "How many records and tables there are is not what the records say."
        if {stream for (stream,) in self.source.ask(_STREAMS)} != seen.streams(ended=False).keys():
            yield "The list of streams that run is not what the records say."


def _missing(first: int, last: int) -> Gap:
    which = f"Record {first} is" if first == last else f"The records {first} to {last} are"
    return Gap(first, last, f"{which} missing in the log.")


def examine_hall(address: LogAddress) -> Examination:
    """Examine the log of this hall. Raises Mistake."""
    return Examination(ExaminedHall(DatabaseLine(address, "examining", patience=LONG_ANSWER)))


_MAKE: Final = "INSERT INTO rookery.halls (hall) VALUES (%s) ON CONFLICT DO NOTHING"
_TAKE: Final = """
SELECT seq, epoch, holder, coalesce(until > clock_timestamp(), false)
FROM rookery.halls WHERE hall = %s FOR UPDATE
"""
_TOKEN: Final = "UPDATE rookery.halls SET organiser = %s WHERE hall = %s"  # noqa: S105


class Filling:
    """Fills a new hall with records, in one transaction: whole, or not at all.

    While it is open nobody else can begin a log in this hall, and nobody sees anything of it.
    """

    def __init__(self, line: DatabaseLine) -> None:
        self._line = line
        self._connection = line.get()
        self._hall = line.address.hall
        self._connection.execute(_MAKE, (self._hall,))
        row = self._connection.execute(_TAKE, (self._hall,)).fetchone()
        seq, epoch, holder, led = row or (0, 0, "", False)
        if led:
            raise StoreLocked(f"Another process, {holder}, is writing to {line.address}.")
        if seq:
            raise StoreFailed(f"There is a log at {line.address} already, with {seq} records.")
        self._fence = {"hall": self._hall, "epoch": str(epoch)}
        self._tips: dict[str, Link] = {}

    def append(self, records: Sequence[Record]) -> None:
        """Write these records behind those that are there."""
        batch = make_statement(records, self._tip)
        done = self._connection.execute(batch.sql, batch.values | self._fence, prepare=True)
        assert done.rowcount == len(records), "records are numbered without a gap"
        self._tips.update(batch.tips)
        for stream, tip in batch.tips.items():
            if tip.ended:
                del self._tips[stream]

    def keep_token(self, token: str) -> None:
        """Write the organiser's token too."""
        self._connection.execute(_TOKEN, (token, self._hall))

    def examine(self) -> Examination:
        """Examine what was written so far."""
        return Examination(ExaminedHall(self._line, own=False))

    def _tip(self, stream: str) -> Link:
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        row = self._connection.execute(_LAST, {"hall": self._hall, "stream": stream}).fetchone()
        return Link(0, first_seal(stream)) if row is None else Link(*row)


@contextmanager
def filling(address: LogAddress) -> Iterator[Filling]:
    """Open a new hall to be filled; it exists if all went well. Raises StoreFailed, StoreLocked."""
    line = DatabaseLine(address, "filling", patience=LONG_ANSWER)
    with closing(line), failing(address):
        connection = line.get()
        make_tables(connection, address)
        with connection.transaction():
            yield Filling(line)
