"""How tours end: closed when no match begins any more, over when none runs.

Where the plan asks for it, every entrant still in says farewell in between, or is put
out. The steward owns it.
"""

from rookery.core.events import MatchRuled, MatchVoided, Parted, TourClosing, TourDone, TourEnded
from rookery.core.ids import Micros, TourId, TourStatus, Wall
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.register import Register
from rookery.hall.tours import director
from rookery.hall.tours.lines import leaders, line_of
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.running import match_starts
from rookery.hall.tours.running.agenda import Agenda
from rookery.hall.tours.tour import CANCELLED, Tour
from rookery.hall.tours.tour_book import Book, MatchIndex

PLAYED = "played"  # how a tour ended when all was played


class Endings:
    """Sees tours to their end."""

    def __init__(
        self,
        book: Book,
        ratings: RatingBook,
        register: Register,
        seating: Seating,
        agenda: Agenda,
    ) -> None:
        self._book = book
        self._ratings = ratings
        self._register = register
        self._seating = seating
        self._agenda = agenda

    def farewell(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """Note that an entrant has taken the end of a closing tour, which may now be over."""
        tour = self._book.get(tour_id)
        if tour is None or tour.status is not TourStatus.CLOSING or number in tour.parted:
            return
        self._book.happen(draft, tour_id, Parted(number))
        self.end_when_closed(draft, tour_id)

    def close(self, draft: Draft, tour_id: TourId, how: str) -> None:
        """Begin no more matches; those that run are played out, or voided if it is cancelled."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that is closed is not over"
        if how == CANCELLED:
            for number in self._book.index_of(tour_id).all_playing():
                self.void(draft, tour_id, number)
        self._book.happen(draft, tour_id, closing(tour, how))
        self.end_when_closed(draft, tour_id)

    def void(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """Void a match, and call off its game if that runs."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a match is voided in a tour that is not over"
        before = tour.match(number)
        self._book.happen(draft, tour_id, MatchVoided(number))
        if before.running and before.table is not None:
            self._seating.call_off(draft, before.table)

    def rule(self, draft: Draft, tour_id: TourId, ruled: MatchRuled) -> None:
        """Take in a result entered by hand; the match's game, if it runs, ends with that result."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a match is ruled on in a tour that is not over"
        before = tour.match(ruled.match)
        self._ratings.follow(self._book.happen(draft, tour_id, ruled))
        if before.running and before.table is not None:
            outcome = match_starts.entered(tour, before.fixture, ruled.result)
            self._seating.overrule(draft, before.table, outcome)

    def close_when_played(self, draft: Draft, tour_id: TourId) -> None:
        """Close the tour if all is played, or its time is up and no match runs."""
        tour = self._book.get(tour_id)
        if tour is not None and is_played(tour, self._book.index_of(tour_id), draft.at):
            self.close(draft, tour_id, PLAYED)

    def end_when_closed(self, draft: Draft, tour_id: TourId) -> None:
        """End the tour if it is closed, no match runs and no farewell is waited for."""
        tour = self._book.get(tour_id)
        if tour is None or not is_over(tour, self._book.index_of(tour_id)):
            return
        winners = closing(tour, tour.how).winners
        tour = self._book.happen(draft, tour_id, TourEnded(tour.how, winners))
        missed = self._book.close(tour_id)
        rated = () if tour.how == CANCELLED else self._ratings.changed_by(tour)
        done = TourDone(tour_id, line_of(tour, 0), rated, missed)
        self._register.write(draft, done)
        self.done(done, draft.at)
        self._agenda.forget(tour_id)

    def done(self, event: TourDone, at: Micros) -> None:
        """Take in that a tour is over; live and from the log alike."""
        self._book.done(event, at)
        self._ratings.take(event, at)


def is_played(tour: Tour, index: MatchIndex, at: Wall) -> bool:
    """Whether a tour closes by itself now: all is played, or its time is up and no match runs."""
    if tour.status is not TourStatus.RUNNING or tour.plan.stays:
        return False
    if tour.format.eager and not tour.matches and director.takes_late(tour):
        return False  # it was started before anyone came, and waits for them
    # Matches that wait when the time is up are not played any more.
    left = index.undecided if tour.format.lasts() is None else index.running
    if left or index.puzzle is not None:
        return False  # what is being paired is to be played
    return tour.format.done(tour.field(at=at, solution=index.solution))


def closing(tour: Tour, how: str) -> TourClosing:
    """The close of a tour as it stands, with those who would win."""
    return TourClosing(how, () if how == CANCELLED else leaders(tour))


def is_over(tour: Tour, index: MatchIndex) -> bool:
    """Whether a tour is closed, no match of it runs, and nobody has yet to say farewell."""
    if tour.status is not TourStatus.CLOSING or index.running:
        return False
    waits = tour.plan.farewell and tour.how != CANCELLED
    return not waits or all(one.out or one.number in tour.parted for one in tour.entrants)
