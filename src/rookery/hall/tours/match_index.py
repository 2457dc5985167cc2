"""An index of a tour's matches: which wait, which run and who is busy, kept up by events.

Everything here is in the tour's value too, but would have to be searched for among all its matches.
It belongs to the book of tours.
"""

from collections.abc import Iterable, Iterator

from rookery.core import events
from rookery.core.tour_values import Fixture, Puzzle, Solution
from rookery.hall.tours.tour import Tour


class MatchIndex:
    """The matches of one tour, by the entrants in them."""

    def __init__(self) -> None:
        self.running = 0  # matches
        self.undecided = 0
        self.paired_for = -1  # what there was when the format was last asked: entrants, or events
        self.wished = 0  # rounds that somebody was to pair elsewhere
        self.puzzle: Puzzle | None = None  # the last of them, until it is paired
        self.solution: Solution | None = None  # how it was paired
        self._unbegun: dict[int, Fixture] = {}  # all that has not begun, in its order
        self._waiting: dict[int, dict[int, None]] = {}  # by entrant: matches that have not begun
        self._busy: dict[
            int, dict[int, None]
        ] = {}  # by entrant: matches that run, if there are any

    def note(self, before: Tour, event: events.TourEvent) -> None:
        """Bring the index up to date with an event; `before` is the tour before it."""
        match event:
            case events.Paired(fixtures):
                self.undecided += len(fixtures)
                for number, fixture in enumerate(fixtures, len(before.matches) + 1):
                    self._unbegun[number] = fixture
                    self._put(self._waiting, fixture.sides, number)
            case events.MatchBegun(number):
                self._begin(before, number)
            case events.MatchEnded(number):
                self.undecided -= 1
                self._leave(before, number)
            case events.MatchRuled(number):
                if before.match(number).result is None:
                    self.undecided -= 1
                self._leave(before, number)
            case events.MatchVoided(number):
                if before.match(number).result is not None:
                    self.undecided += 1
                self._leave(before, number)
                fixture = before.match(number).fixture
                self._unbegun = dict(sorted([*self._unbegun.items(), (number, fixture)]))
                self._put(self._waiting, fixture.sides, number)
            case _:
                pass

    def waiting(self, of: Iterable[int] | None = None) -> Iterator[tuple[int, Fixture]]:
        """The matches of these entrants, or of all, that have not begun; in their order.

        The caller may begin or decide the match it was given last while it goes on.
        """
        if of is None:
            numbers = list(self._unbegun)
        else:
            numbers = sorted({n for one in of for n in self._waiting.get(one, ())})
        for number in numbers:
            yield number, self._unbegun[number]

    def playing(self, entrant: int) -> tuple[int, ...]:
        """The matches that this entrant plays now."""
        return tuple(self._busy.get(entrant, ()))

    def engaged(self, most: int) -> list[int]:
        """The entrants who play at least so many matches now."""
        if most == 1:
            return list(self._busy)
        return [entrant for entrant, numbers in self._busy.items() if len(numbers) >= most]

    def all_playing(self) -> list[int]:
        """Every match that is being played."""
        return sorted({n for numbers in self._busy.values() for n in numbers})

    def _begin(self, before: Tour, number: int) -> None:
        sides = before.match(number).fixture.sides
        self.running += 1
        del self._unbegun[number]
        self._take(self._waiting, sides, number)
        self._put(self._busy, sides, number)

    def _leave(self, before: Tour, number: int) -> None:
        match_ = before.match(number)
        self._unbegun.pop(number, None)
        self._take(self._waiting, match_.fixture.sides, number)
        if match_.running:
            self.running -= 1
            self._take(self._busy, match_.fixture.sides, number)

    def _put(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            where.setdefault(side, {})[number] = None

    def _take(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            of = where.get(side, {})
            of.pop(number, None)
            if not of:
                where.pop(side, None)
