"""Whole tours made up from a seed, to hold formats against their laws.

Each registered format is tried, and some variants, with several numbers of entrants. A
tour is played as the director would: matches begin when their players are free, and come
out in any order by chance, won, drawn, forfeited or won by nobody. In between players
leave, are absent or join, and matches are voided. What the format was asked, and what it
said, is the story that the laws read.
"""

from collections.abc import Iterable
from functools import cache
from itertools import count
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.core.tour_values import ABSENT, BYE, WITHDRAWN, Field, Fixture, Match, Result
from rookery.hall.tours.formats import FORMATS
from rookery.hall.tours.formats.arena import Arena
from rookery.hall.tours.formats.base import Format
from rookery.hall.tours.formats.knockout import Knockout
from rookery.hall.tours.formats.rotating import Rotating
from rookery.hall.tours.formats.round_robin import Gauntlet, RoundRobin
from rookery.hall.tours.formats.swiss import Swiss

# Every format that is registered as it is, and some with options.
FORMS: Final[tuple[Format, ...]] = (
    *(form() for form in FORMATS.values() if form is not Arena),
    RoundRobin(legs=2),
    RoundRobin(legs=3),
    RoundRobin(legs=4),
    Gauntlet(champions=3, legs=1),
    Gauntlet(champions=2, legs=3),
    Rotating(rounds=2),
    Rotating(rounds=20),
    Knockout(legs=2, third=True),
    Swiss(rounds=5),
    Arena(minutes=1),  # half an hour takes long even where time is a number
)
SIZES: Final = (0, 1, 3, 6, 7)  # entrants more than the least it needs
STEPS_MAX: Final = 3000  # things that happen in a tour before it must have ended
WITHDRAWALS_MAX, JOINS_MAX, VOIDS_MAX = 3, 3, 5  # of a tour; they must not go on for ever


class Case(Struct, frozen=True):
    """A format, and a tour to be paired by it."""

    form: Format
    sides: int
    count: int
    leaving: bool = True  # whether anybody withdraws
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.form} for {self.count} by {self.sides}"


class Asked(Struct, frozen=True):
    """What a format said to a field."""

    field: Field
    fixtures: tuple[Fixture, ...]


class Story(Struct, frozen=True):
    """A whole tour: everything its format was asked, and where it stood in the end."""

    asked: tuple[Asked, ...]
    end: Field
    done: bool

    @property
    def fixtures(self) -> tuple[Fixture, ...]:
        """Everything that was paired."""
        return tuple(fixture for one in self.asked for fixture in one.fixtures)


def every_case() -> tuple[Case, ...]:
    """Each format above for some numbers of entrants, and all numbers of sides it can pair."""
    return tuple(
        Case(form, sides, form.least(sides) + more)
        for form in FORMS
        for sides in form.sides
        for more in SIZES
    )


@cache
def story_of(case: Case) -> Story:
    """The tour of this case, made up once."""
    return tell(case)


def tell(case: Case) -> Story:
    """The tour of this case, from the first to join until it is done or takes too long."""
    tour = Tour(case)
    form = case.form
    for _ in range(case.count):
        tour.join()
        if form.eager:
            tour.ask()
    for _ in range(STEPS_MAX):
        tour.ask()
        field = tour.field()
        if field.decided and form.done(field):
            return Story(tuple(tour.asked), field, done=True)
        tour.happen()
    return Story(tuple(tour.asked), tour.field(), done=False)


class Tour:
    """A tour in the making. It belongs to one story."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.chance = Chance(case.seed)
        self.asked: list[Asked] = []
        self.entrants: list[int] = []
        self.matches: list[Match] = []
        self.unread: set[int] = set()  # matches that came out since anything was paired
        self.elapsed = 0
        self.joined = self.withdrawals = self.voids = 0

    def field(self) -> Field:
        """The tour as its format sees it."""
        busy = {side for match in self.matches if match.running for side in match.fixture.sides}
        return Field(
            entrants=tuple(self.entrants),
            matches=tuple(self.matches),
            sides=self.case.sides,
            seed=self.case.seed,
            free=frozenset(self.entrants) - busy,
            elapsed=self.elapsed,
        )

    def ask(self) -> None:
        """Ask for pairings until there are none; byes are scored at once."""
        while fixtures := self.case.form.next(self.field()):
            self.asked.append(Asked(self.field(), fixtures))
            self.unread.clear()
            for fixture in fixtures:
                bye = Result((1,), BYE) if len(fixture.sides) == 1 else None
                self.matches.append(Match(fixture, result=bye))
            if len(self.matches) > STEPS_MAX:
                return
        self.asked.append(Asked(self.field(), ()))

    def happen(self) -> None:
        """Let one thing happen, and time pass."""
        self.elapsed += (self.case.form.lasts() or 40 * MICROS_A_SECOND) // 40
        match self.chance.below(40):
            case 0:
                self.withdraw()
            case 1:
                self.walk_over()
            case 2:
                self.void()
            case 3 if self.case.form.late and self.joined < self.case.count + JOINS_MAX:
                self.join()
            case roll if roll % 2:
                self.begin()
            case _:
                self.finish()

    def join(self) -> None:
        """One more is in."""
        self.joined += 1
        self.entrants.append(self.joined)

    def begin(self) -> None:
        """Begin a match whose players are free."""
        free = self.field().free
        ready = [n for n, m in self._where(waiting=True) if free.issuperset(m.fixture.sides)]
        if ready:
            number = self.chance.choice(ready)
            self.matches[number] = replace(self.matches[number], table=TableId(number + 1))

    def finish(self) -> None:
        """Let a match that is played come out somehow."""
        running = [number for number, _ in self._where(waiting=False)]
        if running:
            number = self.chance.choice(running)
            self._decide(number, any_result(self.matches[number].fixture, self.chance))

    def walk_over(self) -> None:
        """Somebody did not come."""
        waiting = [number for number, _ in self._where(waiting=True)]
        if waiting:
            number = self.chance.choice(waiting)
            gone = self.chance.choice(self.matches[number].fixture.sides)
            self._decide(number, walkover(self.matches[number].fixture, {gone}, ABSENT))

    def withdraw(self) -> None:
        """Somebody is out, and loses what was not played."""
        if not self.case.leaving or self.withdrawals == WITHDRAWALS_MAX or len(self.entrants) < 2:
            return
        self.withdrawals += 1
        gone = self.chance.choice(self.entrants)
        self.entrants.remove(gone)
        for number, match in enumerate(self.matches):
            if match.result is None and gone in match.fixture.sides:
                out = set(match.fixture.sides) - set(self.entrants)
                self._decide(number, walkover(match.fixture, out, WITHDRAWN))

    def void(self) -> None:
        """Make a match be played again, of those on which no pairing can have depended."""
        inside = set(self.entrants)
        may = [
            number
            for number, match in enumerate(self.matches)
            if not match.waiting and len(match.fixture.sides) > 1
            if match.running or self.case.form.fixed or number in self.unread
            if inside.issuperset(match.fixture.sides)
        ]
        if may and self.voids < VOIDS_MAX:
            self.voids += 1
            number = self.chance.choice(may)
            again = self.matches[number].voided + 1
            self.matches[number] = Match(self.matches[number].fixture, voided=again)

    def _where(self, *, waiting: bool) -> list[tuple[int, Match]]:
        """The matches that wait, or those that run."""
        undecided = [(n, match) for n, match in enumerate(self.matches) if match.result is None]
        return [(n, match) for n, match in undecided if match.waiting == waiting]

    def _decide(self, number: int, result: Result) -> None:
        self.matches[number] = replace(self.matches[number], result=result)
        self.unread.add(number)


def any_result(fixture: Fixture, chance: Chance) -> Result:
    """How such a match may come out: a draw, nobody's, or a ranking; some with a forfeit."""
    teams = fixture.teams or tuple(range(len(fixture.sides)))
    roll = chance.below(20)
    if roll < 4:
        return Result((1,) * len(teams), "drawn")
    if roll == 4:
        return Result((2,) * len(teams), "nobody")
    order = chance.shuffled(sorted(set(teams)))
    ranks = tuple(order.index(team) for team in teams)
    if roll == 5:
        ranks = tuple(min(rank, 1) for rank in ranks)  # all but the first are equal
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    forfeits = (places.index(max(places)),) if roll < 8 else ()
    return Result(places, "forfeit" if forfeits else "played", forfeits=forfeits)


def walkover(fixture: Fixture, gone: Iterable[int], how: str) -> Result:
    """The result if these do not play: the others are first, if there are any."""
    teams = fixture.teams or tuple(range(len(fixture.sides)))
    away = set(gone)
    lost = {team for team, side in zip(teams, fixture.sides, strict=True) if side in away}
    stayed = sum(team not in lost for team in teams)
    places = tuple(max(stayed + 1, 2) if team in lost else 1 for team in teams)
    forfeits = tuple(index for index, side in enumerate(fixture.sides) if side in away)
    return Result(places, how, forfeits=forfeits)


class Crooked(Struct, frozen=True):
    """A round robin with a fault on purpose; without one it keeps every law."""

    name: ClassVar = "crooked"
    sides: ClassVar = range(2, 3)
    solo: ClassVar = False
    eager: ClassVar = False
    fixed: ClassVar = True
    late: ClassVar = False
    most: ClassVar = 128
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = False

    fault: str = ""

    def least(self, sides: int) -> int:
        return sides

    def lasts(self) -> Micros | None:
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        fixtures = RoundRobin().next(field)
        if not fixtures:
            tables = any(match.table is not None for match in field.matches)
            extra = Fixture(field.last_round + 1, field.entrants[:2])
            more = self.fault == "forgets" or (self.fault == "peeps" and tables)
            return (extra,) if more and len(field.matches) < 30 else ()
        first, *others = fixtures
        match self.fault:
            case "never begins":
                return ()
            case "invites a stranger":
                return (*fixtures, Fixture(99, (1, 100)))
            case "plays with itself":
                return (*fixtures, Fixture(99, (1, 1)))
            case "crowds the table":
                return (*fixtures, Fixture(99, (1, 2, 3)))
            case "is moody":
                return fixtures if next(_moods) % 2 else fixtures[::-1]
            case "starts alike":
                return tuple(replace(fixture, start=1) for fixture in fixtures)
            case "has one round":
                return tuple(replace(fixture, round=1) for fixture in fixtures)
            case "meets twice":
                return (first, *fixtures)
            case "leaves one out":
                return tuple(others)
            case "likes the low":
                return tuple(replace(f, sides=tuple(sorted(f.sides))) for f in fixtures)
            case _:
                return fixtures

    def done(self, field: Field) -> bool:
        return self.fault != "goes on" and field.decided and not self.next(field)


CASES: Final = every_case()
_moods: Final = count()
