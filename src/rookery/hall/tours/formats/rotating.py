"""Bughouse with changing partners: players enter alone, and in a cycle each plays with each.

A round is a set of pairs of partners, and pairs of them meet. All but one stand in a circle
and partners stand across its axis, which turns: no two are partners twice in a cycle. Who
rests, where the number is no multiple of four, is chosen so that all have rested as often,
give or take one, at any time of a cycle. Which pairs meet is then improved until no swap makes
opponents more even; where the number is a power of two, arithmetic does it exactly, and
everyone is everyone's opponent twice, as in a whist tournament. The seed says who stands where.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from rookery.core.chance import Chance
from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture
from rookery.hall.tours.formats.base import UsualFormat

ROUNDS_MAX: Final = 255  # four cycles of the most entrants there can be

# As bughouse seats them: seats 0 and 3 are partners, white on board 1 and black on board 2.
TEAMS: Final = (0, 1, 1, 0)

# Polynomials that cannot be divided, by which numbers of so many values are multiplied.
_REDUCED_BY: Final = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011}

Pair = tuple[int, int]  # partners
Table = tuple[Pair, Pair]


class Rotating(UsualFormat, frozen=True):
    """Players enter alone, and play with one partner after another."""

    name: ClassVar = "rotating"
    sides: ClassVar = range(4, 5)
    solo: ClassVar = True
    most: ClassVar = 64

    rounds: Annotated[
        int, Meta(description="at most 255; 0 is a cycle, in which each plays with each")
    ] = 0

    def __post_init__(self) -> None:
        check_whole("rounds", self.rounds, 0, ROUNDS_MAX)

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """All rounds at the start, and nothing after it."""
        if field.matches or len(field.entrants) < 4:
            return ()
        chance = Chance(field.seed)
        who = chance.shuffled(field.entrants)
        tables = _cycle(len(who), self.rounds, chance)
        rounds = self.rounds or len(tables)
        return tuple(_seated([tables[number % len(tables)] for number in range(rounds)], who))

    def done(self, field: Field) -> bool:
        """Whether all rounds are played."""
        return field.decided and not self.next(field)


def _seated(rounds: list[list[Table]], who: list[int]) -> Iterator[Fixture]:
    """The tables with colours: of two partners, the one who had white less often has it."""
    whites = [0] * len(who)
    for number, tables in enumerate(rounds, 1):
        for table in tables:
            (one, two), (other, another) = (
                (pair if whites[pair[0]] <= whites[pair[1]] else pair[::-1]) for pair in table
            )
            for white, black in ((one, two), (other, another)):
                whites[white] += 1
                whites[black] -= 1
            seats = (one, another, other, two)
            yield Fixture(number, tuple(who[place] for place in seats), teams=TEAMS)


def _cycle(count: int, rounds: int, chance: Chance) -> list[list[Table]]:
    """The tables of each round (partners against partners), for a whole cycle or `rounds` of it."""
    if count in _REDUCED_BY:
        return [_exact(count, number) for number in range(1, count)][: rounds or None]
    partners = [chance.shuffled(pairs) for pairs in _partners(count)][: rounds or None]
    met = [[0] * count for _ in range(count)]
    cycle = []
    for pairs in partners:
        cycle.append(_matched(pairs, met))
        _note(cycle[-1], met, 1)
    # Once more, now that all the other rounds are known.
    for number, tables in enumerate(cycle):
        _note(tables, met, -1)
        cycle[number] = _matched([pair for table in tables for pair in table], met)
        _note(cycle[number], met, 1)
    return cycle


def _exact(count: int, step: int) -> list[Table]:
    """A round of a power of two: partners differ by `step`, their opponents by twice it.

    Add and double as in the field of so many numbers, where adding is xor: every
    difference is a step once, and once each the double and the triple of a step.
    """
    double = 2 * step if 2 * step < count else 2 * step ^ _REDUCED_BY[count]
    tables, seated = [], set[int]()
    for one in range(count):
        if one not in seated:
            table = ((one, one ^ step), (one ^ double, one ^ double ^ step))
            tables.append(table)
            seated.update(*table)
    return tables


def _partners(count: int) -> Iterator[list[Pair]]:
    """The rounds of a cycle as pairs, without those who rest; the highest is off the circle."""
    circle = count - 1 + count % 2
    half = (circle + 1) // 2  # in the circle, half of 1
    for resting in _resting(count, circle):
        on = [place for place in resting if place < circle]
        front = (sum(on) if len(on) == 2 else 2 * on[0]) * half % circle
        # As the circle turns, who had white has black; where two rest it turns by two.
        ways = [k if (k + 1) // (2 if count % 4 == 2 else 1) % 2 else -k for k in range(1, half)]
        pairs = [((front - way) % circle, (front + way) % circle) for way in ways]
        if count % 2 == 0:
            pairs.append((front, circle))
        yield [pair for pair in pairs if set(pair) != set(resting)]


def _resting(count: int, circle: int) -> Iterator[tuple[int, ...]]:
    """For each round a pair, or one in front of all, that says how the circle stands.

    A pair does not play; neither does one in front without a partner off the circle.
    """
    match count % 4:
        case 2:
            # Two sets of pairs in which nobody is twice, no two of them in the same round.
            yield (0, circle)
            yield from ((place, place + 1) for place in range(1, circle, 2))
            for place in range(0, circle - 1, 2):
                yield (place, circle if place == circle // 2 else place + 1)
        case 3:
            # Three neighbours rest, then the next three, three times round the circle.
            for turn in range(circle):
                lap = 0 if circle % 3 else 3 * turn // circle  # else all laps were the same
                yield ((3 * turn + lap) % circle, (3 * turn + lap + 2) % circle)
        case _:
            yield from ((front,) for front in range(circle))


def _matched(pairs: list[Pair], met: list[list[int]]) -> list[Table]:
    """These pairs, two by two, so that no swap between two tables makes opponents rarer."""
    cost = [[_met(one, two, met) for two in pairs] for one in pairs]
    tables = [(k, k + 1) for k in range(0, len(pairs), 2)]
    better = True
    while better:
        better = False
        for i, j in combinations(range(len(tables)), 2):
            (a, b), (c, d) = tables[i], tables[j]
            now = cost[a][b] + cost[c][d]
            if cost[a][c] + cost[b][d] < now:
                tables[i], tables[j], better = (a, c), (b, d), True
            elif cost[a][d] + cost[b][c] < now:
                tables[i], tables[j], better = (a, d), (b, c), True
    return [(pairs[one], pairs[two]) for one, two in tables]


def _met(one: Pair, two: Pair, met: list[list[int]]) -> int:
    first, second = met[one[0]], met[one[1]]
    return first[two[0]] + first[two[1]] + second[two[0]] + second[two[1]]


def _note(tables: list[Table], met: list[list[int]], more: int) -> None:
    for pairs in tables:
        for one in pairs[0]:
            for two in pairs[1]:
                met[one][two] += more
                met[two][one] += more
