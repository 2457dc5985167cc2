"""Round robin: everyone meets everyone, in the order of the Berger tables.

A Berger table seats all but the highest number in a circle. Every round the circle turns
by half the number of entrants; the one who then stands in front meets the highest number, and
the others meet across. With an odd number of entrants nobody is the highest, and the one in
front has a free round. Each further leg is the same table with sides exchanged.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.ids import Micros
from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture

LEGS_MAX: Final = 4  # what two pairs of legs make; 128 entrants then play 32,512 matches


class RoundRobin(Struct, frozen=True):
    """Everyone meets everyone, once or several times."""

    name: ClassVar = "round_robin"
    sides: ClassVar = range(2, 3)
    solo: ClassVar = False
    eager: ClassVar = False
    fixed: ClassVar = True
    late: ClassVar = False
    most: ClassVar = 128
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = True

    legs: Annotated[int, Meta(description="how often everyone meets everyone, 1 to 4")] = 1

    def __post_init__(self) -> None:
        check_whole("legs", self.legs, 1, LEGS_MAX)

    def least(self, sides: int) -> int:
        """As many entrants as sit at a table."""
        return sides

    def lasts(self) -> Micros | None:
        """None: it ends when all is played."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The whole table at the start, and nothing after it."""
        if field.matches:
            return ()
        table = [
            (number, field.entrants[first], field.entrants[second])
            for number, pairs in enumerate(berger(len(field.entrants)))
            for first, second in pairs
        ]
        return tuple(self._fixtures(table))

    def done(self, field: Field) -> bool:
        """Whether the whole table is played."""
        return field.decided and not self.next(field)

    def _fixtures(self, table: list[tuple[int, int, int]]) -> Iterator[Fixture]:
        rounds = 1 + max((number for number, _, _ in table), default=0)
        for leg in range(self.legs):
            for place, (number, first, second) in enumerate(table, 1):
                sides = (second, first) if leg % 2 else (first, second)
                # Legs 1 and 2 are a pair, and so are 3 and 4; a last odd leg is by itself.
                paired = leg - leg % 2 + 1 < self.legs
                start = place + (leg - leg % 2) * len(table) if paired else 0
                yield Fixture(leg * rounds + number + 1, sides, start)


def berger(count: int) -> Iterator[list[tuple[int, int]]]:
    """The rounds of so many entrants, counted from 0; of each pair, the first moves first."""
    if count < 2:
        return
    even = count + count % 2
    circle = even - 1
    for number in range(circle):
        front = number * (even // 2) % circle
        # The highest number has the second move in the first round, and then by turns.
        pairs = [(circle, front) if number % 2 else (front, circle)]
        pairs += [((front + k) % circle, (front - k) % circle) for k in range(1, even // 2)]
        yield [pair for pair in pairs if max(pair) < count]
