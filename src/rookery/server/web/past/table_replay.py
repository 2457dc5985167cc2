"""A table's log, replayed once, with marks on the way to go on from.

To know how a table stood after an event all before it must be replayed. A client that leafs
through a long game would have that done for every page; so the last long ones are kept, and a
page begins at the mark before it. What is kept is the log and what follows from it; what of
it a client may know is judged when it is told.

Since when a seat was thinking is not in the log, but what its move was charged is. So
clocks run here as they ran then, but for a seat whose move has not come yet: a log that has
grown is replayed anew from where the first such seat began.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.errors import BROKEN, FAILED, BadOption, Damaged
from rookery.core.events import (
    Ended,
    Out,
    Played,
    Record,
    TableEvent,
    TakenBack,
    table_events,
    table_stream,
)
from rookery.core.ids import Micros, Seat, TableId
from rookery.hall.limits import PAST_PAGE
from rookery.hall.tables.replay import next_change, why_text
from rookery.hall.tables.ruling import ENDLESS, TableChange
from rookery.hall.tables.table import Table

STRIDE: Final = 100  # events from mark to mark
LONG: Final = PAST_PAGE  # events; shorter ones are one page, and soon replayed
REPLAYS_MAX: Final = 8  # that are kept
EVENTS_MAX: Final = 64_000  # of all that are kept, about 27 MB; the longest nim has 31,000

Read = Callable[[int, str], Iterable[Record]]  # of a stream what comes after a record
At = tuple[Micros, TableChange]  # when it was, what happened, and the table right after


class TableReplay:
    """A table with all its past. It mutates: it grows as the log does."""

    def __init__(self, table: TableId, stride: int = STRIDE, why: str = "") -> None:
        self.table = table
        self._why = why  # why it is read as text; empty: it is not
        self.records: list[Record] = []
        self._stride = stride
        self._events: list[TableEvent] = []
        self._thoughts = _Thoughts()
        self._marks: list[Table] = []  # after event 1, 101, 201 …
        self._settled = 0  # events after which nothing that may come changes any clock
        self._last: Table | None = None

    def __len__(self) -> int:
        return len(self.records)

    @property
    def tip(self) -> int:
        """The number of its last record in the whole log; 0 without any."""
        return self.records[-1].seq if self.records else 0

    @property
    def last(self) -> Table:
        """The table after all its events, with its clocks as they ran."""
        assert self._last is not None, "what is replayed has a log"
        return self._last

    def grow(self, records: Sequence[Record]) -> None:
        """Replay these records, which came next. Raises BadOption if we lack their rules."""
        if not records:
            return
        self.records += records
        self._events += table_events(records)
        assert len(self._events) == self.records[-1].n, "a table's events are counted from 1"
        self._thoughts.add(records)
        del self._marks[-(-self._settled // self._stride) :]
        self._settled = (len(self._marks) - 1) * self._stride + 1 if self._marks else 0
        settled = True
        for n, change, sure in self._replay(self._settled):
            if n % self._stride == 1:
                self._marks.append(change.table)
            settled = settled and sure
            if settled:
                self._settled = n
            self._last = change.table

    def changes(self, since: int) -> Iterator[At]:
        """Yield what happened after event `since`, in order, each with when."""
        known = min(since, len(self))
        known -= (known - 1) % self._stride if known else 0
        for n, change, _ in self._replay(known):
            if n > since:
                yield self.records[n - 1].at, change

    def stood(self, n: int) -> tuple[Table, Micros]:
        """The table after event `n` or its last, with its clocks as they ran, and when."""
        if n >= len(self):
            return self.last, self.records[-1].at
        at, change = next(self.changes(n - 1))
        return change.table, at

    def _replay(self, known: int) -> Iterator[tuple[int, TableChange, bool]]:
        """Replay every event after `known`, which has a mark; say if clocks are settled."""
        made = self._marks[known // self._stride] if known else None
        sure = True
        for n in range(known, len(self.records)):
            if made is not None:
                made, sure = self._thoughts.begin(made, self.records[n - 1])
            change = next_change(self.table, made, self._events[n], self._why)
            made = change.table
            yield n + 1, change, sure


class ReplayCache:
    """The replays that were looked at last. It mutates."""

    def __init__(self, read: Read, events_max: int = EVENTS_MAX) -> None:
        self._read = read
        self._events_max = events_max
        self._kept: dict[TableId, TableReplay] = {}  # the one that was looked at last is the last

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, table: TableId) -> TableReplay | None:
        """The replay of this table; None if there is none, or we lack its rules.

        Raises Damaged if its record cannot be read, or is none of a table.
        """
        replay = self._kept.pop(table, None) or TableReplay(table)
        try:
            records = list(self._read(replay.tip, table_stream(table)))
            if not replay.records and records and (why := _endless(records)):
                replay = TableReplay(table, why=why)
            replay.grow(records)
        except BadOption:
            return None
        except Damaged:
            raise
        except BROKEN as wrong:  # what is damaged may break the rules anywhere
            replay = self._as_text(table, wrong)
        if len(replay) > LONG:
            self._keep(replay)
        return replay if len(replay) else None

    def _as_text(self, table: TableId, wrong: BaseException) -> TableReplay:
        """The table as text, because its rules failed with this. Raises Damaged."""
        try:
            records = list(self._read(0, table_stream(table)))
            replay = TableReplay(table, why=why_text(records[0].event, wrong))
            replay.grow(records)
        except BROKEN:
            raise Damaged(f"Table {table} cannot be replayed: {wrong!r}.") from wrong
        return replay

    def _keep(self, replay: TableReplay) -> None:
        self._kept[replay.table] = replay
        while len(self._kept) > REPLAYS_MAX or self._events() > self._events_max:
            del self._kept[next(iter(self._kept))]

    def _events(self) -> int:
        return sum(map(len, self._kept.values()))


def _endless(records: Sequence[Record]) -> str:
    """Why this must not be played through again: its rules never ended; empty if they did."""
    for record in reversed(records):
        event = record.event
        if isinstance(event, Ended):
            failed = event.outcome.how == FAILED and ENDLESS in event.outcome.reason
            return event.outcome.reason if failed else ""
    return ""


class _Thoughts:
    """When each seat began to think about each move, by what the move was charged. It mutates."""

    def __init__(self) -> None:
        self._moved: defaultdict[Seat, list[int]] = defaultdict(list)  # its moves, by event
        self._begun: defaultdict[Seat, list[Micros]] = defaultdict(list)  # to think of each

    def add(self, records: Sequence[Record]) -> None:
        """Note the thinking times in these records, which came next."""
        for record in records:
            match record.event:
                case Played(seat, _, spent) | Out(seat, _, spent):
                    self._thought(record, seat, spent)
                case TakenBack(thought=thoughts):
                    for n, spent in enumerate(thoughts):
                        self._thought(record, Seat(n), spent)
                case _:
                    pass

    def _thought(self, record: Record, seat: Seat, spent: Micros) -> None:
        self._moved[seat].append(record.n)
        self._begun[seat].append(record.at - spent)

    def begin(self, table: Table, record: Record) -> tuple[Table, bool]:
        """Start the clocks that this event set going; return whether all starts are known."""
        clock, sure = table.clock, True
        for seat in table.to_act:
            if clock.since[seat] is None:
                next_move = bisect_right(self._moved[seat], record.n)
                since = record.at
                if next_move < len(self._moved[seat]):
                    since = max(since, self._begun[seat][next_move])
                else:
                    sure = False
                clock = clock.run(seat, since, table.phase)
        return (table if clock is table.clock else replace(table, clock=clock)), sure
