"""Rounds: when a tour's format is asked for the next pairings, and who can be paired.

The format decides who meets whom (`director.pair`); a pairing that takes longer than anybody should
wait is worked out elsewhere.
"""

from rookery.core.events import Paired
from rookery.core.ids import MICROS_A_SECOND, TOUR_CLOSED, TourId
from rookery.hall import limits
from rookery.hall.batch import Draft, Wish
from rookery.hall.people.people import People
from rookery.hall.tours import director
from rookery.hall.tours.running.agenda import Agenda
from rookery.hall.tours.running.attendance import Attendance
from rookery.hall.tours.running.pairings_elsewhere import Pairings, Solved
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book


class Rounds:
    """Has the tours in the book paired, round by round or as players become free."""

    def __init__(self, people: People, book: Book, attendance: Attendance, agenda: Agenda) -> None:
        self._book = book
        self._attendance = attendance
        self._agenda = agenda
        self._warden = people.warden
        self._pairings = Pairings(book, people.presence)
        self.pairs_away = False  # whether rounds that take long are paired elsewhere

    def pair(self, draft: Draft, tour_id: TourId) -> bool:
        """Ask the format for the next matches, and add them to the tour; whether there were any."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that is paired is not over"
        # An entrant who fails the start is not dealt to a table.
        if tour.started and not tour.matches and self._attendance.awaits_greeting(tour):
            return False
        index = self._book.index_of(tour_id)
        timed = tour.format.lasts() is not None
        # Where no result matters, only who joins makes a difference.
        seen = len(tour.entrants) if tour.format.fixed else tour.n
        if not timed and index.paired_for == seen:
            return False
        index.paired_for = seen
        if self.pairs_away and self._pairings.is_wished(draft, tour):
            return False
        free = self._attendance.free(tour, draft.now) if timed else ()
        ready = frozenset(one for one in free if not self._rests(draft, tour, one))
        paired = director.pair(tour, ready, draft.at, index.solution)
        if paired is None:
            return False
        fixtures = paired.fixtures
        for at in range(0, len(fixtures), limits.MATCH_PAGE):  # one record is told as one message
            self._book.happen(draft, tour_id, Paired(fixtures[at : at + limits.MATCH_PAGE]))
        return True

    def pair_early(self, draft: Draft, tour_id: TourId) -> None:
        """Pair entrants as they join, before the start, where the format does so."""
        tour = self._book.get(tour_id)
        if tour is not None and tour.format.eager and tour.status not in TOUR_CLOSED:
            self.pair(draft, tour_id)

    def _rests(self, draft: Draft, tour: Tour, number: int) -> bool:
        """Whether an entrant is given no match: it was idle, or its home grows the log too fast."""
        spent = any(self._warden.is_spent(one, draft.now) for one in tour.entrant(number).players)
        if spent:
            self._agenda.look(tour.id, draft.now + MICROS_A_SECOND)
        return spent or self._agenda.is_resting(tour.id, number, draft.now)

    def solved(self, draft: Draft, wish: Wish, found: Solved) -> None:
        """Take in that a round was paired elsewhere, or could not be."""
        self._pairings.solved(draft, wish, found)
