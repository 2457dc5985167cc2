"""Scores: the sums of everybody's matches, kept up as results come in.

A standing needs sums and no single match, so a tour carries the sums along: a match that
comes out is added for each of its sides, and one that is voided is taken away again. All
numbers here are whole, halves or quarters, so sums are exact, and the order in which
matches come out or are taken back makes no difference.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.tour_values import UNPLAYED, WITHDRAWN, Fixture, Result
from rookery.hall.scoring.points import Encounter, Points, bye_worth, encounters, total

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
