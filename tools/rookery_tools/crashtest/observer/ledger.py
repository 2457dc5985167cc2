"""The log as the judge reads it: every board that was ever there, and who was to act on it.

After every kill the ledger reads on from where it was, and replays what is new.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing

from msgspec import Struct

from rookery.core.events import (
    Ended,
    LogEvent,
    Out,
    Played,
    PlayerMade,
    PlayerNamed,
    Record,
    Said,
    TableEvent,
    table_events,
    table_of,
    tour_of,
)
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.hall.tables.replay import next_change
from rookery.hall.tables.table import Table
from rookery.store import Log
from rookery_tools.crashtest.observer.claims import UNNAMED, Key, key_of

Place = tuple[TableId, int]  # a table, and how many events it has had


class Charge(Struct, frozen=True):
    """The time that a move was charged, and since when its seat was to act."""

    who: str
    table: TableId
    spent: Micros
    since: Micros
    at: Micros


class CrashtestLedger:
    """All records of the log, and what follows from them: boards, charges, ends."""

    def __init__(self, open_log: Callable[[], Log]) -> None:
        self._open_log = open_log
        self.records: list[Record] = []
        self.at: dict[Place, LogEvent] = {}
        self.boards: defaultdict[tuple[str, Seat, Key], list[Place]] = defaultdict(list)
        self.moves: defaultdict[tuple[str, TableId], list[str]] = defaultdict(list)
        self.words: defaultdict[str, int] = defaultdict(int)
        self.ends: defaultdict[str, list[int]] = defaultdict(list)  # places, in order of ending
        self.outs: list[str] = []  # who lost without being beaten
        self.charges: list[Charge] = []
        self.tours: set[int] = set()
        self.tables: dict[TableId, Table] = {}
        self._since: dict[tuple[TableId, Seat], Micros] = {}
        self._people: dict[PlayerId, str] = {}

    def read_on(self) -> Sequence[Record]:
        """Read the records written since the last time. Raises StoreFailed and StoreBroken."""
        with closing(self._open_log()) as log:
            fresh = list(log.read(after=len(self.records)))
        for record in fresh:
            self._take(record)
        return fresh

    @property
    def running(self) -> list[Table]:
        """The tables where a game is played."""
        return [table for table in self.tables.values() if table.status is Status.PLAYING]

    def sitters(self, table: Table) -> list[str]:
        """The names of those who sit at a table, as the log knows them."""
        return [self._people[player] for player in table.seats if player is not None]

    def _take(self, record: Record) -> None:
        self.records.append(record)
        match record.event:
            case PlayerMade(player, name=name, dialect=dialect):
                self._people[player] = dialect if dialect in UNNAMED else name
            case PlayerNamed(player, name) if self._people.get(player) not in UNNAMED:
                self._people[player] = name
            case _:
                pass
        if (tour := tour_of(record.stream)) is not None:
            self.tours.add(tour)
        if (table := table_of(record.stream)) is not None:
            for event in table_events([record]):
                self._at_table(table, record, event)

    def _at_table(self, number: TableId, record: Record, event: TableEvent) -> None:
        self.at[number, record.n] = event
        before = self.tables.get(number)
        self._judge_time(number, before, record, event)
        table = self.tables[number] = next_change(number, before, event).table
        match event:
            case Said(text=text):
                self.words[text] += 1
            case Ended(outcome):
                for who, place in zip(self.sitters(table), outcome.places, strict=False):
                    self.ends[who].append(place)
            case Out(seat, why):
                self.outs.append(f"{self._who(table, seat)} at table {number}: {why}")
            case _:
                pass
        if table.status is Status.PLAYING:
            self._note_boards(number, table, record, event)

    def _note_boards(
        self, number: TableId, table: Table, record: Record, event: TableEvent
    ) -> None:
        """Note the board that each seat to act is shown now, and since when its time runs."""
        to_act = table.game.to_act(table.state)
        for seat in to_act:
            key = key_of(table.game.view(table.state, seat), seat)
            self.boards[self._who(table, seat), seat, key].append((number, record.n))
            moved = isinstance(event, Played) and event.seat == seat
            if moved or (number, seat) not in self._since:
                self._since[number, seat] = record.at
        for other in range(len(table.seats)):
            if other not in to_act:
                self._since.pop((number, Seat(other)), None)

    def _judge_time(
        self, number: TableId, before: Table | None, record: Record, event: TableEvent
    ) -> None:
        if before is None or not isinstance(event, Played):
            return
        who = self._who(before, event.seat)
        self.moves[who, number].append(event.move)
        since = self._since.get((number, event.seat), record.at)
        self.charges.append(Charge(who, number, event.spent, since, record.at))

    def _who(self, table: Table, seat: Seat) -> str:
        player = table.seats[seat]
        return "" if player is None else self._people[player]
