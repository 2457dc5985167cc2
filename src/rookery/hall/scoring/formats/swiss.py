"""Swiss: each round, those with about as many points meet, and no two meet twice.

The pairings are the FIDE Dutch system's, see `dutch.py`; this file says when there is a
next round. A round is paired when the one before has come out whole, so who joins late
waits for it, and has nothing for the rounds missed; who is out is not paired. The tour
ends before its last round if nobody is left to meet.
"""

from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.ids import Micros
from rookery.core.text.options import check_whole
from rookery.core.tours.values import Field, Fixture, Puzzle
from rookery.hall.scoring.formats.dutch import solve

ROUNDS_MAX: Final = 99

# A server pairs in a process of its own, and plays on meanwhile; docs/tours.md has the times.
# More than that, and people would wait for a round longer than they play it.
MOST: Final = 600


class Swiss(Struct, frozen=True):
    """Rounds among equals. Who moves first is kept in balance."""

    name: ClassVar[str] = "swiss"
    sides: ClassVar[range] = range(2, 3)
    solo: ClassVar[bool] = False
    eager: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    late: ClassVar[bool] = True
    most: ClassVar[int] = MOST
    by_rounds: ClassVar[bool] = False
    smaller: ClassVar[bool] = False

    rounds: Annotated[
        int, Meta(description="how many rounds; 0: as many as a knock-out would have")
    ] = 0

    def __post_init__(self) -> None:
        check_whole("rounds", self.rounds, 0, ROUNDS_MAX)

    def least(self, sides: int) -> int:
        """One pair."""
        return sides

    def lasts(self) -> Micros | None:
        """Until its rounds are played."""
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The next round, once the last one has come out; an odd one out has a bye."""
        puzzle, solved = self.puzzle(field), field.solution
        if puzzle is None:
            return ()
        # Whoever has worked it out elsewhere may bring it; it is the same in any place.
        known = solved is not None and solved.puzzle == puzzle
        pairs = solved.pairs if solved is not None and known else solve(puzzle)
        return tuple(Fixture(field.last_round + 1, pair) for pair in pairs or ())

    def puzzle(self, field: Field) -> Puzzle | None:
        """What is to be paired now, if a round is due."""
        if not field.decided or len(field.entrants) < 2:
            return None
        played, rounds = field.last_round, self._rounds(field)
        if played >= rounds:
            return None
        return Puzzle(field.entrants, tuple(field.matches), last=played + 1 == rounds)

    def done(self, field: Field) -> bool:
        """Whether the rounds are played, or nobody is left to meet."""
        return field.decided and not self.next(field)

    def _rounds(self, field: Field) -> int:
        """So many that one could win all, and only one: 2 for 3 or 4 entrants, 3 for 5 to 8.

        All who ever played count, so that a withdrawal makes it no shorter; who joins late
        may make it longer.
        """
        met = {side for match in field.matches for side in match.fixture.sides}
        return self.rounds or max(1, (len(met.union(field.entrants)) - 1).bit_length())
