"""The score of a match, kept from its log, record by record.

Live and after a restart it is the same records, so there is nothing else to save.
"""

from collections import Counter, defaultdict

from msgspec import Struct

from rookery.arena.setup import Setup
from rookery.arena.statistics import Pentanomial, SequentialVerdict
from rookery.core.events import (
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Out,
    Paired,
    Played,
    Record,
    Said,
    TourClosing,
    TourEnded,
    table_of,
)
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, Seat, TableId
from rookery.core.tour_values import Fixture, Result

_LOST_BY = {
    Forfeit.RESIGNED: "resigned",
    Forfeit.LATE: "out of time",
    Forfeit.CHEATED: "illegal move",
    Forfeit.GONE: "failed",
}


class Failure(Struct, frozen=True):
    """A game that a player lost by a failure of its own, and what was said about it."""

    table: TableId
    player: str
    reason: str


class TimeUsed(Struct):
    """How much time a side used for its moves."""

    moves: int = 0
    total: Micros = 0
    longest: Micros = 0


class Tally:
    """How often each side won, and how. Sides are numbered from 0 in the order they were named."""

    def __init__(self, setup: Setup, names: tuple[str, ...]) -> None:
        self._setup = setup
        self._names = names  # of the sides
        self._teams = setup.game.teams(setup.seats)
        self._fixtures: list[Fixture] = []
        self._match_at: dict[TableId, int] = {}
        self._outs: dict[TableId, dict[int, Forfeit]] = defaultdict(dict)
        self._said: dict[TableId, str] = {}
        self._starts: dict[int, dict[int, Result]] = defaultdict(dict)
        self.results: dict[int, Result] = {}
        self.running: dict[TableId, int] = {}
        self.paces = tuple(TimeUsed() for _ in names)
        self.losses: tuple[Counter[str], ...] = tuple(Counter() for _ in names)
        self.failures: list[Failure] = []
        self.points = [0.0] * len(names)
        self.wins = [0] * len(names)
        self.draws = 0
        self.pairs: Pentanomial = (0, 0, 0, 0, 0)
        self.verdict: SequentialVerdict | None = None
        self.closing = False
        self.over = False

    def take(self, record: Record) -> None:
        """Count the next record."""
        match record.event:
            case Paired(fixtures):
                self._fixtures.extend(fixtures)
            case MatchBegun(match, table):
                self._match_at[table] = match
                self.running[table] = match
            case MatchEnded(match, result):
                self._ended(match, result)
            case MatchVoided(match):
                self.running = {at: n for at, n in self.running.items() if n != match}
            case TourClosing():
                self.closing = True
            case TourEnded():
                self.over = True
            case Played() | Out() | Said():
                at = table_of(record.stream)
                assert at is not None, "moves are made at tables"
                self._at_table(at, record.event)
            case _:
                pass

    def side_of(self, table: TableId, seat: Seat) -> int:
        """The side that sits in this seat of this table."""
        fixture = self._fixtures[self._match_at[table] - 1]
        return fixture.sides[self._teams[seat]] - 1

    def _at_table(self, table: TableId, event: Played | Out | Said) -> None:
        match event:
            case Played(seat, _, spent):
                pace = self.paces[self.side_of(table, seat)]
                pace.moves += 1
                pace.total += spent
                pace.longest = max(pace.longest, spent)
            case Out(seat, why):
                self._outs[table].setdefault(self.side_of(table, seat), why)
            case Said(text=text):
                self._said[table] = text

    def _ended(self, match: int, result: Result) -> None:
        fixture = self._fixtures[match - 1]
        self.results[match] = result
        table = next((at for at, n in self.running.items() if n == match), None)
        if table is not None:
            del self.running[table]
        shares = shares_of(result)
        for n, side in enumerate(fixture.sides):
            self.points[side - 1] += shares[n]
            if result.places[n] == 1 and result.places.count(1) == 1:
                self.wins[side - 1] += 1
            elif result.places[n] != 1 and 1 in result.places:
                self._lost(table, side - 1, result)
        self.draws += result.places.count(1) != 1
        start = self._starts[fixture.start]
        start[fixture.sides.index(1)] = result
        if len(self._names) == 2 and len(start) == 2:
            self._pair(start)

    def _pair(self, start: dict[int, Result]) -> None:
        """Count a start of which both games are over, and ask the sequential test."""
        halves = round(2 * sum(shares_of(result)[at] for at, result in start.items()))
        counts = list(self.pairs)
        counts[halves] += 1
        self.pairs = (counts[0], counts[1], counts[2], counts[3], counts[4])
        test = self._setup.sprt
        if test is not None and self.verdict is None:
            self.verdict = test.verdict(self.pairs)  # the first one counts

    def _lost(self, table: TableId | None, side: int, result: Result) -> None:
        why = None if table is None else self._outs[table].get(side)
        self.losses[side][result.how if why is None else _LOST_BY[why]] += 1
        if table is not None and why in (Forfeit.CHEATED, Forfeit.GONE, Forfeit.LATE):
            reason = self._said.get(table, result.reason)
            self.failures.append(Failure(table, self._names[side], reason))


def shares_of(result: Result) -> tuple[float, ...]:
    """The share of one point that each side gets: all, an equal part, or nothing.

    Against several others it is the mean over them. If nobody won, it is a draw.
    """
    places, others = result.places, len(result.places) - 1
    if 1 not in places:
        return (0.5,) * len(places)
    return tuple(
        sum((place < other) + (place == other) / 2 for other in places) / others - 0.5 / others
        for place in places
    )
