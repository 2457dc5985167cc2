"""The standing of a tour: a pure function of its scores, and of the ratings entrants came with.

Points come first, then the plan's tie-breaks, each asked only about those whom everything
before it left equal; entrants who are equal at the end share a place. In a knock-out how far
one came goes before points, and first place is won in the last round or shared: points do not
part those who are equal there. In groups everyone who has lost no table is first. The order in
which matches came out makes no difference.
"""

from collections import defaultdict
from collections.abc import Mapping
from math import inf
from typing import Final

from rookery.core.tour_values import Entrant, Plan, Row
from rookery.hall.scoring.scores import Latest, Scores, Sums
from rookery.hall.scoring.ties import TIE_BREAKS, Group, check_ties

__all__ = ["TIE_BREAKS", "check_ties", "standing"]

Key = tuple[float, ...]  # what ranks an entrant, the weightiest first; more is better

_UNBEATEN: Final[Key] = (inf,)  # further than any round


def standing(
    entrants: tuple[Entrant, ...],
    scores: Scores,
    plan: Plan,
    *,
    by_rounds: bool,
    unbeaten: frozenset[int] = frozenset(),
) -> tuple[Row, ...]:
    """Everybody who is or was in the tour, best first; a match counts once it has come out.

    Where the format itself says who is `unbeaten`, these share the first place.
    """
    tallies = {entrant.number: scores.of(entrant.number) for entrant in entrants}
    ratings = {one.number: one.rating for one in entrants if one.rating is not None}
    keys: dict[int, Key] = {
        entrant.number: (float(not (plan.strict and entrant.out)),) for entrant in entrants
    }
    leaders: frozenset[int] = frozenset()
    if by_rounds and keys:
        progress = {one: _progress(tallies[one].latest) for one in keys.keys() - unbeaten}
        keys = {one: (*key, *progress.get(one, _UNBEATEN)) for one, key in keys.items()}
        leaders = frozenset(_equals(keys)[max(keys.values())])
    keys = _longer(keys, {one: tally.points for one, tally in tallies.items()}, but=leaders)
    ties: dict[int, tuple[float, ...]] = dict.fromkeys(keys, ())
    for name in plan.ties:
        values: dict[int, float] = {}
        for group in _equals(keys).values():
            values |= TIE_BREAKS[name](tallies, group, ratings)
        keys = _longer(keys, values, but=leaders)
        ties = {one: (*before, values[one]) for one, before in ties.items()}
    place = _places(keys)
    rows = [_row(one, place[one.number], tallies[one.number], ties[one.number]) for one in entrants]
    return tuple(sorted(rows, key=lambda row: (row.place, row.entrant)))


def _progress(latest: Latest) -> Key:
    """How far an entrant came in a knock-out: the round, and how it did there.

    A play-off for third place has a round of its own before the final, so the loser of the
    final is ahead of the winner of the play-off. An entrant who left the tour in the middle of a
    tie has lost it, whatever its legs say. Tables may differ in size, so what counts is the part of
    the others one was ahead of; nothing has been lost while nothing has come out.
    """
    share = latest.worth / latest.met if latest.met else 0.5
    return (latest.round, float(not latest.left), 1.0 if latest.byes else share)


def _equals(keys: Mapping[int, Key]) -> dict[Key, Group]:
    """The entrants in groups that have the same key, by key."""
    groups: dict[Key, list[int]] = defaultdict(list)
    for entrant, key in keys.items():
        groups[key].append(entrant)
    return {key: tuple(group) for key, group in groups.items()}


def _longer(
    keys: Mapping[int, Key], by: Mapping[int, float], but: frozenset[int]
) -> dict[int, Key]:
    """The keys with one more value to rank by, which is 0 for the entrants in `but`."""
    return {one: (*key, 0.0 if one in but else by[one]) for one, key in keys.items()}


def _row(entrant: Entrant, place: int, tally: Sums, ties: tuple[float, ...]) -> Row:
    return Row(
        place=place,
        entrant=entrant.number,
        name=entrant.name,
        points=tally.points,
        played=tally.wins + tally.draws + tally.losses,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        byes=tally.byes,
        forfeits=tally.forfeits,
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
