"""A tour's desk: what waits, what runs and who is busy, kept at hand as events come.

Everything here is in the tour's value too, but would have to be searched for among all its
matches. It mutates, and belongs to the book of tours.
"""

from collections.abc import Iterable

from rookery.core.tour_events import MatchBegun, MatchEnded, MatchVoided, Paired, TourEvent
from rookery.hall.tour import Tour


class Desk:
    """The matches of one tour, by who is in them."""

    def __init__(self) -> None:
        self.running = 0  # matches
        self.undecided = 0
        self.paired_for = -1  # what there was when the format was last asked: entrants, or events
        self._waiting: dict[int, dict[int, None]] = {}  # by entrant: matches that have not begun
        self._busy: dict[int, dict[int, None]] = {}  # by entrant: matches that run

    def note(self, before: Tour, event: TourEvent) -> None:
        """This happens next in the tour, which was so before."""
        match event:
            case Paired(fixtures):
                self.undecided += len(fixtures)
                for number, fixture in enumerate(fixtures, len(before.matches) + 1):
                    self._put(self._waiting, fixture.sides, number)
            case MatchBegun(number):
                self._begin(before, number)
            case MatchEnded(number):
                self.undecided -= 1
                self._leave(before, number)
            case MatchVoided(number):
                if before.match(number).result is not None:
                    self.undecided += 1
                self._leave(before, number)
                self._put(self._waiting, before.match(number).fixture.sides, number)
            case _:
                pass

    def waiting(self, of: Iterable[int] | None = None) -> list[int]:
        """The matches of these entrants, or of all, that have not begun; in their order."""
        entrants = self._waiting if of is None else of
        return sorted({n for one in entrants for n in self._waiting.get(one, ())})

    def playing(self, entrant: int) -> tuple[int, ...]:
        """The matches that this entrant plays now."""
        return tuple(self._busy.get(entrant, ()))

    def all_playing(self) -> list[int]:
        """Every match that is being played."""
        return sorted({n for numbers in self._busy.values() for n in numbers})

    def _begin(self, before: Tour, number: int) -> None:
        sides = before.match(number).fixture.sides
        self.running += 1
        self._take(self._waiting, sides, number)
        self._put(self._busy, sides, number)

    def _leave(self, before: Tour, number: int) -> None:
        match_ = before.match(number)
        self._take(self._waiting, match_.fixture.sides, number)
        if match_.running:
            self.running -= 1
            self._take(self._busy, match_.fixture.sides, number)

    def _put(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            where.setdefault(side, {})[number] = None

    def _take(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            where.get(side, {}).pop(number, None)
