"""Verifying a log: read it once from the first record, and replay every table of it.

`check_log` gives every problem there is, and nothing for a log as it should be: records
without a gap, streams without a gap, every move legal, every outcome the one that the
rules come to. What follows a problem at a table is counted but no longer judged, so one
wrong record is one problem and not a hundred. It does no I/O.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import (
    HALL_STREAM,
    Closed,
    Ended,
    Freed,
    HallEvent,
    Numbered,
    PlayerMade,
    PlayerNamed,
    Record,
    Sat,
    TableEvent,
    table_of,
)
from rookery.core.ids import PlayerId, TableId
from rookery.doctor.objections import Objection, begin, follow
from rookery.hall.table import Status, Table


class Problem(Struct, frozen=True):
    """What is wrong, and where: the record, its table if it has one, and the event there."""

    seq: int
    table: TableId | None
    n: int
    sentence: str


class Tally(Struct, frozen=True):
    """What was in a log."""

    records: int
    players: int
    finished: int
    running: int
    open: int
    closed: int  # tables that went before their game began
    broken: int  # tables that could not be followed to their end


def check_log(records: Iterable[Record]) -> Iterator[Problem]:
    """Every problem in this log."""
    audit = Audit()
    for record in records:
        yield from audit.take(record)
    yield from audit.close()


class Audit:
    """A log being read, record by record. It mutates."""

    def __init__(self) -> None:
        self._records = 0
        self._seq = 0
        self._at = 0
        self._players: set[PlayerId] = set()
        self._numbers: set[tuple[str, str, int]] = set()
        self._n: dict[str, int] = {}  # of each stream's last record
        self._tables: dict[TableId, Table | None] = {}  # None: there was a problem

    def take(self, record: Record) -> list[Problem]:
        """What is wrong with the next record."""
        table = _table_of(record)
        sentences = list(self._out_of_order(record))
        try:
            match record.event:
                case PlayerMade() | PlayerNamed() | Numbered() | Freed():
                    self._hall_event(record, record.event)
                case _:
                    self._table_event(record, table, record.event)
        except Objection as wrong:
            sentences.append(str(wrong))
            if table is not None:
                self._tables[table] = None
        return [Problem(record.seq, table, record.n, sentence) for sentence in sentences]

    def close(self) -> list[Problem]:
        """What is wrong with a log that ends here."""
        problems = []
        for number, table in self._tables.items():
            if table is None or table.status is not Status.PLAYING:
                continue
            if table.game.outcome(table.state) is not None:
                sentence = "The rules have ended the game, and the log has not."
                problems.append(Problem(self._seq, number, table.n, sentence))
        return problems

    def tally(self) -> Tally:
        """What there was so far."""
        statuses = [table.status for table in self._tables.values() if table is not None]
        return Tally(
            records=self._records,
            players=len(self._players),
            finished=statuses.count(Status.OVER),
            running=statuses.count(Status.PLAYING),
            open=statuses.count(Status.OPEN),
            closed=statuses.count(Status.CLOSED),
            broken=len(self._tables) - len(statuses),
        )

    def _out_of_order(self, record: Record) -> Iterator[str]:
        """What is wrong with a record's place, before anyone looks into it."""
        last, self._seq = self._seq, record.seq
        if record.seq != last + 1:
            yield f"Record {record.seq} follows record {last}."
        before = self._n.get(record.stream, 0)
        self._n[record.stream] = record.n
        if record.n != before + 1:
            yield f"Event {record.n} follows event {before}."
        if record.at < self._at:
            yield f"It happens {self._at - record.at} µs before the record before it."
        self._at = max(self._at, record.at)
        if record.ends != isinstance(record.event, Ended | Closed):
            yield "It is marked as its table's last, or is so and is not marked."
        self._records += 1

    def _hall_event(self, record: Record, event: HallEvent) -> None:
        if record.stream != HALL_STREAM:
            raise Objection(f"A player's record is in the stream {record.stream!r}.")
        match event:
            case PlayerMade(player=player):
                if player in self._players:
                    raise Objection(f"Player {player} is made a second time.")
                self._players.add(player)
            case PlayerNamed(player=player):
                self._known(player)
            case Numbered(dialect, kind, _, number):
                if (dialect, kind, number) in self._numbers:
                    raise Objection(f"The dialect {dialect} gives its {kind} {number} twice.")
                self._numbers.add((dialect, kind, number))
            case Freed(dialect, kind, number):
                if (dialect, kind, number) not in self._numbers:
                    raise Objection(f"The dialect {dialect} has no {kind} {number} to free.")
                self._numbers.remove((dialect, kind, number))

    def _table_event(self, record: Record, table: TableId | None, event: TableEvent) -> None:
        if table is None:
            raise Objection(f"A table's record is in the stream {record.stream!r}.")
        if isinstance(event, Sat):
            self._known(event.player)
        if table not in self._tables:
            self._tables[table] = begin(table, event) if record.n == 1 else None
            return
        before = self._tables[table]
        if before is None:
            return
        if record.n != before.n + 1:
            self._tables[table] = None
            return
        after = follow(before, event)
        # A long log has many tables, and what is over needs its board no more.
        self._tables[table] = replace(after, state=None) if isinstance(event, Ended) else after

    def _known(self, player: PlayerId) -> None:
        if player not in self._players:
            raise Objection(f"Nobody ever was player {player}.")


def _table_of(record: Record) -> TableId | None:
    try:
        return table_of(record.stream)
    except ValueError:
        return None
