"""The agenda: when to look at which tour again, by its clocks or by the time of day.

Absences and rests are counted by the time that clocks run by. The start of a tour that has a time
for it, the end of an arena and the end of a tour that nobody ever joined are times of day.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros, TourId, TourStatus, Wall
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.tables.wakeups import Wakeups
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book

FIRST: Final[Micros] = MICROS_A_SECOND  # after one match without a move; then twice that
LONGEST: Final[Micros] = 64 * MICROS_A_SECOND


# An arena pairs every entrant who is free, for as long as a week. With a short clock and entrants
# who are connected and do nothing, matches would begin and end as fast as the server can write
# them; so each of them rests, longer each time in a row, until it plays again. Nothing of it is
# in the log.
class Rests:
    """Until when entrants rest, and how long the last rest was."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[Micros, Micros]] = {}

    def idled(self, number: int, now: Micros) -> Micros:
        """Let an entrant rest that made no move in its time; until when it rests."""
        _, last = self._of.get(number, (0, 0))
        rest = min(LONGEST, 2 * last or FIRST)
        self._of[number] = (now + rest, rest)
        return now + rest

    def played(self, number: int) -> None:
        """Forget the rests of an entrant that has made a move."""
        self._of.pop(number, None)

    def until(self, number: int) -> Micros:
        """Until when an entrant is given no match."""
        return self._of.get(number, (0, 0))[0]

    def ends(self) -> list[Micros]:
        """When each known rest is over, or was."""
        return [until for until, _ in self._of.values()]


class Agenda:
    """The moments at which the tours of this book are to be looked at."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._timers: Wakeups[TourId] = Wakeups()
        self._appointments: Wakeups[TourId] = Wakeups()  # by the time of day
        self._rests: dict[TourId, Rests] = {}  # of entrants who let their time run out
        # Until when entrants lose no match by their absence, or end nobody else's.
        self._spared: dict[TourId, dict[int, Micros]] = {}

    def look(self, tour: TourId, when: Micros) -> None:
        """Plan a look at this tour at `when`, as clocks count."""
        self._timers.look(tour, when)

    def meet(self, tour: TourId, when: Wall) -> None:
        """Plan a look at this tour at `when`, by the time of day."""
        self._appointments.look(tour, when)

    def look_again(self, tour: Tour, moments: Iterable[Micros], draft: Draft) -> None:
        """Plan a look at this tour at the first of these moments, and at its own times of day."""
        for appointment in self._times_of_day(tour):
            if appointment > draft.at:
                self.meet(tour.id, appointment)
        rests = self._rests[tour.id].ends() if tour.id in self._rests else ()
        spared = self._spared.get(tour.id, {}).values()
        coming = [moment for moment in (*moments, *rests, *spared) if moment > draft.now]
        if coming:
            self.look(tour.id, min(coming))

    def wake(self, tour: Tour, draft: Draft) -> None:
        """Plan a tour's times of day after a restart; those that have passed are due at once."""
        for appointment in self._times_of_day(tour):
            if not tour.started:
                self.meet(tour.id, Wall(max(draft.at, appointment)))

    def is_unjoined(self, tour: Tour, at: Wall) -> bool:
        """Whether nobody ever joined the tour, for so long that it is cancelled."""
        return not tour.entrants and self._unjoined(tour) <= at

    def deadline(self) -> Micros | None:
        """When the next tour is to be looked at, as clocks count, or None."""
        return self._timers.deadline()

    def appointment(self) -> Wall | None:
        """When the next tour is to be looked at, by the time of day, or None."""
        when = self._appointments.deadline()
        return None if when is None else Wall(when)

    def due(self, draft: Draft) -> Iterable[TourId]:
        """The tours to look at now."""
        due = (*self._timers.due(draft.now), *self._appointments.due(draft.at))
        return dict.fromkeys(due)

    def idled(self, tour: TourId, number: int, now: Micros) -> None:
        """Let an entrant rest whose time ran out without a move, and plan a look after the rest."""
        self.look(tour, self._rests.setdefault(tour, Rests()).idled(number, now))

    def played(self, tour: TourId, number: int) -> None:
        """Note that an entrant has made a move in a match, and needs no rest."""
        if tour in self._rests:
            self._rests[tour].played(number)

    def is_resting(self, tour: TourId, number: int, now: Micros) -> bool:
        """Whether an entrant rests, and is given no match yet."""
        return tour in self._rests and self._rests[tour].until(number) > now

    def spare(self, tour: Tour, number: int, now: Micros) -> None:
        """Note that an absent entrant has lost a match, or is back; it is spared for `absent`."""
        until = now + tour.plan.absent
        self._spared.setdefault(tour.id, {})[number] = until
        self.look(tour.id, until)

    def is_spared(self, tour: TourId, number: int, now: Micros) -> bool:
        """Whether an entrant lost a match by its absence, or came back, less than `absent` ago."""
        return self._spared.get(tour, {}).get(number, now) > now

    def forget(self, tour: TourId) -> None:
        """Forget all moments of a tour that is over."""
        self._rests.pop(tour, None)
        self._spared.pop(tour, None)
        self._timers.forget(tour)
        self._appointments.forget(tour)

    def _times_of_day(self, tour: Tour) -> Iterator[Wall]:
        if tour.until is not None:
            yield Wall(tour.until)
        if tour.plan.starts is not None and tour.status is TourStatus.OPEN:
            yield Wall(tour.plan.starts)
        if not tour.entrants:
            yield self._unjoined(tour)

    def _unjoined(self, tour: Tour) -> Wall:
        """When the tour is cancelled if nobody joins it."""
        since = max(self._book.active(tour.id), tour.plan.starts or 0)
        return Wall(since + unjoined_for(tour))


def unjoined_for(tour: Tour) -> Micros:
    """How long a tour waits for its first entrant."""
    return limits.UNJOINED_OFFICIAL if tour.opened.by is None else limits.UNJOINED
