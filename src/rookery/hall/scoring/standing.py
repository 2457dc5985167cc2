"""The standing of a tour: a pure function of its scores, and of the ratings entrants came with.

Points come first, then the plan's tie-breaks, each asked only about those whom everything
before it left equal; entrants who are equal at the end share a place. In a knock-out how far
one came goes before points, and first place is won in the last round or shared: points do not
part those who are equal there. In groups everyone who has lost no table is first. The order in
which matches came out makes no difference.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Final

from rookery.core.errors import BadOption
from rookery.core.tour_values import Entrant, Plan, Row
from rookery.hall.scoring.scores import Latest, Scores, Sums

AllSums = Mapping[int, Sums]  # of everybody, by entrant
Group = tuple[int, ...]
Ratings = Mapping[int, int]  # that entrants came with, of those who had one
TieBreak = Callable[[AllSums, Group, Ratings], dict[int, float]]

NEWCOMER: Final = 1500  # the rating of an opponent who came with none


# Tie-breaks part entrants who have the same points. Each is a function of everybody's sums, of a
# group of equals and of the ratings that entrants came with, and gives everyone in the group a
# number, more being better. Only `head_to_head` looks at the group, and only `average_rating` at
# ratings. Where more than two teams played, or an opposing team is several entrants, every one of
# them is an opponent.
def check_ties(names: Iterable[str]) -> None:
    """Raise BadOption unless each of these is a tie-break, and named once."""
    seen = set()
    for name in names:
        if name not in TIE_BREAKS:
            raise BadOption(
                f"There is no tie-break {name[:40]!r}; there are {', '.join(TIE_BREAKS)}."
            )
        if name in seen:
            raise BadOption(f"The tie-break {name} is named twice.")
        seen.add(name)


def head_to_head(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """The points that the equals took from one another, if each met each other equally often.

    Else it says nothing, which is 0 for all: a table with holes in it is no table.
    """
    meetings: set[int] = set()
    for entrant in group:
        met = tallies[entrant].met
        meetings.update(met.get(other, 0) for other in group if other != entrant)
        if len(meetings) > 1:
            return dict.fromkeys(group, 0.0)
    return {entrant: _taken(tallies[entrant], frozenset(group)) for entrant in group}


def sonneborn_berger(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """The points of those one beat, and half the points of those one drew with.

    A match that somebody did not come to counts as it was scored. A bye counts as a win
    against an opponent with one's own points, one given for half a point as a draw.
    """
    return {
        entrant: sum(
            (
                worth * tallies[opponent].points
                for opponent, worth in tallies[entrant].worth.items()
            ),
            tallies[entrant].points * tallies[entrant].given,
        )
        for entrant in group
    }


def buchholz(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """The points of all opponents.

    A match without a game, a bye among them, counts as one against an opponent with one's
    own points: it was nobody's choice, and says nothing about who was strong.
    """
    return {entrant: _opposition(tallies, entrant) for entrant in group}


def buchholz_cut_1(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """Buchholz without the opponent who has fewest points."""
    return {entrant: _cut_opposition(tallies, entrant) for entrant in group}


def median_buchholz(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """Buchholz without the opponent who has most points and the one who has fewest."""
    return {entrant: _median_opposition(tallies, entrant) for entrant in group}


def progressive(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """The points one had after each round, added up: who was ahead early has more."""
    last = max((number for tally in tallies.values() for number in tally.by_round), default=0)
    return {
        entrant: sum(
            ((last + 1 - number) * got for number, got in tallies[entrant].by_round.items()), 0.0
        )
        for entrant in group
    }


def wins(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """Matches won, byes not among them."""
    return {entrant: float(tallies[entrant].wins) for entrant in group}


def fewest_forfeits(tallies: AllSums, group: Group, _: Ratings) -> dict[int, float]:
    """Matches lost without being beaten, counted below zero."""
    return {entrant: 0.0 - tallies[entrant].forfeits for entrant in group}


def average_rating(tallies: AllSums, group: Group, ratings: Ratings) -> dict[int, float]:
    """The mean rating that an entrant's opponents came with, to the next whole number, ½ upwards.

    A match without a game is left out, and an entrant who played none has 0. Where nobody came with
    a rating it says nothing, which is 0 for all.
    """
    if not ratings:
        return dict.fromkeys(group, 0.0)
    return {entrant: _average_rating(tallies[entrant], ratings) for entrant in group}


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


def _taken(tally: Sums, members: frozenset[int]) -> float:
    """The points an entrant with these sums got from teams with one of the members in them."""
    return sum((took for team, took in tally.took.items() if not members.isdisjoint(team)), 0.0)


def _opposition(tallies: AllSums, entrant: int) -> float:
    own = tallies[entrant]
    met = (times * tallies[opponent].points for opponent, times in own.games.items())
    return sum(met, own.unplayed * own.points)


def _cut_opposition(tallies: AllSums, entrant: int) -> float:
    own = tallies[entrant]
    points = [tallies[opponent].points for opponent in own.games]
    if own.unplayed:
        points.append(own.points)
    return _opposition(tallies, entrant) - min(points, default=0.0)


def _median_opposition(tallies: AllSums, entrant: int) -> float:
    own = tallies[entrant]
    if own.unplayed + sum(own.games.values()) < 2:
        return 0.0
    points = [tallies[opponent].points for opponent in own.games]
    if own.unplayed:
        points.append(own.points)
    return _opposition(tallies, entrant) - max(points) - min(points)


def _average_rating(tally: Sums, ratings: Ratings) -> float:
    games = sum(tally.games.values())
    total = sum(ratings.get(one, NEWCOMER) * times for one, times in tally.games.items())
    return float((2 * total + games) // (2 * games)) if games else 0.0


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
