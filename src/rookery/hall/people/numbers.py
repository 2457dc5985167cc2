"""The numbers each dialect has for players and tables; each dialect counts for itself, in the log.

A number is given when a session of that dialect is first told of the thing, and is always
the lowest that nobody has; but a tour is called by one number everywhere, its own. Most are
kept for ever; a dialect whose clients break at high numbers frees those of players who are
long gone.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import Final

from msgspec import Struct

from rookery.core.events import Freed, Numbered
from rookery.core.ids import Micros, PlayerId, TableId, TourId
from rookery.hall.limits import NUMBER_KEPT
from rookery.hall.people.players import PlayerRegistry

PLAYER: Final = "player"
TABLE: Final = "table"
TOUR: Final = "tour"

Count = tuple[str, str]  # a dialect, and what it counts


class CountGiven(Struct, frozen=True, array_like=True):
    """All numbers that one dialect gave to one kind of thing, the highest, and those given back."""

    dialect: str
    kind: str
    numbers: dict[int, int]  # by id
    last: int
    free: list[int] | None = None  # a heap; None: never any


class Numbers:
    """Every number given so far. Those of gone players are given again in `freeing` dialects."""

    def __init__(self, players: PlayerRegistry, freeing: Iterable[str] = ()) -> None:
        self._players = players
        self._freed: tuple[Count, ...] = tuple((dialect, PLAYER) for dialect in freeing)
        self._numbers: dict[Count, dict[int, int]] = {}  # by id
        self._ids: dict[Count, dict[int, int]] = {}  # by number
        self._last: dict[Count, int] = {}  # the highest so far
        self._free: dict[Count, list[int]] = {}  # a heap of those given back
        self._gone: dict[PlayerId, Micros] = {}  # who is gone since when, the longest first

    @property
    def sure(self) -> bool:
        """Whether the numbers here are final: True, because the hall itself gives them."""
        return True

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player."""
        return self._numbers.get((dialect, PLAYER), {}).get(player)

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """The player whom this dialect calls by this number."""
        found = self._ids.get((dialect, PLAYER), {}).get(number)
        return None if found is None else PlayerId(found)

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table."""
        return self._numbers.get((dialect, TABLE), {}).get(table)

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """The table that this dialect calls by this number."""
        found = self._ids.get((dialect, TABLE), {}).get(number)
        return None if found is None else TableId(found)

    def tour_number(self, dialect: str, tour: TourId) -> int | None:
        """The number this dialect has for a tour."""
        return self._numbers.get((dialect, TOUR), {}).get(tour)

    def tour_at(self, dialect: str, number: int) -> TourId | None:
        """The tour that this dialect calls by this number."""
        found = self._ids.get((dialect, TOUR), {}).get(number)
        return None if found is None else TourId(found)

    def name_of(self, player: PlayerId) -> str | None:
        """The player's name, without a raised number."""
        found = self._players.get(player)
        return None if found is None else found.name

    def missing(self, dialect: str, kind: str, thing: int) -> Numbered | None:
        """The event that gives this thing its number; None if it has one."""
        if thing in self._numbers.get((dialect, kind), {}):
            return None
        count = (dialect, kind)
        if kind == TOUR:  # a tour has one number, the same for everybody
            return Numbered(dialect, kind, thing, thing)
        free = self._free.get(count)
        number = free[0] if free else self._last.get(count, 0) + 1
        return Numbered(dialect, kind, thing, number)

    def given(self) -> Iterator[Numbered]:
        """Every number that a player or thing has, as the event that would give it."""
        for (dialect, kind), numbers in self._numbers.items():
            for thing, number in numbers.items():
                yield Numbered(dialect, kind, thing, number)

    def counts(self) -> list[CountGiven]:
        """All counts as values, for a snapshot."""
        return [
            CountGiven(*count, numbers, self._last[count], self._free.get(count))
            for count, numbers in sorted(self._numbers.items())
        ]

    def recall(self, one: CountGiven) -> None:
        """Restore one count that `counts` gave."""
        count = (one.dialect, one.kind)
        self._numbers[count], self._last[count] = one.numbers, one.last
        self._ids[count] = {number: thing for thing, number in one.numbers.items()}
        if one.free is not None:
            self._free[count] = one.free

    def evolve(self, event: Numbered | Freed) -> None:
        """Take this event in; live and from the log alike."""
        count = (event.dialect, event.kind)
        match event:
            case Numbered(thing=thing, number=number):
                self._numbers.setdefault(count, {})[thing] = number
                self._ids.setdefault(count, {})[number] = thing
                self._last[count] = max(self._last.get(count, 0), number)
                if self._free.get(count, [0])[:1] == [number]:
                    heappop(self._free[count])
            case Freed(number=number):
                del self._numbers[count][self._ids[count].pop(number)]
                heappush(self._free.setdefault(count, []), number)

    # -- giving numbers back

    def went(self, player: PlayerId, now: Micros) -> None:
        """Note since when no connection acts for this player."""
        if any(player in self._numbers.get(count, {}) for count in self._freed):
            self._gone.pop(player, None)
            self._gone[player] = now

    def all_went(self, now: Micros) -> None:
        """Note that every player is gone, as after a restart."""
        for count in self._freed:
            for player in self._numbers.get(count, {}):
                self.went(PlayerId(player), now)

    def came(self, player: PlayerId) -> None:
        """Note that the player is connected again, and keeps its number."""
        self._gone.pop(player, None)

    def waiting(self) -> int:
        """How many numbers wait for players who are gone."""
        return len(self._gone)

    def vacated(self, now: Micros, is_busy: Callable[[PlayerId], bool]) -> Iterator[Freed]:
        """Events that free the numbers of players long gone who have nothing to come back for."""
        while self._gone:
            player, went = next(iter(self._gone.items()))
            if went + NUMBER_KEPT > now:
                return
            del self._gone[player]
            if is_busy(player):
                self.went(player, now)
                continue
            for count in self._freed:
                number = self._numbers.get(count, {}).get(player)
                if number is not None:
                    yield Freed(*count, number)
