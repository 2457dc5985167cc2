"""Gauntlet: a few champions each meet every challenger; nobody else meets.

The champions are the first to have joined of those who are there at the start, and stay
it: a champion who leaves has no heir. A challenger may come late. Fixtures stand in the
order of the challengers, so the first challenger's tell who the champions are.

As in the order of joining, rounds name what could be played side by side: champion i and
challenger j, counted from 0, meet in round i xor j, and nobody plays twice in one.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.ids import Micros
from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture

CHAMPIONS_MAX: Final = 16
LEGS_MAX: Final = 16  # with all champions and 112 challengers 28,672 matches


class Gauntlet(Struct, frozen=True):
    """The first to join meet everyone else."""

    name: ClassVar = "gauntlet"
    sides: ClassVar = range(2, 3)
    solo: ClassVar = False
    eager: ClassVar = False
    fixed: ClassVar = True
    late: ClassVar = True
    most: ClassVar = 128
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = False

    champions: Annotated[int, Meta(description="how many meet all others, 1 to 16")] = 1
    legs: Annotated[int, Meta(description="how often they meet, 1 to 16")] = 2

    def __post_init__(self) -> None:
        check_whole("champions", self.champions, 1, CHAMPIONS_MAX)
        check_whole("legs", self.legs, 1, LEGS_MAX)

    def least(self, sides: int) -> int:
        """The champions, and the other sides of one match."""
        return self.champions + sides - 1

    def lasts(self) -> Micros | None:
        """None: it ends when all is played."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The matches of the challengers who have none yet."""
        return tuple(self._fixtures(field))

    def done(self, field: Field) -> bool:
        """Whether every challenger is through; one who joins now makes it undone."""
        return field.decided and not self.next(field)

    def _fixtures(self, field: Field) -> Iterator[Fixture]:
        champions = self._champions(field)
        newest = max(field.matches[-1].fixture.sides if field.matches else champions, default=0)
        challengers = [number for number in field.entrants if number > newest]
        if not challengers:
            return
        met = {side for match in field.matches for side in match.fixture.sides}
        index = len(field.matches)
        for row, challenger in enumerate(challengers, len(met - set(champions))):
            for column, champion in enumerate(champions):
                if champion in field.entrants:
                    yield from self._legs(index, champion, challenger, (row, column))
                    index += self.legs

    def _champions(self, field: Field) -> tuple[int, ...]:
        if not field.matches:
            return field.entrants[: self.champions]
        opening = list(islice(field.matches, self.champions * self.legs))
        met = {side for match in opening for side in match.fixture.sides}
        return tuple(sorted(met - {max(met)}))

    def _legs(
        self, index: int, champion: int, challenger: int, at: tuple[int, int]
    ) -> Iterator[Fixture]:
        row, column = at
        for leg in range(self.legs):
            # A leg without a second is by itself; there the first move goes by turns.
            paired = leg - leg % 2 + 1 < self.legs
            start = index + leg - leg % 2 + 1 if paired else 0
            swapped = leg % 2 if paired else (row + column) % 2
            sides = (challenger, champion) if swapped else (champion, challenger)
            yield Fixture((row ^ column) * self.legs + leg + 1, sides, start)
