"""What a format is: a pure generator of pairings over results.

A format sees a `Field`, numbers and results, and says what is to be played next. It keeps
nothing: from the same field it says the same, so a tour can be taken up at any point from
its results alone. Its options are the fields of its struct, as a game's are.
"""

from typing import ClassVar, Protocol

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.core.tour_values import Field, Fixture


class Format(Protocol):
    """How entrants are paired. One file and one line in the registry make a new format."""

    name: ClassVar[str]
    sides: ClassVar[range]  # how many sides of a match it can pair
    solo: ClassVar[bool]  # whether it makes the teams itself: entrants are single players
    eager: ClassVar[bool]  # whether it pairs as entrants join, before the start
    fixed: ClassVar[bool]  # whether no pairing depends on a result: any match can be voided
    late: ClassVar[bool]  # whether one may join after the start
    most: ClassVar[int]  # entrants it can have
    by_rounds: ClassVar[bool]  # whether how far one came ranks before points
    smaller: ClassVar[bool]  # whether it deals tables with fewer sides too, down to two
    seeded: ClassVar[bool]  # whether seeds may be drawn otherwise than by who came first

    def least(self, sides: int) -> int:
        """How many entrants the format needs, where a match has so many sides."""
        ...

    def lasts(self) -> Micros | None:
        """How long matches begin, where time and not results ends the tour; else None."""
        ...

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The matches to add to those paired before; none if the next pairing must wait.

        The steward asks after the start, and again after everything that happens. Who is free and
        gets no match makes no difference to the matches of the others.
        """
        ...

    def done(self, field: Field) -> bool:
        """Whether the format will pair no more, now that every match has come out."""
        ...


class UsualFormat(Struct, frozen=True):
    """What most formats are: for two sides, nobody late, over when all is played."""

    sides: ClassVar[range] = range(2, 3)
    solo: ClassVar[bool] = False
    eager: ClassVar[bool] = False
    fixed: ClassVar[bool] = True
    late: ClassVar[bool] = False
    by_rounds: ClassVar[bool] = False
    smaller: ClassVar[bool] = False
    seeded: ClassVar[bool] = False

    def least(self, sides: int) -> int:
        """As many entrants as play one match."""
        return sides

    def lasts(self) -> Micros | None:
        """None: it ends when all is played."""
        return None
