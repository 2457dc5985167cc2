"""Groups: a knock-out for two to four at a table, as the fish course plays it.

Each round the players are dealt to tables in the order of signing up, and all who come
first at theirs go on. It ends after a round of one game, which is the final, when fewer
than two are left, or when a round leaves in everyone whom the round before left in:
players who are equal twice would be equal for ever.
"""

from typing import ClassVar

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.core.tour_values import Field, Fixture, Match


class Groups(Struct, frozen=True):
    """The first of every table go on, until they fit at one."""

    name: ClassVar[str] = "groups"
    sides: ClassVar[range] = range(2, 5)  # the most at a table; there may be fewer
    solo: ClassVar[bool] = False
    eager: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    late: ClassVar[bool] = False
    most: ClassVar[int] = 1024
    by_rounds: ClassVar[bool] = True
    smaller: ClassVar[bool] = True
    seeded: ClassVar[bool] = True

    def least(self, sides: int) -> int:
        """Two entrants, however many fit at a table."""
        assert sides in self.sides, "a plan has as many sides as its format can pair"
        return 2

    def lasts(self) -> Micros | None:
        """None: it ends with the final."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The next round, once all of the last has come out."""
        if not field.decided:
            return ()
        number = field.last_round
        played = tuple(match for match in field.matches if match.fixture.round == number)
        if len(played) == 1:
            return ()
        players = _going_on(field, played) if played else field.entrants
        # "It ends … when two rounds in a row have the same winners": who played this round
        # are the winners of the one before.
        if len(players) < 2 or (number > 1 and frozenset(players) == _players(played)):
            return ()
        return tuple(Fixture(number + 1, sides) for sides in _deal(players, field.sides))

    def survivors(self, field: Field) -> tuple[int, ...]:
        """The entrants still in who were first in the last round, or have yet to play it."""
        number = field.last_round
        played = tuple(match for match in field.matches if match.fixture.round == number)
        yet = _players(tuple(match for match in played if match.result is None))
        came = _going_on(field, tuple(match for match in played if match.result is not None))
        return tuple(side for side in field.entrants if side in yet or side in came)

    def done(self, field: Field) -> bool:
        """Whether there was a final, or there can be none."""
        return field.decided and not self.next(field)


def table_sizes(players: int, most: int) -> tuple[int, ...]:
    """How many sit at each table, with so many players and at most so many at one."""
    full, over = divmod(players, most)
    if over != 1:
        return (most,) * full + ((over,) if over else ())
    if most == 2 or full == 0:
        return (most,) * full + (1,)  # tables of one fewer are no tables: the last has a bye
    # "If fewer than 2 would remain, the last game is taken back and dealt with one fewer a
    # game": one full table and one player make a table of one fewer, and one of two.
    return (most,) * (full - 1) + (most - 1, 2)


def _deal(players: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    dealt, tables = 0, []
    for size in table_sizes(len(players), most):
        tables.append(players[dealt : dealt + size])
        dealt += size
    return tables


def _going_on(field: Field, played: tuple[Match, ...]) -> tuple[int, ...]:
    """The entrants who were first at a table and are still in, in the order of signing up."""
    first: set[int] = set()
    for match in played:
        assert match.result is not None, "a round is looked at when all of it has come out"
        ranked = zip(match.fixture.sides, match.result.places, strict=True)
        first.update(side for side, place in ranked if place == 1)
    return tuple(side for side in field.entrants if side in first)


def _players(played: tuple[Match, ...]) -> frozenset[int]:
    return frozenset(side for match in played for side in match.fixture.sides)
