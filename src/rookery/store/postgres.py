"""Records as one statement: the fence, the records, and all that is filed about them.

Nothing but the statement itself is ever in a transaction, so a process that stops in the
middle holds no lock that others would wait for. All its parts see the database as it was
before: so what is filed is first added up here, and each row is touched by one part only.

The columns go as texts that PostgreSQL takes apart, which costs a fifth of what a list of
values costs to adapt one by one.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any, Final, LiteralString

from msgspec import Struct

from rookery.core.events import Closed, Ended, Left, Opened, Record, Sat, TakenOver, table_of
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreBroken, StoreFailed, StoreLocked, StoreTaken, follow
from rookery.store.address import HERE, LogAddress, Reach
from rookery.store.catalogue import (
    NO_END,
    Catalogue,
    Finding,
    Finished,
    game_of,
    of_tables,
    status_of,
)
from rookery.store.database import (
    ANSWER,
    LONG_ANSWER,
    BadContent,
    DatabaseError,
    DatabaseLine,
    Pause,
    Waiting,
    check_tables,
    failed,
    failing,
    keep_organiser,
    make_tables,
    wait,
)
from rookery.store.examine import Flaw
from rookery.store.lease import (
    AGAIN,
    NO_BROKER,
    SECONDS,
    HearsBroker,
    Lease,
    Led,
    await_lease,
    claim,
    taken,
)
from rookery.store.log import Follower, Link, encode_event, first_seal, seal
from rookery.store.reader import ReadingThrough
from rookery.store.snapshot import LastRecord, Snapshot, read_snapshot, see_it_fits, write_snapshot

FIRST: Final = 1  # the place of a record in its stream that nothing is before

# Between texts: JSON has no such sign in it, nor has the name of a stream.
_BETWEEN: Final = "\x1e"

# The names of streams and the texts of events are split, not quoted; those of games may be empty.
_FENCE: Final[LiteralString] = """
WITH fence AS (
    UPDATE rookery.halls
    SET seq = %(last)s::bigint, last_table = greatest(last_table, %(table)s::bigint)
    WHERE hall = %(hall)s AND epoch = %(epoch)s::bigint AND seq = %(first)s::bigint - 1
    RETURNING 1
)"""
_RECORDS: Final[LiteralString] = """
INSERT INTO rookery.records
SELECT %(hall)s, %(first)s::bigint - 1 + place, stream, n, at, ends, before, event, sum
FROM fence, unnest(
    string_to_array(%(streams)s, chr(30)), %(ns)s::bigint[], %(ats)s::bigint[],
    %(ends)s::boolean[], %(befores)s::bigint[], string_to_array(%(events)s, chr(30)),
    %(sums)s::bigint[]
) WITH ORDINALITY AS given (stream, n, at, ends, before, event, sum, place)
"""
_FILING: Final[LiteralString] = """
, begun AS (
    INSERT INTO rookery.running
    SELECT %(hall)s, stream FROM fence, unnest(string_to_array(%(begun)s, chr(30))) AS stream
    ON CONFLICT DO NOTHING
), over AS (
    DELETE FROM rookery.running USING fence
    WHERE hall = %(hall)s AND stream = ANY (string_to_array(%(over)s, chr(30)))
), ended AS (
    UPDATE rookery.catalogue AS c SET status = given.status, ended = given.ended
    FROM fence, unnest(%(ended_numbers)s::bigint[], %(ended_how)s::text[], %(ended_at)s::bigint[])
        AS given (number, status, ended)
    WHERE c.hall = %(hall)s AND c.number = given.number AND c.ended = 0
), opened AS (
    INSERT INTO rookery.catalogue
    SELECT %(hall)s, given.* FROM fence, unnest(
        %(numbers)s::bigint[], %(games)s::text[], %(tours)s::bigint[], %(statuses)s::text[],
        %(opened_ended)s::bigint[]
    ) AS given
    ON CONFLICT DO NOTHING
), gone AS (
    DELETE FROM rookery.sitters AS s
    USING fence, unnest(%(left_players)s::bigint[], %(left_numbers)s::bigint[])
        AS given (player, number)
    WHERE s.hall = %(hall)s AND s.player = given.player AND s.number = given.number
), sat AS (
    INSERT INTO rookery.sitters
    SELECT %(hall)s, given.*
    FROM fence, unnest(%(sat_players)s::bigint[], %(sat_numbers)s::bigint[]) AS given
    ON CONFLICT DO NOTHING
)"""
PLAIN: Final[LiteralString] = _FENCE + _RECORDS  # of moves, and whatever else files nothing
FILED: Final[LiteralString] = _FENCE + _FILING + _RECORDS


class Statement(Struct, frozen=True):
    """A batch of records, ready to be sent; and what to remember once they are safe."""

    records: Sequence[Record]
    sql: LiteralString
    values: dict[str, str]
    tips: dict[str, Link]
    ended: tuple[str, ...]


def make_statement(records: Sequence[Record], tip_of: Callable[[str], Link]) -> Statement:
    """Make the statement that writes these records; raises whatever `tip_of` raises.

    Each names the record before it in its stream; `tip_of` finds that if it is of an earlier batch.
    """
    tips: dict[str, Link] = {}
    befores, events, sums, begun, over = [], [], [], [], []
    for record in records:
        stream = record.stream
        tip = tips.get(stream)
        if tip is None:
            tip = Link(0, first_seal(stream)) if record.n == FIRST else tip_of(stream)
        text = encode_event(record.event)
        sealed = seal(tip.sum, record.seq, record.n, record.at, record.ends, tip.seq, text)
        tips[stream] = Link(record.seq, sealed)
        befores.append(tip.seq)
        events.append(text.decode())
        sums.append(sealed)
        if tip.seq == 0:
            begun.append(stream)
        if record.ends:
            over.append(stream)
    values = {
        "first": str(records[0].seq),
        "last": str(records[-1].seq),
        "table": str(max(table_of(stream) or 0 for stream in tips)),
        "streams": _BETWEEN.join([record.stream for record in records]),
        "ns": _numbers(record.n for record in records),
        "ats": _numbers(record.at for record in records),
        "ends": _numbers("t" if record.ends else "f" for record in records),
        "befores": _numbers(befores),
        "events": _BETWEEN.join(events),
        "sums": _numbers(sums),
    }
    filing = _file(records)
    if not (filing or begun or over):
        return Statement(records, PLAIN, values, tips, ())
    ended = set(over)
    values |= (filing or _Filing()).values()
    values["begun"] = _BETWEEN.join([stream for stream in begun if stream not in ended])
    values["over"] = _BETWEEN.join(ended)
    return Statement(records, FILED, values, tips, tuple(ended))


class _Filing(Struct):
    """What the catalogue has to file of a batch. It mutates."""

    opened: dict[int, tuple[str, int | None]] = {}
    ended: dict[int, tuple[str, int]] = {}  # the first end, of a table that was there before
    ended_here: dict[int, tuple[str, int]] = {}  # the first after it was opened in this batch
    sits: dict[tuple[int, int], bool] = {}  # players and tables: whether they sit there after it

    def values(self) -> dict[str, str]:
        """The values as the statement wants them."""
        ends = [self.ended_here.get(number, ("", 0)) for number in self.opened]
        sat = [pair for pair, there in self.sits.items() if there]
        left = [pair for pair, there in self.sits.items() if not there]
        return {
            "numbers": _numbers(self.opened),
            "games": _texts(game for game, _ in self.opened.values()),
            "tours": _numbers("NULL" if t is None else t for _, t in self.opened.values()),
            "statuses": _texts(status for status, _ in ends),
            "opened_ended": _numbers(seq for _, seq in ends),
            "ended_numbers": _numbers(self.ended),
            "ended_how": _texts(status for status, _ in self.ended.values()),
            "ended_at": _numbers(seq for _, seq in self.ended.values()),
            "sat_players": _numbers(player for player, _ in sat),
            "sat_numbers": _numbers(number for _, number in sat),
            "left_players": _numbers(player for player, _ in left),
            "left_numbers": _numbers(number for _, number in left),
        }


def _file(records: Sequence[Record]) -> _Filing | None:
    """What the catalogue has to file of these records; None: nothing."""
    filing: _Filing | None = None
    for record, table in of_tables(records):
        filing = filing or _Filing()
        match record.event:
            case Opened(variant, tour=tour):
                filing.opened.setdefault(table, (game_of(variant), tour))
            case Sat(player=player) | TakenOver(player=player):
                filing.sits[player, table] = True
            case Left(player=player):
                filing.sits[player, table] = False
            case Ended() | Closed():
                end = (status_of(record), record.seq)
                filing.ended.setdefault(table, end)
                if table in filing.opened:
                    filing.ended_here.setdefault(table, end)
            case _:
                pass
    return filing


def _numbers(values: Iterable[object]) -> str:
    """Write a PostgreSQL array of values that need no quotes."""
    return f"{{{','.join(map(str, values))}}}"


def _texts(values: Iterable[str]) -> str:
    """Write a PostgreSQL array of texts; it has no sign with the number 0, so that is replaced."""
    quoted = (
        value.replace("\0", "\ufffd").replace("\\", "\\\\").replace('"', '\\"') for value in values
    )
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"


# The snapshot of a hall in a database: rows of bytes, of which all are there or none.
#
# It needs no fence: it follows from records alone, and says by a seal from which. A process that
# led once and writes one late has written what is true.


SNAPSHOT_PIECE: Final = 1 << 20  # bytes of a row

_NEWEST: Final = "SELECT max(seq) FROM rookery.snapshots WHERE hall = %s"
_PIECE: Final[LiteralString] = """
SELECT content FROM rookery.snapshots WHERE hall = %s AND seq = %s AND piece = %s
"""
_PUT: Final = "INSERT INTO rookery.snapshots VALUES (%s, %s, %s, %s)"
_DELETE: Final = "DELETE FROM rookery.snapshots WHERE hall = %s"
_MARK: Final = "SELECT stream, n, sum FROM rookery.records WHERE hall = %s AND seq = %s"


def find_snapshot(line: DatabaseLine, version: int) -> Snapshot | None:
    """Read the snapshot of the hall of this line. Raises StoreFailed, StoreBroken."""
    hall = line.address.hall
    ((newest,),) = line.ask(_NEWEST, (hall,))
    if newest is None:
        return None
    pieces: list[bytes] = []
    while rows := line.ask(_PIECE, (hall, newest, len(pieces))):
        pieces.append(rows[0][0])
    found = read_snapshot(b"".join(pieces), version)
    see_it_fits(found, _mark(line, found.mark.seq))
    return found


def put_snapshot(line: DatabaseLine, version: int, seq: int, parts: Sequence[bytes]) -> None:
    """Keep this snapshot in place of the one before. Raises StoreFailed."""
    marked = _mark(line, seq)
    assert marked is not None, "a snapshot reaches to a record that is there"
    mark, hall = LastRecord(seq, *marked[1:]), line.address.hall
    content = b"".join(write_snapshot(Snapshot(version, mark, parts)))
    with failing(line.address):
        connection = line.get()
        with connection.transaction():
            connection.execute(_DELETE, (hall,))
            for piece, at in enumerate(range(0, len(content), SNAPSHOT_PIECE)):
                connection.execute(_PUT, (hall, seq, piece, content[at : at + SNAPSHOT_PIECE]))


def _mark(line: DatabaseLine, seq: int) -> tuple[str, int, int] | None:
    rows = line.ask(_MARK, (line.address.hall, seq))
    return None if not rows else (rows[0][0], rows[0][1], rows[0][2])


# Reading the log in a database.
#
# The log only grows, so an iterator needs no transaction to hold its moment still: it reads up
# to the record that was the last when it began, some at a time. A connection that is cut
# meanwhile is made anew. Every record is checked to follow, as in a file.


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
        with failing(self._address):
            check_tables(self._line.get(), self._address)
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


def as_bytes(row: tuple[Any, ...]) -> Any:  # Any: as `log.py` has them
    """The row as a file has it, with texts as bytes."""
    seq, stream, n, at, ends, before, event, said = row
    return seq, stream.encode(), n, at, ends, before, event.encode(), said


def _missing(seq: int) -> StoreBroken:
    return StoreBroken(f"Record {seq} of the log is missing.")


# The store in a database: the leader of a hall writes here, through the fence.
#
# `append` sends one statement and waits for its commit. When the connection is lost on the
# way, nobody knows whether it was made: then the same statement is sent on a new connection.
# It inserts nothing if the first had done it, for the hall's count has moved on; so whether
# the count stands where this batch ends, under our own epoch, is the answer. A batch that is in
# doubt must be the next that is tried: it is settled, or tried again, and never guessed at.


log = logging.getLogger(__name__)

STAGED_MAX: Final = 256  # records that are made ready while others wait: a millisecond
NOBODY: Final = Led("", 0, 0.0)
ENDED_MAX: Final = 10_000  # ended streams that are remembered: in some there is still talk

_COUNT: Final = "SELECT epoch, seq FROM rookery.halls WHERE hall = %s"
_LAST: Final = """
SELECT seq, sum FROM rookery.records WHERE hall = %s AND stream = %s ORDER BY seq DESC LIMIT 1
"""
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
            self.log = PostgresLog(address, reach)
            opened.pop_all()

    def close(self) -> None:
        """Hang up both."""
        self.log.close()
        self.writing.close()


class PostgresStore(ReadingThrough):
    """The one writer of a hall in a database, for as long as it has this lease. It mutates."""

    def __init__(self, address: LogAddress, lease: Lease, lines: Lines | None = None) -> None:
        self.lease = lease
        self._address = address
        self._hall = {"hall": address.hall, "epoch": str(lease.epoch)}
        self._doubt: Statement | None = None  # a batch of which nobody knows whether it is there
        self._staged: Statement | None = None
        self._appending = threading.Lock()
        self._closed = False
        with ExitStack() as opened:
            opened.callback(lease.release)
            lines = lines or Lines(address, lease.reach, lease.seconds)
            opened.enter_context(closing(lines))
            self._line, self._log = lines.writing, lines.log
            self._last = self._log.last_seq()
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
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            if not records:
                self._look()
                return
            assert follow(records, self._last), "records are numbered without a gap"
            self._write(make_statement(records, self._look_up))
        finally:
            self._appending.release()

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
        self._send(batch)
        self._doubt = None
        self._last = batch.records[-1].seq
        self._tips.update(batch.tips)
        for stream in batch.tips.keys() & (self._ended.keys() | set(batch.ended)):
            self._ended[stream] = self._tips.pop(stream)
        if len(self._ended) > ENDED_MAX:
            self._ended.clear()

    def _send(self, batch: Statement) -> None:
        """Send this batch, and once more on a new connection if the old one was cut."""
        cut = self._line.is_cut()
        try:
            self._insert(batch)
        except BadContent:
            self._doubt = None  # the database refused its content, which is our own mistake
            raise
        except DatabaseError as wrong:
            if cut or not self._line.is_cut():
                raise StoreFailed(failed(self._address, wrong)) from wrong
            with failing(self._address):
                self._insert(batch)

    def _look(self) -> None:
        """Find out whether the database answers, and we lead. Raises StoreFailed, StoreTaken."""
        rows = self._line.ask(_COUNT, (self._address.hall,)) if self.lease.held() else []
        if not rows or rows[0][0] != self.lease.epoch:
            self.lease.renew()

    def _insert(self, batch: Statement) -> None:
        connection = self._line.get()
        done = connection.execute(batch.sql, batch.values | self._hall, prepare=True)
        if done.rowcount == 0:
            self._explain(batch)

    def _explain(self, batch: Statement) -> None:
        """Find out why nothing was inserted: it was there, or raises StoreTaken."""
        row = self._line.get().execute(_COUNT, (self._address.hall,)).fetchone()
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
            rows = self._line.ask(_LAST, (self._address.hall, stream))
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
    start = _Start(patience, HERE)
    while True:
        try:
            return wait(opening(address, HERE, seconds=seconds, kind=kind))
        except StoreFailed as wrong:
            start.failed(wrong)
            time.sleep(AGAIN)


def opening(
    address: LogAddress,
    reach: Reach,
    *,
    seconds: float = SECONDS,
    kind: type[PostgresStore] = PostgresStore,
) -> Waiting[PostgresStore]:
    """As `open_postgres`, by this reach and as a generator of pauses."""
    with _lease_line(address, seconds, reach) as line:
        lease = yield from claim(line, seconds=seconds)
        return kind(address, lease)


def stand_by(
    address: LogAddress,
    *,
    seconds: float = SECONDS,
    waits: Callable[[Led], bool],
    patience: float = 0.0,
    broker: HearsBroker = NO_BROKER,
) -> PostgresStore | None:
    """Lead the hall at this address as soon as nobody else does; None once `waits` says no.

    `waits` hears every so often who leads. A database may be away for `patience` seconds at first,
    and for any while once it was there. Raises what `open_postgres` does, but for StoreLocked.
    """
    return wait(
        standing_by(address, HERE, seconds=seconds, waits=waits, patience=patience, broker=broker)
    )


def standing_by(
    address: LogAddress,
    reach: Reach,
    *,
    seconds: float = SECONDS,
    waits: Callable[[Led], bool],
    patience: float = 0.0,
    broker: HearsBroker = NO_BROKER,
) -> Waiting[PostgresStore | None]:
    """As `stand_by`, by this reach and as a generator of pauses."""
    found = [NOBODY]  # who led when we last knew
    start: _Start | None = _Start(patience, reach)  # until the database was there once
    failing = False

    def looks(led: Led) -> bool:
        nonlocal failing, start
        failing, start = False, None
        found[0] = led
        made.make()
        return waits(led)

    while True:
        try:
            with (
                _lease_line(address, seconds, reach) as line,
                closing(_LinesAhead(address, reach, seconds)) as made,
            ):
                lease = yield from await_lease(line, seconds=seconds, waits=looks, broker=broker)
                return None if lease is None else PostgresStore(address, lease, made.take())
        except StoreFailed as wrong:
            if start is not None:
                start.failed(wrong)
            elif not failing:
                log.warning("standing by without a database: %s", wrong)
            failing = True
            if not waits(found[0]):
                return None
            yield Pause(AGAIN)


class _LinesAhead:
    """Connections that a stand-by makes ahead, while another leads. It mutates."""

    def __init__(self, address: LogAddress, reach: Reach, seconds: float) -> None:
        self._made: Lines | None = None
        self._how = address, reach, seconds
        self._tried = False

    def make(self) -> None:
        """Make the connections, once; if that fails, it will show when we take over."""
        if not self._tried:
            self._tried = True
            with suppress(StoreFailed):
                self._made = Lines(*self._how)

    def take(self) -> Lines | None:
        """Hand over the connections, if they were made."""
        made, self._made = self._made, None
        return made

    def close(self) -> None:
        """Hang up, unless the connections were handed over."""
        if self._made is not None:
            self._made.close()


class _Start:
    """A start without a database, for which we wait a while. It mutates."""

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


# Examining a log in a database: every record that is as it was written, and every flaw.
#
# That pages are what was written to them is PostgreSQL's to say, by its own checksums. The
# records are held against their seals here too, and what the store keeps beside them against
# what they say: somebody may have reached into the tables.


_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_EXAMINED: Final[LiteralString] = """
SELECT seq, stream, n, at, ends, before, event, sum FROM rookery.records
WHERE hall = %s AND seq > %s ORDER BY seq LIMIT %s
"""
_RUNNING_STREAMS: Final = "SELECT stream FROM rookery.running WHERE hall = %s"
_FILED: Final = """
SELECT number, game, tour, status, ended FROM rookery.catalogue WHERE hall = %s
"""
_SITTERS: Final = "SELECT player, number FROM rookery.sitters WHERE hall = %s"


class DatabaseExamination:
    """One reading of a hall's log, as it is now: what a server adds is not seen. It mutates."""

    def __init__(self, line: DatabaseLine, *, own: bool = True) -> None:
        self._line = line
        self._own = own  # else the line's owner is in a transaction, and will hang up
        self._hall = line.address.hall
        if own:
            line.get().execute(_MOMENT)
        self._running: set[str] = set()
        self._ended: set[str] = set()
        self._last = self._last_table = 0
        self._catalogue = Catalogue()
        self._flawed = False

    def close(self) -> None:
        """Hang up."""
        if self._own:
            self._line.close()

    def file(self) -> Iterator[str]:
        """Nothing is wrong with the file itself: there is none."""
        return iter(())

    def records(self) -> Iterator[Record | Flaw]:
        """Yield every sound record, in order, and a flaw for each of the others."""
        follower = Follower(self._find)
        while rows := self._line.ask(_EXAMINED, (self._hall, self._last, PIECE)):
            for row in rows:
                if row[0] != self._last + 1:
                    yield self._missing(row[0] - 1)
                self._last = row[0]
                try:
                    record = follower.take(as_bytes(row))
                except StoreBroken as wrong:
                    yield self._flaw(row[0], row[1], str(wrong))
                else:
                    self._take(record)
                    yield record
        ((seq, _),) = self._line.ask(_HALL, (self._hall,))
        if self._last < seq:
            yield self._missing(seq)

    def beside(self) -> Iterator[str]:
        """Yield what the store keeps beside the records and does not fit them."""
        if self._flawed:
            return  # nothing can be said while a record is missing
        if self._line.ask(_HALL, (self._hall,)) != [(self._last, self._last_table)]:
            yield "How many records and tables there are is not what the records say."
        running = {stream for (stream,) in self._line.ask(_RUNNING_STREAMS, (self._hall,))}
        if running != self._running - self._ended:
            yield "The list of streams that run is not what the records say."
        filed = sorted(self._line.ask(_FILED, (self._hall,)))
        if filed != self._catalogue.rows():
            yield "The catalogue of tables is not what the records say."
        if sorted(self._line.ask(_SITTERS, (self._hall,))) != self._catalogue.sitters():
            yield "The list of who sat where is not what the records say."

    def _take(self, record: Record) -> None:
        self._running.add(record.stream)
        if record.ends:
            self._ended.add(record.stream)
        self._last_table = max(self._last_table, table_of(record.stream) or 0)
        self._catalogue.take((record,))

    def _find(self, seq: int) -> tuple[object, object] | None:
        rows = self._line.ask(_LINK, (self._hall, seq))
        return (rows[0][0].encode(), rows[0][1]) if rows else None

    def _missing(self, last: int) -> Flaw:
        first = self._last + 1
        which = f"Record {first} is" if first == last else f"The records {first} to {last} are"
        return self._flaw(last, "", f"{which} missing in the log.")

    def _flaw(self, seq: int, stream: str, sentence: str) -> Flaw:
        self._flawed = True
        return Flaw(seq, stream, sentence)


# A new hall in a database, filled from another log in one transaction: whole, or not at all.
#
# While it is open nobody else can begin a log in this hall, and nobody sees anything of it.


_MAKE: Final = "INSERT INTO rookery.halls (hall) VALUES (%s) ON CONFLICT DO NOTHING"
_TAKE: Final = """
SELECT seq, epoch, holder, coalesce(until > clock_timestamp(), false)
FROM rookery.halls WHERE hall = %s FOR UPDATE
"""
_TOKEN: Final = "UPDATE rookery.halls SET organiser = %s WHERE hall = %s"  # noqa: S105


class Filling:
    """Fills a new hall with records. It mutates."""

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
        for stream in batch.ended:
            del self._tips[stream]

    def keep_token(self, token: str) -> None:
        """Write the organiser's token too."""
        self._connection.execute(_TOKEN, (token, self._hall))

    def examine(self) -> DatabaseExamination:
        """Examine what was written so far."""
        return DatabaseExamination(self._line, own=False)

    def _tip(self, stream: str) -> Link:
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        row = self._connection.execute(_LAST, (self._hall, stream)).fetchone()
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
