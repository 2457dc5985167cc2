"""Verifying a log: read it once from the first record, and replay every table and tour of it.

`check_log` yields every problem there is, and nothing for a sound log: records without a gap,
streams without a gap, every move legal, every outcome the one that the rules come to, every
event of a tour the one that the hall decides on. Events after a problem at a table or in a
tour are counted but no longer judged, so one wrong record is one problem and not a hundred.
`salvage` keeps what verifies of a damaged log. No I/O happens here.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rookery.core import events
from rookery.core.events import (
    HALL_STREAM,
    GameRated,
    Record,
    TourEnded,
    TourEvent,
    TourWord,
    tour_of,
)
from rookery.core.ids import PlayerId, Status, TableId, TourId
from rookery.dialects import LANGUAGES
from rookery.hall.hall_memory import HallMemory
from rookery.hall.people.numbers import PLAYER, TABLE, TOUR
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.tables.table import Table
from rookery.store.snapshot import Snapshot
from rookery.verify.tables import Violation, begin, follow
from rookery.verify.tours import TourReplay

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
    """Judges a log, record by record."""

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
        except Violation as wrong:
            problems.append(_problem(record, str(wrong)))
            if table is not None:
                self._tables[table] = None
            if tour is not None:
                self._tours.give_up(tour)
        return problems

    def skip(self, seq: int, stream: str) -> None:
        """Skip a damaged record: nothing that depends on its stream, where known, is judged."""
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
            raise Violation(f"A record of the hall's is in the stream {record.stream!r}.")
        match event:
            case events.PlayerMade(player=player):
                if self._players.get(player) is not None:
                    raise Violation(f"Player {player} is made a second time.")
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
                    raise Violation(f"Player {player} is told apart by the number {number}.")
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
        """Check that all players named in the event exist. Raises Violation."""
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
                raise Violation(f"The dialect {dialect} has no {kind} {number} to free.")
            self._numbers.remove(one)
            return
        if kind not in (PLAYER, TABLE, TOUR):
            raise Violation(f"The dialect {dialect} numbers a {kind!r}.")
        if kind == TOUR and not self._tours.knows(event.thing):
            raise Violation(f"The dialect {dialect} numbers tour {event.thing}, which is none.")
        if one in self._numbers:
            raise Violation(f"The dialect {dialect} gives its {kind} {number} twice.")
        self._numbers.add(one)

    def _table_event(
        self, record: events.Record, table: TableId | None, event: events.TableEvent
    ) -> None:
        if table is None:
            raise Violation(f"A table's record is in the stream {record.stream!r}.")
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
            raise Violation(f"A tour's record is in the stream {record.stream!r}.")
        self._tours.take(record, tour, event)

    def _known(self, player: PlayerId) -> None:
        if self._players.get(player) is None:
            raise Violation(f"Nobody ever was player {player}.")


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


class CasualAudit:
    """Checks casual ratings: each must name the record that rated the same person before."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}  # by game and by whose rating it is

    def judge(self, seq: int, event: GameRated, tables: Container[TableId]) -> None:
        """Check that this rating follows from the records before. Raises Violation.

        A salvage may have lost the record before: then none is named, and the past ends there.
        """
        known = [self._last.get((event.game, one.key), 0) for one in event.rated]
        self._last |= {(event.game, one.key): seq for one in event.rated}
        if event.table not in tables:
            raise Violation(f"A game is rated that nobody played, at table {event.table}.")
        if len(event.before) != len(event.rated):
            raise Violation("A game is rated for others than those it follows.")
        for named, last in zip(event.before, known, strict=True):
            if named not in (0, last):
                raise Violation(f"A rating follows record {named}, and the last was {last}.")


class SnapshotAudit:
    """Holds a snapshot against its log: its parts must be what the records lead to."""

    def __init__(self, snapshot: Snapshot | None) -> None:
        self._snapshot = snapshot
        self._memory: HallMemory | None = None if snapshot is None else HallMemory(LANGUAGES)

    def take(self, record: Record) -> Iterator[str]:
        """What the next record of the log shows to be wrong, as sentences."""
        snapshot, memory = self._snapshot, self._memory
        if snapshot is None or memory is None or record.stream != HALL_STREAM:
            return
        try:
            memory.take(record)
        except Exception:  # noqa: BLE001 # what is damaged may break anything, and is said elsewhere
            self._memory = None
            return
        if record.seq >= snapshot.mark.seq:
            self._memory = None
            written, parts = memory.written(), list(snapshot.parts)
            if written[:1] != parts[:1]:
                return  # it was made with other dialects, and is for a server that has them
            if memory.seq != snapshot.mark.seq or written != parts:
                yield (
                    f"The snapshot says of the records up to {snapshot.mark.seq} what they do not: "
                    "delete it, and the next start reads all of them."
                )

    def skip(self, stream: str) -> None:
        """Stop judging, if a record of the hall's stream, or of an unknown one, is damaged."""
        if stream in ("", HALL_STREAM):
            self._memory = None


# -- Salvage: what can be saved of a damaged log, so that the new log opens and is sound.
#
# Only records with intact seals are taken. A stream with a gap is left out whole: cut at the
# gap, a finished game would be played on, and a running one would go on without moves that
# everyone saw. The hall's own stream loses only its damaged records: each is about one player
# or tour. The result is then verified, and every stream with a problem is left out as well,
# until none has one. Records that are left out are kept apart, as far as they can be read.

MORE: Final = "It is about something that is left out: "


class Saved(Struct, frozen=True):
    """The result of a salvage: what is saved, what is lost, and why."""

    records: Sequence[Record]  # of the new log, renumbered
    lost: Mapping[str, str]  # the streams that are left out, and why
    dropped: Sequence[str]  # records of the hall's own that are left out, each as a sentence
    apart: Sequence[Record]  # what can be read of what is left out, as it was numbered


def salvage(records: Iterable[Record], broken: Mapping[str, str]) -> Saved:
    """Save what can be saved of these records, in the log's order; `broken` streams have a gap."""
    all_ = list(records)
    lost = {stream: why for stream, why in broken.items() if stream != HALL_STREAM}
    dropped: dict[int, str] = {}  # by the old number
    while True:
        kept = [r for r in all_ if r.stream not in lost and r.seq not in dropped]
        renumbered = list(_renumbered(kept))
        old = {new.seq: was for new, was in zip(renumbered, kept, strict=True)}
        problems = list(check_log(renumbered))
        if not problems:
            break
        for problem in problems:
            was = old.get(problem.seq)
            if problem.stream == HALL_STREAM and was is not None:
                dropped.setdefault(was.seq, f"Record {was.seq}: {problem.sentence}")
            elif problem.stream not in lost:
                lost[problem.stream] = MORE + problem.sentence
    apart = [r for r in all_ if r.stream in lost or r.seq in dropped]
    return Saved(renumbered, lost, list(dropped.values()), apart)


def _renumbered(records: Iterable[Record]) -> Iterator[Record]:
    """The records renumbered without gaps, in the log and in their streams."""
    places: defaultdict[str, int] = defaultdict(int)
    rated: dict[int, int] = {}  # records that rate games: their new numbers by the old ones
    for seq, record in enumerate(records, 1):
        places[record.stream] += 1
        n, event = places[record.stream], record.event
        if isinstance(event, GameRated):
            rated[record.seq] = seq
            event = replace(event, before=tuple(rated.get(one, 0) for one in event.before))
        same = (seq, n, event) == (record.seq, record.n, record.event)
        yield record if same else replace(record, seq=seq, n=n, event=event)
