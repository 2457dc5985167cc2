"""Arena: for a fixed time, every entrant who is free is paired at once with others who are.

The one who has waited longest is paired first, with those of nearest points: a win over another
side is 1 here, a draw ½, whatever the tour counts. Those who have just played each other
do not do so again while a match is on, from which others could come. When none is on
somebody is always paired, so it never stalls, and two alone play on and on.
"""

from collections.abc import Iterable
from heapq import nsmallest
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.options import check_whole
from rookery.core.tour_values import BLANK, NEVER, Card, Cards, Field, Fixture, Match
from rookery.hall.tours.formats.base import UsualFormat

MINUTES_MAX: Final = 7 * 24 * 60  # a week


class Arena(UsualFormat, frozen=True):
    """Play as much as you can until the time is up."""

    name: ClassVar[str] = "arena"
    sides: ClassVar[range] = range(2, 5)
    late: ClassVar[bool] = True
    most: ClassVar[int] = 500

    minutes: Annotated[int, Meta(description="how long new games begin, in minutes")] = 30

    def __post_init__(self) -> None:
        check_whole("minutes", self.minutes, 1, MINUTES_MAX)

    def lasts(self) -> Micros | None:
        """For how long matches begin; those that run then are played out."""
        return self._time()

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """Matches for those who are free, while there is time."""
        free = field.free.intersection(field.entrants)
        if field.elapsed >= self._time() or len(free) < field.sides:
            return ()
        cards = cards_of(field.matches) if field.cards is None else field.cards
        waiting = [
            _Waiting(number, cards.of.get(number, BLANK))
            for number in sorted(free.difference(cards.engaged))
        ]
        return _pair(waiting, field.sides, running=bool(cards.engaged))

    def done(self, field: Field) -> bool:
        """Whether the time is up."""
        return field.elapsed >= self._time()

    def _time(self) -> Micros:
        return self.minutes * 60 * MICROS_A_SECOND


def cards_of(matches: Iterable[Match]) -> Cards:
    """The card of every entrant and who is playing, counted anew from all matches."""
    of: dict[int, Card] = {}
    engaged: dict[int, int] = {}
    for at, match in enumerate(matches):
        for index, side in enumerate(match.fixture.sides):
            if match.result is None:
                engaged[side] = engaged.get(side, 0) + 1
            else:
                of[side] = of.get(side, BLANK).plus(at, index, match.result.places)
    return Cards(of, engaged)


class _Waiting(Struct, frozen=True, gc=False):
    """An entrant who waits for a match, and its card so far."""

    number: int
    card: Card


def _pair(waiting: list[_Waiting], sides: int, *, running: bool) -> tuple[Fixture, ...]:
    """The matches that can begin now."""
    waiting.sort(key=lambda one: (one.card.last, -one.card.points, one.number))
    made: list[Fixture] = []
    while len(waiting) >= sides:
        leader = waiting.pop(0)
        rivals = nsmallest(sides - 1, waiting, key=lambda one: _distance(leader, one))
        if _same_match(leader, rivals[0]) and (running or made):
            continue
        waiting = [one for one in waiting if one not in rivals]
        made.append(_fixture([leader, *rivals]))
    return tuple(made)


def _distance(leader: _Waiting, one: _Waiting) -> tuple[bool, int, int, int]:
    """Sort key of rivals: not the last opponent, then the nearest points, then the longest wait."""
    return (
        _same_match(leader, one),
        abs(leader.card.points - one.card.points),
        one.card.last,
        one.number,
    )


def _same_match(one: _Waiting, other: _Waiting) -> bool:
    return one.card.last == other.card.last != NEVER


def _fixture(group: list[_Waiting]) -> Fixture:
    """The match of this group; who had an early seat less often, or not last time, sits earlier."""
    group.sort(key=_lateness)
    played = max(one.card.played for one in group)
    return Fixture(1 + played, tuple(one.number for one in group))


def _lateness(one: _Waiting) -> tuple[int, int, int, int]:
    return one.card.earliness, one.card.was_early, -one.card.points, one.number
