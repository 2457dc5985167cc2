"""A round as far as it was arranged by hand: who meets, who sits out, and who is left to pair.

An arrangement for an entrant who is out of the tour by then holds no more, and a meeting does not
hold with one that is away. Two who are to meet in a later round do not meet before it.
"""

from collections.abc import Iterable

from msgspec import Struct

from rookery.core.tours.arrangements import AnyArrangement, Apart, Meet, Rest
from rookery.core.tours.values import Fixture

Pair = tuple[int, int]


class ByHand(Struct, frozen=True):
    """All that is arranged by hand for one round."""

    meets: tuple[Fixture, ...]
    rests: tuple[Fixture, ...]
    left: tuple[int, ...]  # who is to be paired by the format, in the order of the seeds
    away: tuple[int, ...]  # who is away, and is paired only if the others cannot be otherwise
    apart: tuple[Pair, ...]  # which of them must not meet, the lower number first

    @property
    def matters(self) -> bool:
        """Whether the arrangements leave the format less to choose from."""
        return bool(self.meets or self.rests or self.apart)


def by_hand(
    number: int,
    entrants: tuple[int, ...],
    arranged: Iterable[AnyArrangement],
    away: frozenset[int] = frozenset(),
) -> ByHand:
    """The arrangements for the round of this number that hold among these entrants."""
    inside, apart = frozenset(entrants), set[Pair]()
    meets: list[Fixture] = []
    rests: list[Fixture] = []
    for one in arranged:
        match one:
            case Meet(round_, sides) if inside.issuperset(sides) and round_ >= number:
                if round_ > number:
                    apart.add(ordered(sides))
                elif away.isdisjoint(sides):
                    meets.append(Fixture(number, sides))
            case Rest(round_, entrant, worth) if entrant in inside and round_ == number:
                rests.append(Fixture(number, (entrant,), rest=worth))
            case Apart(pair) if inside.issuperset(pair):
                apart.add(ordered(pair))
            case _:
                pass
    taken = {side for fixture in (*meets, *rests) for side in fixture.sides}
    left = tuple(one for one in entrants if one not in taken)
    kept = tuple(pair for pair in sorted(apart) if taken.isdisjoint(pair))
    there = tuple(one for one in left if one not in away)
    gone = tuple(one for one in left if one in away)
    return ByHand(tuple(meets), tuple(rests), there, gone, kept)


def ordered(pair: Pair) -> Pair:
    """The pair with the lower number first."""
    one, other = pair
    return (one, other) if one < other else (other, one)
