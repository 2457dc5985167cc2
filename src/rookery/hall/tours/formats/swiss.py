"""Swiss: each round, those with about as many points meet, and no two meet twice.

The pairings are the FIDE Dutch system's, see `dutch.py`; this file says when there is a
next round. A round is paired when the one before has come out whole, so an entrant who joins
late waits for it, and has half a point for as many of the rounds missed as `late_byes` says, and
nothing for the others; one who is out is not paired. Entrants that are paused sit the round out
for nothing, unless the others cannot be paired among themselves. Where no round can be paired any
more, since too many have met, the tour ends before its last one.
"""

from typing import Annotated, ClassVar, Final

from msgspec import Meta

from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture, Puzzle, Worth
from rookery.hall.tours.formats.base import UsualFormat
from rookery.hall.tours.formats.dutch import solve

ROUNDS_MAX: Final = 99

# A server pairs in a process of its own, and plays on meanwhile; docs/tours.md has the times.
# More than that, and people would wait for a round longer than they play it.
MOST: Final = 600


class Swiss(UsualFormat, frozen=True):
    """Rounds among equals. Who moves first is kept in balance."""

    name: ClassVar[str] = "swiss"
    fixed: ClassVar[bool] = False
    late: ClassVar[bool] = True
    most: ClassVar[int] = MOST
    seeded: ClassVar[bool] = True

    rounds: Annotated[
        int, Meta(description="how many rounds; 0: as many as a knock-out would have")
    ] = 0

    late_byes: Annotated[
        int, Meta(description="for how many missed rounds who joins late has half a point")
    ] = 0

    def __post_init__(self) -> None:
        check_whole("rounds", self.rounds, 0, ROUNDS_MAX)
        check_whole("late_byes", self.late_byes, 0, ROUNDS_MAX)

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The next round, once the last one has come out; an odd one out has a bye."""
        if not self._is_due(field):
            return ()
        missed = self._missed(field)
        if missed:
            return missed  # the round after is paired by these points
        puzzle, solved = self._puzzle(field), field.solution
        # The pairing may have been worked out elsewhere; it is the same in any place.
        pairs = solved.pairs if solved and solved.puzzle == puzzle else solve(puzzle)
        if pairs is None:
            return ()
        number = field.last_round + 1
        paired = (Fixture(number, pair) for pair in pairs)
        inside = {side for pair in pairs for side in pair}
        away = (one for one in puzzle.paused if one not in inside)
        absences = (Fixture(number, (one,), rest=Worth.ZERO) for one in away)
        return (*paired, *absences)

    def puzzle(self, field: Field) -> Puzzle | None:
        """The round to be paired now, if one is due."""
        if not self._is_due(field) or self._missed(field):
            return None
        return self._puzzle(field)

    def done(self, field: Field) -> bool:
        """Whether the rounds are played, or nobody is left to meet."""
        return field.decided and not self.next(field)

    def _missed(self, field: Field) -> tuple[Fixture, ...]:
        """Half-point byes for rounds that an entrant who joined late missed, up to `late_byes`."""
        last = min(self.late_byes, field.last_round)
        if not last:
            return ()
        had = {(m.fixture.round, side) for m in field.matches for side in m.fixture.sides}
        return tuple(
            Fixture(number, (one,), rest=Worth.HALF)
            for number in range(1, last + 1)
            for one in field.entrants
            if (number, one) not in had
        )

    def _is_due(self, field: Field) -> bool:
        enough = field.decided and len(field.entrants) > 1
        return enough and field.last_round < self._rounds(field)

    def _puzzle(self, field: Field) -> Puzzle:
        there = tuple(one for one in field.entrants if one not in field.paused)
        away = tuple(one for one in field.entrants if one in field.paused)
        if len(there) < 2:
            # Hardly anybody is left to play: those who are away forfeit, or it would never end.
            there, away = field.entrants, ()
        last = field.last_round + 1 == self._rounds(field)
        return Puzzle(there, tuple(field.matches), last, field.seeds, away)

    def _rounds(self, field: Field) -> int:
        """How many rounds: as set, or so many that one, and only one, could win all of them.

        That is 2 for 3 or 4 entrants, 3 for 5 to 8. All who ever played count, so that a
        withdrawal makes it no shorter; an entrant who joins late may make it longer.
        """
        met = {side for match in field.matches for side in match.fixture.sides}
        return self.rounds or max(1, (len(met.union(field.entrants)) - 1).bit_length())
