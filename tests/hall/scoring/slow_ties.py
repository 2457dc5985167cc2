"""The slow tie-breaks: each goes through every match of whoever it is asked about.

They are the judge of the quick ones, and share nothing with them but how a match is scored.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import floor
from typing import Final

from msgspec import Struct

from rookery.hall.scoring.scores import MatchOutcome, ScoreLine


class Scores(Struct, frozen=True):
    """Everybody's matches that have come out, and the points they add up to."""

    lines: Mapping[int, tuple[ScoreLine, ...]]
    points: Mapping[int, float]
    ratings: Mapping[int, int | None]  # that everybody came with

    @classmethod
    def of(
        cls, lines: Mapping[int, tuple[ScoreLine, ...]], ratings: Mapping[int, int | None]
    ) -> "Scores":
        """The scores these matches make."""
        points = {one: sum((at.points for at in has), 0.0) for one, has in lines.items()}
        return cls(lines, points, ratings)

    def count(self, entrant: int, outcome: MatchOutcome) -> int:
        """How many matches of this entrant came out so."""
        return sum(line.outcome is outcome for line in self.lines[entrant])

    def forfeits(self, entrant: int) -> int:
        """How many matches this entrant lost without being beaten."""
        return sum(line.forfeited for line in self.lines[entrant])


Group = tuple[int, ...]
TieBreak = Callable[[Scores, Group], dict[int, float]]


def head_to_head(scores: Scores, group: Group) -> dict[int, float]:
    """The points they took from one another, once each has met each other equally often.

    Before that it says nothing, which is 0 for all: a table with holes in it is no table.
    """
    members = frozenset(group)
    meetings: set[int] = set()
    for entrant in group:
        met = _met(scores, entrant, members)
        meetings.update(met.values())
        if len(met) < len(group) - 1 or len(meetings) > 1:
            return dict.fromkeys(group, 0.0)
    return {
        entrant: sum(
            (
                encounter.points
                for line in scores.lines[entrant]
                for encounter in line.met
                if members.intersection(encounter.opponents)
            ),
            0.0,
        )
        for entrant in group
    }


def sonneborn_berger(scores: Scores, group: Group) -> dict[int, float]:
    """The points of those one beat, and half the points of those one drew with.

    A match that somebody did not come to counts as it was scored. A bye counts as a win
    against an opponent with one's own points.
    """
    return {
        entrant: sum(
            (
                encounter.worth * scores.points[opponent]
                for line in scores.lines[entrant]
                for encounter in line.met
                for opponent in encounter.opponents
            ),
            scores.points[entrant] * sum(line.given for line in scores.lines[entrant]),
        )
        for entrant in group
    }


def buchholz(scores: Scores, group: Group) -> dict[int, float]:
    """The points of all opponents.

    A match without a game, a bye among them, counts as one against an opponent with one's
    own points: it was nobody's choice, and says nothing about who was strong.
    """
    return {entrant: sum(_opposition(scores, entrant), 0.0) for entrant in group}


def median_buchholz(scores: Scores, group: Group) -> dict[int, float]:
    """Buchholz without the opponent who has most points and the one who has fewest."""
    return {entrant: sum(_opposition(scores, entrant)[1:-1], 0.0) for entrant in group}


def buchholz_cut_1(scores: Scores, group: Group) -> dict[int, float]:
    """Buchholz without the opponent who has fewest points."""
    return {entrant: sum(_opposition(scores, entrant)[1:], 0.0) for entrant in group}


def progressive(scores: Scores, group: Group) -> dict[int, float]:
    """The points one had after each round, added up."""
    last = max(
        (line.round for has in scores.lines.values() for line in has if line.points), default=0
    )
    return {
        entrant: sum(
            (
                sum(line.points for line in scores.lines[entrant] if line.round <= number)
                for number in range(1, last + 1)
            ),
            0.0,
        )
        for entrant in group
    }


def wins(scores: Scores, group: Group) -> dict[int, float]:
    """Matches won, byes not among them."""
    return {entrant: float(scores.count(entrant, MatchOutcome.WIN)) for entrant in group}


def fewest_forfeits(scores: Scores, group: Group) -> dict[int, float]:
    """Matches lost without being beaten, counted below zero."""
    return {entrant: 0.0 - scores.forfeits(entrant) for entrant in group}


def average_rating(scores: Scores, group: Group) -> dict[int, float]:
    """What those one played came with on average, newcomers with 1500; ½ is rounded upwards."""
    if all(rating is None for rating in scores.ratings.values()):
        return dict.fromkeys(group, 0.0)
    found: dict[int, float] = {}
    for entrant in group:
        met = [
            1500 if scores.ratings[one] is None else scores.ratings[one]
            for line in scores.lines[entrant]
            if not line.unplayed
            for one in _opponents(line, entrant)
        ]
        exact = Fraction(sum(rating for rating in met if rating is not None), len(met) or 1)
        found[entrant] = float(floor(exact + Fraction(1, 2)))
    return found


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    "head_to_head": head_to_head,
    "sonneborn_berger": sonneborn_berger,
    "buchholz": buchholz,
    "median_buchholz": median_buchholz,
    "buchholz_cut_1": buchholz_cut_1,
    "progressive": progressive,
    "wins": wins,
    "fewest_forfeits": fewest_forfeits,
    "average_rating": average_rating,
}


def _met(scores: Scores, entrant: int, members: frozenset[int]) -> Counter[int]:
    """How often this entrant has met each of these."""
    return Counter(
        opponent
        for line in scores.lines[entrant]
        for encounter in line.met
        for opponent in encounter.opponents
        if opponent in members
    )


def _opposition(scores: Scores, entrant: int) -> list[float]:
    """The points of each opponent, fewest first."""
    own = scores.points[entrant]
    return sorted(
        own if line.unplayed else scores.points[opponent]
        for line in scores.lines[entrant]
        for opponent in _opponents(line, entrant)
    )


def _opponents(line: ScoreLine, entrant: int) -> Group:
    """Everyone on the other teams; in a bye oneself, so that there is one."""
    if line.outcome is MatchOutcome.BYE:
        return (entrant,)
    return tuple(opponent for encounter in line.met for opponent in encounter.opponents)
