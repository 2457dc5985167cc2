"""Points for a match, and the sums of everybody's matches, kept up as results come in.

A match is scored as if each team had met each other team by itself, so one measure serves
two players (1, ½, 0) and four (3, 2, 1, 0). Partners get the same points, each in full. A match
that comes out is added for each of its sides, and one that is voided is taken away again. All
numbers are whole, halves or quarters, so sums are exact, whatever the order.
"""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.tour_values import UNPLAYED, WITHDRAWN, Fixture, Result, Worth

MOST: Final = 100  # for a win; more would be work for the reader, not for the player

_NUMBER: Final = re.compile(r"([0-9]{0,3})(½|\.5|\.0)?")


class Points(Struct, frozen=True):
    """What a win, a draw and a loss are worth against one other team."""

    win: float
    draw: float
    loss: float

    def __post_init__(self) -> None:
        values = (self.win, self.draw, self.loss)
        if not all(0 <= value <= MOST and value % 0.5 == 0 for value in values):
            raise BadOption(f"Points are whole or half numbers from 0 to {MOST}, not {self}.")
        if not self.win >= self.draw >= self.loss:
            raise BadOption(
                f"A draw is worth no more than a win and no less than a loss; {self} is not so."
            )
        if self.win == self.loss:
            raise BadOption(f"A win is worth more than a loss, and in {self} it is not.")

    def __str__(self) -> str:
        return f"{self.win:g}-{self.draw:g}-{self.loss:g}"


class Encounter(Struct, frozen=True):
    """What one side got from one other team."""

    opponents: tuple[int, ...]  # the entrants of that team
    points: float
    worth: float  # 1, ½ or 0, whatever the points


def parse_points(text: str) -> Points:
    """The points that `1-0.5-0`, `1-½-0` or `3-1-0` means. Raises BadOption."""
    parts = text.strip().split("-")
    values = [value for part in parts if (value := _number(part)) is not None]
    if len(values) != 3 or len(parts) != 3:
        raise BadOption(
            "Points are written win-draw-loss in whole or half numbers, "
            f"like 1-0.5-0 or 3-1-0, not {text[:40]!r}."
        )
    return Points(*values)


def shares(result: Result, fixture: Fixture, points: Points) -> tuple[float, ...]:
    """The points of each side. A bye is one win, unless it was given for less."""
    return tuple(total(met, fixture, points) for met in encounters(result, fixture, points))


def total(met: tuple[Encounter, ...], fixture: Fixture, points: Points) -> float:
    """The points of a side that had these encounters; a side without any had a bye."""
    if met:
        return sum(encounter.points for encounter in met)
    match fixture.rest:
        case None:
            return points.win
        case Worth.HALF:
            return points.draw
        case Worth.ZERO:
            return 0.0


def bye_worth(fixture: Fixture) -> float:
    """The worth of a bye, whatever the points: 1, ½ or 0, as an encounter has."""
    return {None: 1.0, Worth.HALF: 0.5, Worth.ZERO: 0.0}[fixture.rest]


def encounters(
    result: Result, fixture: Fixture, points: Points
) -> tuple[tuple[Encounter, ...], ...]:
    """What each side got from each other team, in the order of the teams; nothing in a bye."""
    sides, places = fixture.sides, result.places
    assert len(places) == len(sides), "every side of a match has a place"
    teams = fixture.teams or range(len(sides))
    members: dict[int, tuple[int, ...]] = {}
    for team, side in zip(teams, sides, strict=True):
        members[team] = (*members.get(team, ()), side)
    place_of = dict(zip(teams, places, strict=True))  # partners share their place
    won = 1 in places
    return tuple(
        tuple(
            _encounter(members[other], place_of[other] - place_of[team], points, won=won)
            for other in members
            if other != team
        )
        for team in teams
    )


def _encounter(opponents: tuple[int, ...], ahead: int, points: Points, *, won: bool) -> Encounter:
    if not won or ahead < 0:  # where nobody is first, everybody has lost
        return Encounter(opponents, points.loss, 0)
    if ahead == 0:
        return Encounter(opponents, points.draw, 0.5)
    return Encounter(opponents, points.win, 1)


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    if found is None or not text:
        return None
    half = 0.5 if found[2] in ("½", ".5") else 0.0
    return int(found[1] or 0) + half


Team = tuple[int, ...]  # entrants who played together

K = TypeVar("K", int, Team)
N = TypeVar("N", int, float)


class MatchOutcome(Enum):
    """How a match came out for one side."""

    WIN = "win"  # first, and somebody was not
    DRAW = "draw"  # first, and so was everybody
    LOSS = "loss"
    BYE = "bye"


class ScoreLine(Struct, frozen=True):
    """One match that has come out, as one of its entrants sees it."""

    round: int
    outcome: MatchOutcome
    points: float
    met: tuple[Encounter, ...]
    unplayed: bool  # a bye, or somebody did not come
    forfeited: bool
    left: bool  # the entrant did not play because it was out of the tour
    given: float = 0.0  # in a bye, what that counts as: 1, ½ or 0


class Latest(Struct, frozen=True):
    """The last round an entrant is paired in, and the sums of its matches there."""

    round: int = 0
    met: int = 0  # other teams
    worth: float = 0.0  # of those encounters
    byes: int = 0
    left: int = 0  # matches it did not play because it was out of the tour


class Sums(Struct, frozen=True):
    """The sums of one entrant's matches, of those that have come out."""

    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    given: float = 0.0  # what the byes count as, together
    forfeits: int = 0
    unplayed: int = 0  # opponents without a game; in a bye that is oneself
    met: Mapping[int, int] = {}  # by opponent: how often, walkovers among them
    games: Mapping[int, int] = {}  # by opponent: how often with a game
    worth: Mapping[int, float] = {}  # by opponent: 1 for a win and ½ for a draw
    by_round: Mapping[int, float] = {}  # the points one got in each, where one got any
    took: Mapping[Team, float] = {}  # by opposing team: the points one got
    latest: Latest = Latest()

    def plus(self, line: ScoreLine, count: int) -> "Sums":
        """The sums with this match added once more, or with a count of -1 taken away."""
        outcome = line.outcome
        opponents = [(one, met.worth) for met in line.met for one in met.opponents]
        once = [(one, 1) for one, _ in opponents]
        unplayed = 1 if outcome is MatchOutcome.BYE else len(opponents)
        return Sums(
            points=self.points + count * line.points,
            wins=self.wins + count * (outcome is MatchOutcome.WIN),
            draws=self.draws + count * (outcome is MatchOutcome.DRAW),
            losses=self.losses + count * (outcome is MatchOutcome.LOSS),
            byes=self.byes + count * (outcome is MatchOutcome.BYE),
            given=self.given + count * line.given,
            forfeits=self.forfeits + count * line.forfeited,
            unplayed=self.unplayed + (count * unplayed if line.unplayed else 0),
            met=_added(self.met, once, count),
            games=self.games if line.unplayed else _added(self.games, once, count),
            worth=_added(self.worth, opponents, count),
            by_round=_added(self.by_round, [(line.round, line.points)], count),
            took=_added(self.took, [(met.opponents, met.points) for met in line.met], count),
            latest=_latest(self.latest, line, count),
        )


class Scores(Struct, frozen=True):
    """Everybody's sums, in points of this measure."""

    points: Points
    tallies: Mapping[int, Sums] = {}  # by entrant; who has no match yet may be missing

    def of(self, entrant: int) -> Sums:
        """The sums of this entrant."""
        return self.tallies.get(entrant, NOTHING)

    def paired(self, fixtures: Iterable[Fixture]) -> "Scores":
        """The scores once these matches are paired: their entrants are in a later round now."""
        tallies = dict(self.tallies)
        for fixture in fixtures:
            for entrant in fixture.sides:
                known = tallies.get(entrant, NOTHING)
                if known.latest.round < fixture.round:
                    tallies[entrant] = replace(known, latest=Latest(fixture.round))
        return Scores(self.points, tallies)

    def came_out(self, fixture: Fixture, result: Result) -> "Scores":
        """The scores with this match's result added."""
        return self._plus(fixture, result, 1)

    def taken_back(self, fixture: Fixture, result: Result) -> "Scores":
        """The scores with this match's result taken away."""
        return self._plus(fixture, result, -1)

    def _plus(self, fixture: Fixture, result: Result, count: int) -> "Scores":
        tallies = dict(self.tallies)
        for entrant, line in zip(fixture.sides, lines(fixture, result, self.points), strict=True):
            tallies[entrant] = tallies.get(entrant, NOTHING).plus(line, count)
        return Scores(self.points, tallies)


NOTHING: Final = Sums()


def lines(fixture: Fixture, result: Result, points: Points) -> tuple[ScoreLine, ...]:
    """A match as each side sees it."""
    met = encounters(result, fixture, points)
    return tuple(
        ScoreLine(
            round=fixture.round,
            outcome=_outcome(result.places, side),
            points=total(met[side], fixture, points),
            met=met[side],
            unplayed=result.how in UNPLAYED,
            forfeited=side in result.forfeits,
            left=result.how == WITHDRAWN and place != 1,
            given=0.0 if met[side] else bye_worth(fixture),
        )
        for side, place in enumerate(result.places)
    )


def _outcome(places: tuple[int, ...], side: int) -> MatchOutcome:
    if len(places) == 1:
        return MatchOutcome.BYE
    if places[side] != 1:
        return MatchOutcome.LOSS
    return MatchOutcome.DRAW if set(places) == {1} else MatchOutcome.WIN


def _added(before: Mapping[K, N], more: Iterable[tuple[K, N]], count: int) -> Mapping[K, N]:
    """The sums by key, with each value added `count` times; keys whose sum is zero are dropped."""
    after = dict(before)
    for key, value in more:
        now = after.pop(key, 0) + count * value
        if now:
            after[key] = now
    return after


def _latest(before: Latest, line: ScoreLine, count: int) -> Latest:
    if line.round != before.round:
        return before
    return Latest(
        before.round,
        before.met + count * len(line.met),
        before.worth + count * sum(one.worth for one in line.met),
        before.byes + count * (line.outcome is MatchOutcome.BYE),
        before.left + count * line.left,
    )
