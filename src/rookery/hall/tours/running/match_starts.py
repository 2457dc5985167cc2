"""How matches start: those whose players are free begin, those nobody will play are decided.

It mutates nothing of its own; the steward asks as soon as an entrant may have become free.
"""

from collections.abc import Iterable

from rookery.core.ids import TourId
from rookery.core.tours.tour_events import MatchBegun, MatchEnded
from rookery.core.tours.values import Fixture
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.people import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.opening import match_opening
from rookery.hall.tours.running import matches
from rookery.hall.tours.running.attendance import Attendance, Stand
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book


class MatchStarts:
    """Seats the entrants who are to meet, each match at a table of its own."""

    def __init__(
        self, people: People, floor: Floor, seating: Seating, book: Book, attendance: Attendance
    ) -> None:
        self._players = people.register.players
        self._floor = floor
        self._seating = seating
        self._book = book
        self._attendance = attendance

    def begin(self, draft: Draft, tour_id: TourId, fresh: Iterable[int] | None) -> bool:
        """Start matches, and decide those that will not be played; whether it decided any."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that runs is not over"
        index, decided = self._book.index_of(tour_id), False
        parallel = tour.plan.parallel
        engaged = self._attendance.engaged(tour, draft.now)
        out = frozenset(one.number for one in tour.entrants if one.out)
        stands: dict[int, Stand] = {}  # asked for once: most matches wait for the same few
        for number, fixture in index.waiting(fresh):
            if parallel and index.running >= parallel:
                break
            sides = fixture.sides
            if len(sides) > 1 and not engaged.isdisjoint(sides) and out.isdisjoint(sides):
                continue  # as nearly all must in a long tour
            for side in sides:
                if side not in stands:
                    stands[side] = self._attendance.stand(tour, side, draft.now)
            found = [stands[side] for side in sides]
            if Stand.BUSY in found and Stand.OUT not in found and len(sides) > 1:
                continue
            result = matches.unplayed(tour, fixture, stands)
            if result is not None:
                self._book.happen(draft, tour_id, MatchEnded(number, result))
                decided = True
                continue
            self._seat(draft, tour, number, fixture)
            for side in sides:
                del stands[side]
        return decided

    def _seat(self, draft: Draft, tour: Tour, number: int, fixture: Fixture) -> None:
        table = self._floor.tables.next_id()
        players = matches.players(tour, fixture)
        sitters = [(player, self._players[player].name) for player in players]
        plan = tour.plan
        opened = match_opening(plan, tour.game, len(sitters), tour.id)
        self._attendance.asks_no_more(players)
        self._book.happen(draft, tour.id, MatchBegun(number, table))
        self._seating.begin_with(draft, opened, sitters, matches.match_seed(tour, number))
