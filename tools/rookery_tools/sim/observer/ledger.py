"""The log as the observer reads it: who moved what where, and when each word was safe."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from rookery.core.events import Opened, Played, Record, Said, Sat, Swapped, TakenOver, table_of
from rookery.core.ids import PlayerId, Seat, TableId
from rookery_tools.sim.machine.agenda import Nanos


class Move(Struct, frozen=True):
    """A move in the log."""

    record: Record
    event: Played


class WorldLedger:
    """All records of a world's log, found by table, player and kind."""

    def __init__(self, records: Sequence[Record], safe: Sequence[Nanos]) -> None:
        self.records = records
        self.safe = safe
        self.at: dict[tuple[TableId, int], Record] = {}
        self.moves: defaultdict[tuple[TableId, PlayerId], list[Move]] = defaultdict(list)
        self.words: defaultdict[str, list[Record]] = defaultdict(list)
        self.seats: dict[TableId, dict[Seat, PlayerId]] = defaultdict(dict)
        self.opened: dict[TableId, Opened] = {}
        self.histories: defaultdict[TableId, list[Record]] = defaultdict(list)  # all that happened
        for record in records:
            table = table_of(record.stream)
            if table is not None:
                self._take(table, record)

    def _take(self, table: TableId, record: Record) -> None:
        self.at[table, record.n] = record
        self.histories[table].append(record)
        match record.event:
            case Opened() as opened:
                self.opened[table] = opened
            case Sat() | TakenOver() | Swapped():
                put_down(self.seats[table], record.event)
            case Played(seat) as event if seat in self.seats[table]:
                self.moves[table, self.seats[table][seat]].append(Move(record, event))
            case Said(text=text):
                self.words[text].append(record)
            case _:
                pass

    def safe_at(self, record: Record) -> Nanos:
        """When this record became safe."""
        return self.safe[record.seq - 1]


def put_down(seats: dict[Seat, PlayerId], event: Sat | TakenOver | Swapped) -> None:
    """Change the seats of a table as this event does."""
    match event:
        case Swapped(one, other):
            found = {other: seats.pop(one, None), one: seats.pop(other, None)}
            seats |= {seat: player for seat, player in found.items() if player is not None}
        case Sat(seat, player) | TakenOver(seat, player):
            seats[seat] = player
