"""Verifying a log: read it once from the first record, and replay every table and tour of it.

`check_log` gives every problem there is, and nothing for a log as it should be: records
without a gap, streams without a gap, every move legal, every outcome the one that the
rules come to, every event of a tour the one that the hall decides on. Events after a
problem at a table or in a tour are counted but no longer judged, so one wrong record is one
problem and not a hundred. It does no I/O.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rookery.core import events
from rookery.core.events import TourEnded, TourEvent, TourWord, tour_of
from rookery.core.ids import PlayerId, Status, TableId, TourId
from rookery.dialects import LANGUAGES
from rookery.doctor.casual import CasualAudit
from rookery.doctor.objections import Objection, begin, follow
from rookery.doctor.tour_replay import TourReplay
from rookery.hall.people.numbers import PLAYER, TABLE, TOUR
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.tables.table import Table

T = TypeVar("T")


class LogProblem(Struct, frozen=True):
    """A problem in a log: its record, the stream and event of that, and a sentence."""

    seq: int
    stream: str
    n: int
    sentence: str


class Census(Struct, frozen=True):
    """How many records, players, tables and tours a log has."""

    records: int
    players: int
    finished: int
    running: int
    open: int
    closed: int  # tables that went before their game began
    broken: int  # tables that could not be followed to their end
    tours_running: int = 0  # tours that are not over
    tours_over: int = 0
    tours_broken: int = 0  # tours that could not be followed to their end
    absent: dict[str, int] = {}  # how many tables and tours are not judged, by the reason


def check_log(records: Iterable[events.Record]) -> Iterator[LogProblem]:
    """Every problem in this log."""
    audit = Audit()
    for record in records:
        yield from audit.take(record)
    yield from audit.close()


class Audit:
    """Judges a log, record by record. It mutates."""

    def __init__(self) -> None:
        self._records = 0
        self._seq = 0
        self._players = PlayerRegistry(LANGUAGES)
        self._numbers: set[tuple[str, str, int]] = set()
        self._n: dict[str, int] = {}  # of each stream's last record
        self._tables: dict[TableId, Table | None] = {}  # None: there was a problem
        self._tours = TourReplay(self._tables, self._players)
        self._casual = CasualAudit()

    def take(self, record: events.Record) -> list[LogProblem]:
        """The problems of the next record."""
        problems = [_problem(record, sentence) for sentence in self._out_of_order(record)]
        table, tour = _number(events.table_of, record), _number(tour_of, record)
        try:
            event = record.event
            if isinstance(event, events.HallEvent):
                self._hall_event(record, event)
            elif isinstance(event, TourWord):
                self._tour_event(record, tour, event)
            else:
                self._table_event(record, table, event)
        except Objection as wrong:
            problems.append(_problem(record, str(wrong)))
            if table is not None:
                self._tables[table] = None
            if tour is not None:
                self._tours.give_up(tour)
        return problems

    def skip(self, seq: int, stream: str) -> None:
        """Note that record `seq`, of this stream if that is known, is damaged: judge it no more."""
        self._seq = max(self._seq, seq)
        self._n[stream] = self._n.get(stream, 0) + 1
        table, tour = _numbered(events.table_of, stream), _numbered(tour_of, stream)
        if table is not None:
            self._tables[table] = None
        if tour is not None:
            self._tours.give_up(tour)

    def close(self) -> list[LogProblem]:
        """The problems of a log that ends here."""
        problems = [LogProblem(self._seq, *one) for one in self._tours.left_open()]
        for number, table in self._tables.items():
            if table is None or table.status is not Status.PLAYING:
                continue
            if table.game.outcome(table.state) is not None:
                sentence = "The rules have ended the game, and the log has not."
                problems.append(
                    LogProblem(self._seq, events.table_stream(number), table.n, sentence)
                )
        return problems

    def tally(self) -> Census:
        """The census of the log so far."""
        running, over, broken = self._tours.count()
        rests = [t.rests for t in self._tables.values() if t is not None and t.rests]
        statuses = [table.status for table in self._tables.values() if table is not None]
        return Census(
            records=self._records,
            players=len(self._players),
            finished=statuses.count(Status.OVER),
            running=statuses.count(Status.PLAYING),
            open=statuses.count(Status.OPEN),
            closed=statuses.count(Status.CLOSED),
            broken=len(self._tables) - len(statuses),
            tours_running=running,
            tours_over=over,
            tours_broken=broken,
            absent=dict(Counter((*rests, *self._tours.absent.values()))),
        )

    def _out_of_order(self, record: events.Record) -> Iterator[str]:
        """What is wrong with a record's place in the log, before anyone looks at its event."""
        last, self._seq = self._seq, record.seq
        if record.seq != last + 1:
            yield f"Record {record.seq} follows record {last}."
        before = self._n.get(record.stream, 0)
        self._n[record.stream] = record.n
        if record.n != before + 1:
            yield f"Event {record.n} follows event {before}."
        if record.ends != isinstance(record.event, events.Ended | events.Closed | TourEnded):
            yield "It is marked as its stream's last, or is so and is not marked."
        self._records += 1

    def _hall_event(self, record: events.Record, event: events.HallEvent) -> None:
        if record.stream != events.HALL_STREAM:
            raise Objection(f"A record of the hall's is in the stream {record.stream!r}.")
        match event:
            case events.PlayerMade(player=player):
                if self._players.get(player) is not None:
                    raise Objection(f"Player {player} is made a second time.")
                self._players.evolve(event)
            case (
                events.PlayerNamed(player)
                | events.NameKept(player)
                | events.TokenGiven(player)
                | events.NameGivenUp(player)
            ):
                self._known(player)
                self._players.evolve(event)
            case events.ToldApart(player, number):
                self._known(player)
                if number < 2:
                    raise Objection(f"Player {player} is told apart by the number {number}.")
                self._players.evolve(event)
            case events.TourDone():
                self._tours.done(event)
            case events.GameRated():
                self._casual.judge(record.seq, event, self._tables.keys())
            case events.Numbered() | events.Freed():
                self._number_event(event)
            case _:
                self._community_event(event)

    def _community_event(self, event: events.AnyCommunityEvent) -> None:
        """Check that all players named in the event exist. Raises Objection."""
        if event.player is not None:
            self._known(event.player)
        if isinstance(event, events.Blocked | events.Unblocked):
            self._known(event.whom)
        if isinstance(event, events.PassphraseReset):
            self._players.evolve(event)

    def _number_event(self, event: events.Numbered | events.Freed) -> None:
        dialect, kind, number = one = event.dialect, event.kind, event.number
        if isinstance(event, events.Freed):
            if one not in self._numbers:
                raise Objection(f"The dialect {dialect} has no {kind} {number} to free.")
            self._numbers.remove(one)
            return
        if kind not in (PLAYER, TABLE, TOUR):
            raise Objection(f"The dialect {dialect} numbers a {kind!r}.")
        if kind == TOUR and not self._tours.knows(event.thing):
            raise Objection(f"The dialect {dialect} numbers tour {event.thing}, which is none.")
        if one in self._numbers:
            raise Objection(f"The dialect {dialect} gives its {kind} {number} twice.")
        self._numbers.add(one)

    def _table_event(
        self, record: events.Record, table: TableId | None, event: events.TableEvent
    ) -> None:
        if table is None:
            raise Objection(f"A table's record is in the stream {record.stream!r}.")
        if isinstance(event, events.Sat | events.TakenOver):
            self._known(event.player)
        self._follow(record, table, event)
        self._tours.at_table(table, event)

    def _follow(self, record: events.Record, table: TableId, event: events.TableEvent) -> None:
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
        over = isinstance(event, events.Ended)
        self._tables[table] = replace(after, state=None) if over else after

    def _tour_event(self, record: events.Record, tour: TourId | None, event: TourEvent) -> None:
        if tour is None:
            raise Objection(f"A tour's record is in the stream {record.stream!r}.")
        self._tours.take(record, tour, event)

    def _known(self, player: PlayerId) -> None:
        if self._players.get(player) is None:
            raise Objection(f"Nobody ever was player {player}.")


def _number(of: Callable[[str], T | None], record: events.Record) -> T | None:
    """The table or tour whose stream a record is in, if it is in one."""
    return _numbered(of, record.stream)


def _numbered(of: Callable[[str], T | None], stream: str) -> T | None:
    try:
        return of(stream)
    except ValueError:
        return None


def _problem(record: events.Record, sentence: str) -> LogProblem:
    return LogProblem(record.seq, record.stream, record.n, sentence)
