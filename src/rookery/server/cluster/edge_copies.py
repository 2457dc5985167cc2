"""An edge's copies: of tables, and of the numbers that dialects have for players and tables.

    TableEvents ──▶ TableCopy ── NewsFor ──▶ news for sessions
    NumberGiven ──▶ DirectoryCopy ── asked by dialects

A copy of a table is made from its events, as everywhere, and the hall's own `Herald` makes the
news; so what a session may not know is left out here as it is there.
"""

import logging
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.errors import BROKEN
from rookery.core.events import Seeded, TableEvent
from rookery.core.ids import Micros, PlayerId, TableId, TourId, Wall
from rookery.core.messages import Faults, News
from rookery.hall.people.numbers import PLAYER, TABLE, TOUR
from rookery.hall.tables.news import Herald
from rookery.hall.tables.replay import next_change, replay
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import Table
from rookery.server.cluster.frames import NewsFor, NumberGiven

log = logging.getLogger(__name__)

CHANGES_MAX: Final = 64  # of a table: spectators hear of them a while after the players


class TableCopy:
    """A copy of one table, made event by event."""

    def __init__(self, table: TableId) -> None:
        self._table = table
        self._events: list[TableEvent] = []
        self._made: Table | None = None
        self._changes: dict[int, TableChange] = {}  # the last of them, by number
        self._heralds: dict[int, tuple[Micros, Herald]] = {}

    def follow(self, first: int, events: Sequence[TableEvent]) -> None:
        """Apply the next events, of which `first` is the number. Raises what broken rules do."""
        assert first == len(self._events) + 1, "a table's events come in order"
        for event in events:
            self._events.append(event)
            change = next_change(self._table, self._made, event)
            self._made = change.table
            n = len(self._events)
            self._changes[n] = change
            if len(self._changes) > CHANGES_MAX:
                self._changes.pop(n - CHANGES_MAX, None)
                self._heralds.pop(n - CHANGES_MAX, None)

    def news(self, item: NewsFor, faults: Faults) -> News | None:
        """Make the news of this event, for the seats it is for."""
        n, known = item.n, self._heralds.get(item.n)
        herald = known[1] if known is not None else self._herald(item, faults)
        if n in self._changes:
            self._heralds[n] = (item.at, herald)
        news = herald.news(item.seats)
        if news is None or news.happened.left == item.left:
            return news
        return News(replace(news.happened, left=item.left), news.scene)

    def _herald(self, item: NewsFor, faults: Faults) -> Herald:
        change = self._changes.get(item.n)
        if change is None:  # long ago
            before = replay(self._table, self._events[: item.n - 1]) if item.n > 1 else None
            change = next_change(self._table, before, self._events[item.n - 1])
        assert not isinstance(change.event, Seeded), "a seed is never told"
        return Herald(change, item.at, Wall(item.at), faults)


class TableCopies:
    """Copies of all tables of which somebody at this edge has news."""

    def __init__(self) -> None:
        self._tables: dict[TableId, TableCopy] = {}
        self._faults: Faults = []  # of rules that cannot show a board: the hall finds them itself

    def follow(self, table: TableId, first: int, events: Sequence[TableEvent]) -> None:
        """Apply these events to the copy of their table; number 1 begins a new copy."""
        if first == 1:
            self._tables[table] = TableCopy(table)
        copy = self._tables.get(table)
        try:
            if copy is not None:
                copy.follow(first, events)
        except BROKEN:
            log.exception("the rules of table %d fail at this edge; nobody is told of it", table)
            del self._tables[table]

    def drop(self, table: TableId) -> None:
        """Drop the copy of this table: nobody has news of it for now."""
        self._tables.pop(table, None)

    def news(self, item: NewsFor) -> News | None:
        """Make the news of this event; None if there is none, or its rules are broken."""
        copy = self._tables.get(item.table)
        self._faults.clear()
        try:
            return None if copy is None else copy.news(item, self._faults)
        except BROKEN:
            log.exception("what happened at table %d cannot be told", item.table)
            return None


Key = tuple[str, str]  # a dialect, and what it counts


class DirectoryCopy:
    """The numbers of players, tables and tours in each dialect, and those players' names."""

    def __init__(self) -> None:
        self.sure = False  # it is whole, and the hall is heard
        self._numbers: dict[Key, dict[int, int]] = {}
        self._things: dict[Key, dict[int, int]] = {}
        self._names: dict[int, str] = {}

    def clear(self) -> None:
        """Forget everything: another hall will send it all again."""
        self._numbers.clear()
        self._things.clear()
        self._names.clear()

    def take(self, calls: NumberGiven) -> None:
        """Note a number that was given or freed, or a player's new name."""
        key, number, thing = (calls.dialect, calls.kind), calls.number, calls.thing
        if calls.name and (number or thing in self._names):
            self._names[thing] = calls.name
        if not number:
            return
        before = self._things.setdefault(key, {}).pop(number, None)
        if before is not None:
            self._numbers[key].pop(before, None)
            if before != thing and calls.kind == PLAYER and not self._has_number(before):
                self._names.pop(before, None)
        if thing:
            self._things[key][number] = thing
            self._numbers.setdefault(key, {})[thing] = number

    def _has_number(self, player: int) -> bool:
        """Whether any dialect has a number for this player: other names are not needed."""
        return any(
            player in numbers for (_, kind), numbers in self._numbers.items() if kind == PLAYER
        )

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player."""
        return self._numbers.get((dialect, PLAYER), {}).get(player)

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """The player with that number in this dialect."""
        found = self._things.get((dialect, PLAYER), {}).get(number)
        return None if found is None else PlayerId(found)

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table."""
        return self._numbers.get((dialect, TABLE), {}).get(table)

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """The table with that number in this dialect."""
        found = self._things.get((dialect, TABLE), {}).get(number)
        return None if found is None else TableId(found)

    def tour_number(self, dialect: str, tour: TourId) -> int | None:
        """The number this dialect has for a tour."""
        return self._numbers.get((dialect, TOUR), {}).get(tour)

    def tour_at(self, dialect: str, number: int) -> TourId | None:
        """The tour with that number in this dialect."""
        found = self._things.get((dialect, TOUR), {}).get(number)
        return None if found is None else TourId(found)

    def name_of(self, player: PlayerId) -> str | None:
        """The name of a player who has a number."""
        return self._names.get(player)
