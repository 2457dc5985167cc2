"""The tourney page's order of pairs: a double round robin that grows as players join.

"When p joins, for each earlier player o in order of joining the matches (o home, p away),
(p home, o away) are appended; joining late is allowed." Who has left gets no new ones.

Rounds only name what could be played side by side. If all are there at the start and every
match takes as long, numbers i and j, counted from 0, meet when i xor j other pairs are
through: each match begins at the first time at which both are free, and the first number
missing in a row and a column is nim's sum. So a round needs no look at other matches, and
nobody has two matches in one, however late somebody joined.
"""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.core.tour_values import Field, Fixture


class Joining(Struct, frozen=True):
    """Everyone meets everyone twice; who joins meets all who are there."""

    name: ClassVar = "joining"
    sides: ClassVar = range(2, 3)
    solo: ClassVar = False
    eager: ClassVar = True
    fixed: ClassVar = True
    late: ClassVar = True
    most: ClassVar = 128
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = False

    def least(self, sides: int) -> int:
        """As many entrants as sit at a table."""
        return sides

    def lasts(self) -> Micros | None:
        """None: it ends when all is played."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The matches of those who joined since the format was last asked."""
        return tuple(_fixtures(field))

    def done(self, field: Field) -> bool:
        """Whether all who are there have met; one who joins now makes it undone."""
        return field.decided and not self.next(field)


def _fixtures(field: Field) -> Iterator[Fixture]:
    # Pairs are made in the order of joining, so the last match tells who was paired last.
    newest = max(field.matches[-1].fixture.sides) if field.matches else 0
    start = len(field.matches) + 1
    for place, joined in enumerate(field.entrants):
        if joined <= newest:
            continue
        for earlier in field.entrants[:place]:
            pair = (earlier - 1) ^ (joined - 1)
            yield Fixture(2 * pair - 1, (earlier, joined), start)
            yield Fixture(2 * pair, (joined, earlier), start)
            start += 2
