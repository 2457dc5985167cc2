"""The steward: lets tours run. Starts every match the moment its players are free.

The hall tells it who came, who went, which games ended and how late it is; it decides what follows
in which tour. An entrant that is away for longer than the plan allows loses its unplayed matches as
their opponents become free.
"""

from collections.abc import Iterable

from rookery.core import events
from rookery.core.events import Out, table_of
from rookery.core.game import Forfeit
from rookery.core.ids import TOUR_CLOSED, PlayerId, TourId, TourStatus, Wall
from rookery.core.manners import Matched
from rookery.core.policy import Gone
from rookery.hall.batch import Draft, Wish
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.players import Home
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.table import Table
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.running import match_starts, rounds
from rookery.hall.tours.running.agenda import Agenda
from rookery.hall.tours.running.attendance import Attendance
from rookery.hall.tours.running.endings import Endings
from rookery.hall.tours.running.match_starts import MatchStarts
from rookery.hall.tours.running.rounds import Rounds, Solved
from rookery.hall.tours.tour import CANCELLED, Tour
from rookery.hall.tours.tour_book import Book


class Steward:
    """Runs the tours in the book."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        seating: Seating,
        book: Book,
        ratings: RatingBook,
    ) -> None:
        self._book = book
        self._ratings = ratings
        self._players = people.register.players
        self._floor = floor
        self._seating = seating
        self.agenda = Agenda(book)
        self._attendance = Attendance(people, floor.tables, book)
        self.rounds = Rounds(people, book, self._attendance, self.agenda)
        self._match_starts = MatchStarts(
            people, floor, seating, book, self._attendance, agenda=self.agenda
        )
        self.endings = Endings(book, ratings, people.register, seating, self.agenda)
        # Entrants between two games whom our restart cut off, by where they came from.
        self._cut_off: dict[Home, dict[PlayerId, None]] = {}

    # -- who comes and goes

    def came(self, draft: Draft, player: PlayerId) -> None:
        """Note that the player is connected, and see what it can play."""
        self._attendance.is_here(player)
        way_back = self._players.way_back(player)
        if way_back is not None:
            self._cut_off.get(way_back, {}).pop(player, None)
        self._now_free(draft, player)

    def asked(self, draft: Draft, player: PlayerId) -> None:
        """Note that the player's client waits for a game, and see what it can play."""
        self.ready(player)
        self._attendance.is_here(player)
        self._now_free(draft, player)

    def ready(self, player: PlayerId) -> None:
        """Note that the player's client waits for a game, in a tour that does not run yet."""
        self._attendance.asks(player)

    def greeted(self, draft: Draft, player: PlayerId) -> None:
        """Note that the player's client has taken the start of its tour; see what it can play."""
        self._attendance.greets(player)
        self._now_free(draft, player)

    def greeted_tour(self, player: PlayerId) -> TourId | None:
        """The tour whose start the player's client took last, while it was connected."""
        return self._attendance.greeted(player)

    def waits_for_a_match(self, player: PlayerId) -> bool:
        """Whether the player's client has asked for a game, and has none yet."""
        return self._attendance.has_asked(player)

    def had_asked(self, draft: Draft, player: PlayerId) -> None:
        """Take over that the player's client asked another hall for a game, unless it has one."""
        if not self._floor.tables.of_player(player):
            self.asked(draft, player)

    def had_greeted(self, draft: Draft, player: PlayerId, tour: TourId) -> None:
        """Take over that the player's client took the start of this tour from another hall."""
        self._attendance.has_greeted(player, tour)
        self._now_free(draft, player)

    def went(self, draft: Draft, player: PlayerId) -> None:
        """Note that the player's connection is gone; a strict tour may put it out at once."""
        self._attendance.asks_no_more((player,))
        self._attendance.is_not_called(player)
        for tour_id in self._book.of_player(player):
            tour = self._book.get(tour_id)
            assert tour is not None, "the book knows the tours of its players"
            self._attendance.is_gone(player, draft.now)
            self.agenda.look(tour_id, draft.now + tour.plan.absent)
            known = tour.entrant_of(player)
            if known is None or tour.plan.policy.gone is not Gone.AT_ONCE:
                continue
            playing = self._book.index_of(tour_id).playing(known.number)  # that is lost first
            if not playing and self._must_stay(tour, known.number):
                self.put_out(draft, tour_id, known.number, Forfeit.GONE)

    def _must_stay(self, tour: Tour, number: int) -> bool:
        """Whether an entrant who goes is out: the tour is strict, and it has not taken its end."""
        return tour.plan.strict and tour.started and number not in tour.parted

    def _now_free(self, draft: Draft, player: PlayerId, but: TourId | None = None) -> None:
        """See what the player can play now, in all its tours but one."""
        for tour_id in self._book.of_player(player):
            if tour_id == but:
                continue
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if known is not None:
                self._proceed(draft, tour_id, (known.number,))

    # -- time

    def tick(self, draft: Draft) -> None:
        """Look at every tour whose moment has come."""
        for tour_id in self.agenda.due(draft):
            tour = self._book.get(tour_id)
            if tour is None:
                continue
            if self.agenda.is_unjoined(tour, draft.at):
                if tour.status not in TOUR_CLOSED:
                    self.endings.close(draft, tour_id, CANCELLED)
                continue
            if rounds.is_time(tour, draft.at):
                self._start(draft, tour)
                continue
            absent = [
                n.number
                for n in tour.entrants
                if self._attendance.is_absent(tour, n.number, draft.now)
            ]
            for number in absent:
                if self._must_stay(tour, number):
                    self.put_out(draft, tour_id, number, Forfeit.GONE)
            self._proceed(draft, tour_id, absent)
            after = self._book.get(tour_id)
            if after is not None:
                self.agenda.look_again(after, self._attendance.moments(after), draft)

    def _start(self, draft: Draft, tour: Tour) -> None:
        """Start a tour by itself at the time that its plan has."""
        strengths = self._ratings.strengths(tour)
        self.carry_on(draft, tour.id, *rounds.by_itself(tour, draft.at, strengths))

    def wake(self, draft: Draft) -> None:
        """After a restart: note that everyone is away, with time to come back, and go on."""
        for tour in self._book.all():
            self._ratings.follow(tour)
            for one in tour.entrants:
                waits = tour.started and not one.out
                waits = waits and not self._book.index_of(tour.id).playing(one.number)
                for player in one.players:
                    self._attendance.is_gone(player, draft.now)
                    way_back = self._players.way_back(player)
                    if waits and way_back is not None:
                        self._cut_off.setdefault(way_back, {})[player] = None
            if tour.started and not tour.matches:
                self._attendance.calls_start(tour)
            self._proceed(draft, tour.id)
            after = self._book.get(tour.id)
            if after is not None:
                self.agenda.look_again(after, self._attendance.moments(after), draft)
                self.agenda.wake(after, draft)

    def cut_off(self, home: Home) -> PlayerId | None:
        """The first player from this home whom our restart cut off between two games of a tour."""
        for player in self._cut_off.get(home, ()):
            if self._book.of_player(player):  # else it is out of it, or it is over
                return player
        return None

    # -- games that end

    def settle(self, draft: Draft) -> None:
        """See to the games that ended in this draft, and to those who got up from a table."""
        for player in draft.risen:
            self._now_free(draft, player)
        done = 0
        while done < len(draft.ended):  # it may grow on the way
            ids = [table_of(stream) for stream in draft.ended[done:]]
            done += len(ids)
            found = [None if one is None else self._floor.tables.get(one) for one in ids]
            tables = [table for table in found if table is not None]
            # All results are written before anything follows from one of them.
            played = [self._score(draft, table) for table in tables]
            for table, (tour_id, sides) in zip(tables, played, strict=True):
                sitters = [player for player in table.seats if player is not None]
                self._must_ask(draft, sitters)
                if tour_id is not None:
                    self._proceed(draft, tour_id, sides)  # both at once: the order of matches holds
                for player in sitters:
                    self._now_free(draft, player, but=tour_id)

    def _must_ask(self, draft: Draft, sitters: list[PlayerId]) -> None:
        """Note that these players are free, and where their dialect asks, must ask again."""
        for player in sitters:
            self._attendance.asks_no_more((player,))
            if self._players.manners(player).matched is Matched.ASKS:
                for tour_id in self._book.of_player(player):
                    tour = self._book.get(tour_id)
                    assert tour is not None, "the book knows the tours of its players"
                    self._attendance.must_ask(player, draft.now)
                    self.agenda.look(tour_id, draft.now + tour.plan.absent)

    def _score(self, draft: Draft, table: Table) -> tuple[TourId | None, tuple[int, ...]]:
        """Write down the result of a game that ended; its tour and sides, if it was a match."""
        at = self._book.at_table(table.id)
        if at is None:
            return None, ()
        tour_id, number = at
        tour = self._book.get(tour_id)
        assert tour is not None, "a match belongs to a tour that is not over"
        assert table.outcome is not None, "a game that ended has come out"
        fixture = tour.match(number).fixture
        seats = match_starts.seats(tour, fixture)
        result = match_starts.played(table.outcome, table.out, seats)
        tour = self._book.happen(draft, tour_id, events.MatchEnded(number, result))
        self._ratings.follow(tour)
        if tour.format.lasts() is not None:
            late, moved = match_starts.late_and_moved(self._floor.tables.past(table.id))
            for side, of in zip(fixture.sides, seats, strict=True):
                if not moved.isdisjoint(of):
                    self.agenda.played(tour_id, side)
                elif not late.isdisjoint(of):
                    self.agenda.idled(tour_id, side, draft.now)
        if tour.plan.strict:
            for event in [record.event for record in self._floor.tables.past(table.id)]:
                if isinstance(event, Out):
                    side = next(n for n, of in enumerate(seats) if event.seat in of)
                    self._withdraw(draft, tour_id, fixture.sides[side], event.why)
                    self._leave_matches(draft, tour_id, fixture.sides[side])
        return tour_id, fixture.sides

    def _withdraw(self, draft: Draft, tour_id: TourId, number: int, why: str) -> None:
        tour = self._book.get(tour_id)
        if tour is not None and not tour.entrant(number).out:
            self._book.happen(draft, tour_id, events.Withdrawn(number, why))

    def put_out(self, draft: Draft, tour_id: TourId, number: int, why: str) -> None:
        """Put an entrant out of the tour, unless that is over, and out of the matches it plays."""
        if self._book.get(tour_id) is not None:
            self.carry_on(draft, tour_id, events.Withdrawn(number, why))

    def _leave_matches(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """Put an entrant out of every match that it plays."""
        tour = self._book.get(tour_id)
        assert tour is not None, "who leaves a tour leaves one that is not over"
        for match_number in self._book.index_of(tour_id).playing(number):
            table_id = tour.match(match_number).table
            table = None if table_id is None else self._floor.tables.get(table_id)
            for player in tour.entrant(number).players:
                seat = None if table is None else table.seat_of(player)
                if table is not None and seat is not None:
                    self._seating.expel(draft, table.id, seat, Forfeit.RESIGNED)

    # -- what is decided

    def carry_on(self, draft: Draft, tour_id: TourId, *happening: events.TourEvent) -> None:
        """Let these events happen in a tour, in this order, and let it go on from there."""
        fresh: tuple[int, ...] | None = None
        for decided in happening:
            tour = self._book.get(tour_id)
            assert tour is not None, "nothing happens in a tour that is over"
            event = self._ratings.noted(tour, decided)
            match event:
                case events.TourStarted(until):
                    if not tour.started:
                        self._attendance.calls_start(tour)
                    self._book.happen(draft, tour_id, event)
                    if until is not None:
                        self.agenda.meet(tour_id, Wall(until))
                case events.Withdrawn(number, why):
                    self._withdraw(draft, tour_id, number, why)
                    self._leave_matches(draft, tour_id, number)
                    fresh = (number,)
                case events.MatchVoided(number):
                    self.endings.void(draft, tour_id, number)
                case events.MatchRuled():
                    self.endings.rule(draft, tour_id, event)
                case _:
                    self._book.happen(draft, tour_id, event)
        self._proceed(draft, tour_id, fresh)
        if any(isinstance(event, events.Joined | events.Partnered) for event in happening):
            self.rounds.pair_early(draft, tour_id)

    def solved(self, draft: Draft, wish: Wish, found: Solved) -> None:
        """Take in that a round was paired elsewhere, or could not be, and let the tour go on."""
        self.rounds.solved(draft, wish, found)
        self._proceed(draft, wish.tour)

    def _note_absences(self, draft: Draft, tour_id: TourId) -> None:
        """Pause entrants who have been away for too long, and resume those who are back."""
        tour = self._book.get(tour_id)
        if tour is None:
            return
        for event in self._attendance.changes(tour, draft.now):
            self._book.happen(draft, tour_id, event)
            if isinstance(event, events.EntrantResumed):
                self.agenda.spare(tour, event.entrant, draft.now)

    def _proceed(self, draft: Draft, tour_id: TourId, fresh: Iterable[int] | None = None) -> None:
        """Pair and start what can be played now; `fresh` are entrants who may have become free."""
        self._note_absences(draft, tour_id)
        while (tour := self._book.get(tour_id)) is not None:
            if tour.status is not TourStatus.RUNNING or tour.time_is_up(draft.at):
                break
            if self.rounds.pair(draft, tour_id) or tour.plan.parallel:
                fresh = None
            if not self._match_starts.begin(draft, tour_id, fresh):
                break
        self.endings.close_when_played(draft, tour_id)
        self.endings.end_when_closed(draft, tour_id)
