"""The slow way to a standing: all matches are gone through, whenever somebody asks.

It is the judge of the quick way, which adds matches up as they come out, and shares nothing
with it but how one match is scored.
"""

from collections import defaultdict
from collections.abc import Mapping

from rookery.core.tour_values import Entrant, Match, Plan, Row
from rookery.hall.scoring.scores import MatchOutcome, Points, ScoreLine, lines, parse_points
from tests.hall.scoring.slow_ties import TIE_BREAKS, Group, Scores

Key = tuple[float, ...]  # what ranks an entrant, the weightiest first; more is better


def slow_standing(
    entrants: tuple[Entrant, ...],
    matches: tuple[Match, ...],
    plan: Plan,
    *,
    by_rounds: bool,
    unbeaten: tuple[int, ...] = (),
) -> tuple[Row, ...]:
    """Everybody who is or was in the tour, best first; a match counts once it has come out."""
    scores = _scores(entrants, matches, parse_points(plan.points))
    keys: dict[int, Key] = {
        entrant.number: (float(not (plan.strict and entrant.out)),) for entrant in entrants
    }
    leaders: frozenset[int] = frozenset()
    if by_rounds and keys:
        reached = _reached(entrants, matches)
        keys = {
            one: (*key, one in unbeaten)
            + (() if one in unbeaten else _progress(scores.lines[one], reached[one]))
            for one, key in keys.items()
        }
        leaders = frozenset(_equals(keys)[max(keys.values())])
    keys = _longer(keys, scores.points, but=leaders)
    ties: dict[int, tuple[float, ...]] = dict.fromkeys(keys, ())
    for name in plan.ties:
        values: dict[int, float] = {}
        for group in _equals(keys).values():
            values |= TIE_BREAKS[name](scores, group)
        keys = _longer(keys, values, but=leaders)
        ties = {one: (*before, values[one]) for one, before in ties.items()}
    place = _places(keys)
    rows = [_row(one, place[one.number], scores, ties[one.number]) for one in entrants]
    return tuple(sorted(rows, key=lambda row: (row.place, row.entrant)))


def _scores(entrants: tuple[Entrant, ...], matches: tuple[Match, ...], points: Points) -> Scores:
    found: dict[int, list[ScoreLine]] = {entrant.number: [] for entrant in entrants}
    for match in matches:
        if match.result is not None:
            seen = lines(match.fixture, match.result, points)
            for entrant, line in zip(match.fixture.sides, seen, strict=True):
                found[entrant].append(line)
    ratings = {entrant.number: entrant.rating for entrant in entrants}
    return Scores.of({entrant: tuple(has) for entrant, has in found.items()}, ratings)


def _reached(entrants: tuple[Entrant, ...], matches: tuple[Match, ...]) -> dict[int, int]:
    """The last round each entrant is paired in, whether or not it has come out."""
    reached = {entrant.number: 0 for entrant in entrants}
    for match in matches:
        for entrant in match.fixture.sides:
            reached[entrant] = max(reached[entrant], match.fixture.round)
    return reached


def _progress(lines: tuple[ScoreLine, ...], reached: int) -> Key:
    """How far an entrant came in a knock-out: the round, and how it did there.

    A play-off for third place has a round of its own before the final, so who lost the
    final is ahead of who won the play-off. Who left the tour in the middle of a tie has lost
    it, whatever its legs say. Tables may differ in size, so what counts is the part of the
    others one was ahead of; nothing has been lost while nothing has come out.
    """
    there = [line for line in lines if line.round == reached]
    worth = [encounter.worth for line in there for encounter in line.met]
    if any(line.outcome is MatchOutcome.BYE for line in there):
        share = 1.0
    else:
        share = sum(worth) / len(worth) if worth else 0.5
    return (reached, float(not any(line.left for line in there)), share)


def _equals(keys: Mapping[int, Key]) -> dict[Key, Group]:
    """Those who have the same key, by it."""
    groups: dict[Key, list[int]] = defaultdict(list)
    for entrant, key in keys.items():
        groups[key].append(entrant)
    return {key: tuple(group) for key, group in groups.items()}


def _longer(
    keys: Mapping[int, Key], by: Mapping[int, float], but: frozenset[int]
) -> dict[int, Key]:
    """The keys with one thing more to rank by, which says nothing about some."""
    return {one: (*key, 0.0 if one in but else by[one]) for one, key in keys.items()}


def _row(entrant: Entrant, place: int, scores: Scores, ties: tuple[float, ...]) -> Row:
    number = entrant.number
    wins, draws, losses, byes = (scores.count(number, outcome) for outcome in MatchOutcome)
    return Row(
        place=place,
        entrant=number,
        name=entrant.name,
        points=scores.points[number],
        played=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
        byes=byes,
        forfeits=scores.forfeits(number),
        ties=ties,
        out=entrant.out,
        paused=entrant.paused,
    )


def _places(keys: Mapping[int, Key]) -> dict[int, int]:
    """Everybody's place: one more than there are before them."""
    best_first = sorted(keys.values(), reverse=True)
    first: dict[Key, int] = {}
    for place, key in enumerate(best_first, 1):
        first.setdefault(key, place)
    return {entrant: first[key] for entrant, key in keys.items()}
