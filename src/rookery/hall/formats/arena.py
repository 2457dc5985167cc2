"""Arena: for a fixed time, whoever is free is paired at once with others who are.

Who has waited longest is paired first, with those of nearest points: a win over another
side is 1 here, a draw ½, whatever the tour counts. Those who have just played each other
do not do so again while a match is on, from which others could come. When none is on
somebody is always paired, so it never stalls, and two alone play on and on.
"""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.options import check_whole
from rookery.core.tours import Field, Fixture, Match

MINUTES_MAX: Final = 7 * 24 * 60  # a week

_NEVER: Final = -1  # the last match of who has had none


class Arena(Struct, frozen=True):
    """Play as much as you can until the time is up."""

    name: ClassVar[str] = "arena"
    sides: ClassVar[range] = range(2, 5)
    solo: ClassVar[bool] = False
    eager: ClassVar[bool] = False
    fixed: ClassVar[bool] = True
    late: ClassVar[bool] = True
    most: ClassVar[int] = 500
    by_rounds: ClassVar[bool] = False
    smaller: ClassVar[bool] = False

    minutes: Annotated[int, Meta(description="how long new games begin, in minutes")] = 30

    def __post_init__(self) -> None:
        check_whole("minutes", self.minutes, 1, MINUTES_MAX)

    def least(self, sides: int) -> int:
        """One match."""
        return sides

    def lasts(self) -> Micros | None:
        """So long matches begin; those that run then are played out."""
        return self._time()

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """Matches for those who are free, while there is time."""
        free = field.free.intersection(field.entrants)
        if field.elapsed >= self._time() or len(free) < field.sides:
            return ()
        cards, running = _tally(free, field.matches)
        return _pair(list(cards.values()), field.sides, running=running)

    def done(self, field: Field) -> bool:
        """Whether the time is up."""
        return field.elapsed >= self._time()

    def _time(self) -> Micros:
        return self.minutes * 60 * MICROS_A_SECOND


class _Card:
    """What one free entrant has done so far; changes only while it is counted up."""

    __slots__ = ("earliness", "last", "number", "played", "points", "was_early")

    def __init__(self, number: int) -> None:
        self.number = number
        self.points = 0  # twice what they are, to stay whole
        self.played = 0
        self.last = _NEVER  # the place of its last match among all
        self.earliness = 0  # with two sides: how often first, less how often second
        self.was_early = 0  # the same of the last match alone

    def add(self, at: int, index: int, places: tuple[int, ...]) -> None:
        self.points += _points(places, index)
        self.played += 1
        self.last = at
        self.was_early = len(places) - 1 - 2 * index
        self.earliness += self.was_early


def _tally(free: Iterable[int], matches: tuple[Match, ...]) -> tuple[dict[int, _Card], bool]:
    """Everyone who waits for a match, and whether any is still to come out."""
    cards = {number: _Card(number) for number in sorted(free)}
    taken: set[int] = set()
    running = False
    for at, match in enumerate(matches):
        sides, result = match.fixture.sides, match.result
        if result is None:
            running = True
            taken.update(sides)
            continue
        for index, side in enumerate(sides):
            if side in cards:
                cards[side].add(at, index, result.places)
    return {number: card for number, card in cards.items() if number not in taken}, running


def _points(places: tuple[int, ...], index: int) -> int:
    if 1 not in places:
        return 0
    own = places[index]
    beaten = sum(place > own for place in places)
    return 2 * beaten + places.count(own) - 1


def _pair(waiting: list[_Card], sides: int, *, running: bool) -> tuple[Fixture, ...]:
    """The matches that can begin now."""
    waiting.sort(key=lambda card: (card.last, -card.points, card.number))
    made: list[Fixture] = []
    while len(waiting) >= sides:
        leader = waiting.pop(0)
        rivals = sorted(waiting, key=lambda card: _distance(leader, card))[: sides - 1]
        if _same_match(leader, rivals[0]) and (running or made):
            continue
        waiting = [card for card in waiting if card not in rivals]
        made.append(_fixture([leader, *rivals]))
    return tuple(made)


def _distance(leader: _Card, card: _Card) -> tuple[bool, int, int, int]:
    """Anyone else before those it has just played; the nearest points, the longest wait."""
    return (
        _same_match(leader, card),
        abs(leader.points - card.points),
        card.last,
        card.number,
    )


def _same_match(one: _Card, other: _Card) -> bool:
    return one.last == other.last != _NEVER


def _fixture(group: list[_Card]) -> Fixture:
    """Whoever was early less often is earlier now; among equals, who was not the last time."""
    group.sort(key=lambda card: (card.earliness, card.was_early, -card.points, card.number))
    return Fixture(1 + max(card.played for card in group), tuple(card.number for card in group))
