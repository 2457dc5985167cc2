"""A duel: the same few meet again and again, every start from each of its seats.

For measuring programs against each other. A start is played as often as a match has sides,
and each time everyone moves up by one seat: for two that is a pair of games with colours
exchanged. Nothing depends on results, so games may be played in any order and at once.
"""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from rookery.core.ids import Micros
from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture

GAMES_MAX = 100_000


class Duel(Struct, frozen=True):
    """So many games between as many entrants as a match has sides."""

    name: ClassVar = "duel"
    sides: ClassVar = range(2, 5)
    solo: ClassVar = False
    eager: ClassVar = False
    fixed: ClassVar = True
    late: ClassVar = False
    most: ClassVar = 4
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = False

    games: Annotated[int, Meta(description="games to be played; 1 to 100000")] = 100

    def __post_init__(self) -> None:
        check_whole("games", self.games, 1, GAMES_MAX)

    def least(self, sides: int) -> int:
        """As many entrants as a match has sides."""
        return sides

    def lasts(self) -> Micros | None:
        """None: it ends with its games."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """All games, once; a start after the other."""
        there = field.entrants[: field.sides]
        if field.matches or len(there) < field.sides:
            return ()
        fixtures = []
        for n in range(self.games):
            start, turn = divmod(n, field.sides)
            sides = (*there[turn:], *there[:turn])
            fixtures.append(Fixture(n + 1, sides, start + 1))
        return tuple(fixtures)

    def done(self, field: Field) -> bool:
        """Whether all games have come out."""
        return field.decided and bool(field.matches)
