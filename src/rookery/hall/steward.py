"""The steward: lets tours run. Starts every match the moment its players are free.

It is told who came, who went, which games ended and how late it is; what follows from that
in which tour is decided here. Whoever is away for longer than the plan allows loses its
unplayed matches as their opponents become free. It mutates, and the hall owns it.
"""

from collections.abc import Iterable

from rookery.core.chance import Chance
from rookery.core.events import Opened, Out, TourDone, table_of
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, PlayerId, Seat, TourId
from rookery.core.policy import Gone
from rookery.core.tour_events import (
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Paired,
    TourClosing,
    TourEnded,
    Withdrawn,
)
from rookery.core.tours import ABSENT, BYE, WITHDRAWN, Fixture, Result
from rookery.hall import director
from rookery.hall.batch import Draft
from rookery.hall.book import Book
from rookery.hall.languages import ASKING, SEVERAL
from rookery.hall.limits import MATCH_PAGE
from rookery.hall.presence import Presence
from rookery.hall.rated import RatingBook
from rookery.hall.reception import Reception
from rookery.hall.seating import Seating
from rookery.hall.table import Table
from rookery.hall.timers import Timers
from rookery.hall.tour import CANCELLED, Tour, TourStatus
from rookery.hall.tour_lines import leaders, line_of

PLAYED = "played"  # how a tour ended when all was played


class Steward:
    """Runs the tours in the book."""

    def __init__(
        self,
        book: Book,
        ratings: RatingBook,
        presence: Presence,
        reception: Reception,
        seating: Seating,
    ) -> None:
        self._book = book
        self._ratings = ratings
        self._presence = presence
        self._reception = reception
        self._floor = reception.floor
        self._seating = seating
        self._timers: Timers[TourId] = Timers()
        self._gone: dict[PlayerId, Micros] = {}  # entrants who are away, and since when
        self._asked: set[PlayerId] = set()  # who asked for a game, in dialects where one must
        self._farewells: set[tuple[TourId, int]] = set()  # who has taken the end

    # -- who comes and goes

    def came(self, draft: Draft, player: PlayerId) -> None:
        """The player is connected."""
        self._gone.pop(player, None)
        self._now_free(draft, player)

    def asked(self, draft: Draft, player: PlayerId) -> None:
        """The player's client waits for a game."""
        self.ready(player)
        self._now_free(draft, player)

    def ready(self, player: PlayerId) -> None:
        """The player's client waits for a game, in a tour that does not run yet."""
        self._asked.add(player)

    def went(self, draft: Draft, player: PlayerId) -> None:
        """The player's connection is gone."""
        self._asked.discard(player)
        for tour_id in self._book.of_player(player):
            tour = self._book.get(tour_id)
            assert tour is not None, "the book knows the tours of its players"
            self._gone[player] = draft.now
            self._timers.look(tour_id, draft.now + tour.plan.absent)
            known = tour.entrant_of(player)
            if known is None or not tour.plan.strict or tour.plan.policy.gone is not Gone.AT_ONCE:
                continue
            if tour.started and not self._book.desk(tour_id).playing(known.number):
                self.put_out(draft, tour_id, known.number, Forfeit.GONE)

    def _now_free(self, draft: Draft, player: PlayerId) -> None:
        for tour_id in self._book.of_player(player):
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if known is not None:
                self.proceed(draft, tour_id, (known.number,))

    # -- time

    def look(self, tour: TourId, when: Micros) -> None:
        """Look at this tour then."""
        self._timers.look(tour, when)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        return self._timers.deadline()

    def tick(self, draft: Draft) -> None:
        """Look at every tour whose moment has come."""
        for tour_id in self._timers.due(draft.now):
            tour = self._book.get(tour_id)
            if tour is None:
                continue
            absent = [n.number for n in tour.entrants if self._is_absent(tour, n.number, draft.now)]
            if tour.plan.strict and tour.started:
                for number in absent:
                    self.put_out(draft, tour_id, number, Forfeit.GONE)
            self.proceed(draft, tour_id, absent)
            self._look_again(tour_id, draft.now)

    def _look_again(self, tour_id: TourId, now: Micros) -> None:
        tour = self._book.get(tour_id)
        if tour is None:
            return
        moments = [tour.until] if tour.until is not None else []
        there = [player for one in tour.entrants if not one.out for player in one.players]
        moments += [self._gone[one] + tour.plan.absent for one in there if one in self._gone]
        coming = [moment for moment in moments if moment > now]
        if coming:
            self._timers.look(tour_id, min(coming))

    def wake(self, draft: Draft) -> None:
        """After a restart nobody is here, and everyone has time to come back."""
        for tour in self._book.all():
            for one in tour.entrants:
                for player in one.players:
                    self._gone[player] = draft.now
            self.proceed(draft, tour.id)
            self._look_again(tour.id, draft.now)

    # -- games that end

    def settle(self, draft: Draft) -> None:
        """See to the tables whose games came to an end in this draft."""
        for stream in draft.ended:  # it may grow on the way
            table_id = table_of(stream)
            if table_id is None:
                continue
            table = self._floor.tables.get(table_id)
            if table is None:
                continue
            at = self._book.at_table(table_id)
            if at is not None:
                self._score(draft, at[0], at[1], table)
            for player in table.seats:
                if player is not None:
                    self._asked.discard(player)
                    self._now_free(draft, player)
            if at is not None:
                self.proceed(draft, at[0], ())

    def _score(self, draft: Draft, tour_id: TourId, number: int, table: Table) -> None:
        tour = self._book.get(tour_id)
        assert tour is not None, "a match belongs to a tour that is not over"
        assert table.outcome is not None, "a game that ended has come out"
        fixture = tour.match(number).fixture
        places, out = table.outcome.places, table.out
        seats = [tour_seats(tour, side) for side in range(len(fixture.sides))]
        result = Result(
            tuple(places[of[0]] for of in seats),
            table.outcome.how,
            table.outcome.reason,
            tuple(side for side, of in enumerate(seats) if out.intersection(of)),
            None if table.outcome.scores is None else _by_side(table.outcome.scores, seats),
        )
        tour = self._book.happen(draft, tour_id, MatchEnded(number, result))
        if tour.plan.strict:
            for event in [record.event for record in self._floor.tables.past(table.id)]:
                if isinstance(event, Out):
                    side = next(n for n, of in enumerate(seats) if event.seat in of)
                    self._withdraw(draft, tour_id, fixture.sides[side], event.why)

    def _withdraw(self, draft: Draft, tour_id: TourId, number: int, why: str) -> None:
        tour = self._book.get(tour_id)
        if tour is not None and not tour.entrant(number).out:
            self._book.happen(draft, tour_id, Withdrawn(number, why))

    def put_out(self, draft: Draft, tour_id: TourId, number: int, why: str) -> None:
        """An entrant is out of the tour, and of the matches that it plays."""
        self._withdraw(draft, tour_id, number, why)
        self.leave_matches(draft, tour_id, number)
        self.proceed(draft, tour_id, (number,))

    def leave_matches(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """An entrant leaves every match that it plays."""
        tour = self._book.get(tour_id)
        assert tour is not None, "who leaves a tour leaves one that runs"
        for match_number in self._book.desk(tour_id).playing(number):
            table_id = tour.match(match_number).table
            table = None if table_id is None else self._floor.tables.get(table_id)
            for player in tour.entrant(number).players:
                seat = None if table is None else table.seat_of(player)
                if table is not None and seat is not None:
                    self._seating.expel(draft, table.id, seat, Forfeit.RESIGNED)

    # -- what can be played

    def pair(self, draft: Draft, tour_id: TourId) -> bool:
        """Ask the format what is to be played next; whether there was anything."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that is paired is not over"
        desk = self._book.desk(tour_id)
        timed = tour.format.lasts() is not None
        if not timed and (
            desk.paired_for == len(tour.entrants) if tour.format.fixed else desk.undecided
        ):
            return False
        desk.paired_for = len(tour.entrants)
        free = [one.number for one in tour.entrants if self._is_free(tour, one.number)]
        paired = director.pair(tour, frozenset(free if timed else ()), draft.now)
        if paired is None:
            return False
        fixtures = paired.fixtures
        for at in range(0, len(fixtures), MATCH_PAGE):  # one record is told as one message
            self._book.happen(draft, tour_id, Paired(fixtures[at : at + MATCH_PAGE]))
        return True

    def proceed(self, draft: Draft, tour_id: TourId, fresh: Iterable[int] | None = None) -> None:
        """See what can be played now; `fresh` are those for whom that may have changed."""
        while (tour := self._book.get(tour_id)) is not None:
            if tour.status is not TourStatus.RUNNING:
                break
            if self.pair(draft, tour_id) or tour.plan.parallel:
                fresh = None
            if not self._begin_what_can(draft, tour_id, fresh):
                break
        self._close_when_played(draft, tour_id)
        self._end_when_closed(draft, tour_id)

    def _begin_what_can(self, draft: Draft, tour_id: TourId, fresh: Iterable[int] | None) -> bool:
        """Start matches, and decide those that will not be played; whether there were such."""
        desk, decided = self._book.desk(tour_id), False
        for number in desk.waiting(fresh):
            tour = self._book.get(tour_id)
            assert tour is not None, "a tour that runs is not over"
            if tour.plan.parallel and desk.running >= tour.plan.parallel:
                break
            fixture = tour.match(number).fixture
            result = self._without_playing(tour, fixture, draft.now)
            if result is not None:
                self._book.happen(draft, tour_id, MatchEnded(number, result))
                decided = True
            elif all(self._is_free(tour, side) for side in fixture.sides):
                self._begin(draft, tour, number, fixture)
        return decided

    def _without_playing(self, tour: Tour, fixture: Fixture, now: Micros) -> Result | None:
        """How a match comes out that will not be played; None if it will be."""
        sides = fixture.sides
        if len(sides) == 1:
            return Result((1,), BYE)
        out = frozenset(side for side in sides if tour.entrant(side).out)
        if out:
            return director.walkover(fixture, out, WITHDRAWN)
        absent = frozenset(side for side in sides if self._is_absent(tour, side, now))
        if absent and all(side in absent or self._is_free(tour, side) for side in sides):
            return director.walkover(fixture, absent, ABSENT)
        return None

    def _begin(self, draft: Draft, tour: Tour, number: int, fixture: Fixture) -> None:
        table = self._floor.tables.next_id()
        players: dict[Seat, PlayerId] = {}
        for n, side in enumerate(fixture.sides):
            of = tour_seats(tour, n)
            players |= zip(of, tour.entrant(side).players, strict=True)
        sitters = [
            (players[seat], self._reception.players[players[seat]].name) for seat in sorted(players)
        ]
        plan = tour.plan
        opened = Opened(
            plan.variant, tour.game.rules, len(sitters), plan.time, plan.policy, tour=tour.id
        )
        self._asked.difference_update(players.values())
        self._book.happen(draft, tour.id, MatchBegun(number, table))
        seed = match_seed(tour, number)
        self._seating.begin_with(draft, opened, sitters, seed)

    def _is_free(self, tour: Tour, number: int) -> bool:
        entrant = tour.entrant(number)
        if entrant.out or len(entrant.players) < tour.size:
            return False
        playing = len(self._book.desk(tour.id).playing(number))
        return all(self._is_ready(tour, player, playing) for player in entrant.players)

    def _is_ready(self, tour: Tour, player: PlayerId, playing: int) -> bool:
        if self._presence.session_of(player) is None:
            return False
        dialect = self._reception.players[player].dialect
        if dialect in SEVERAL:
            return playing < tour.plan.at_once
        if dialect in ASKING and player not in self._asked:
            return False
        return not self._floor.tables.of_player(player)

    def _is_absent(self, tour: Tour, number: int, now: Micros) -> bool:
        entrant = tour.entrant(number)
        return not entrant.out and any(
            player in self._gone and self._gone[player] + tour.plan.absent <= now
            for player in entrant.players
        )

    # -- how it ends

    def farewell(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """An entrant has taken the end of its tour."""
        self._farewells.add((tour_id, number))
        self._end_when_closed(draft, tour_id)

    def close(self, draft: Draft, tour_id: TourId, how: str) -> None:
        """Begin no more matches; what runs is played out, unless it is called off."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that is closed is not over"
        if how == CANCELLED:
            for number in self._book.desk(tour_id).all_playing():
                self.void(draft, tour_id, number)
        winners = () if how == CANCELLED else leaders(tour)
        self._book.happen(draft, tour_id, TourClosing(how, winners))
        self._end_when_closed(draft, tour_id)

    def void(self, draft: Draft, tour_id: TourId, number: int) -> None:
        """A match counts for nothing; the game that runs is called off."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a match is voided in a tour that is not over"
        before = tour.match(number)
        self._book.happen(draft, tour_id, MatchVoided(number))
        if before.running and before.table is not None:
            self._seating.call_off(draft, before.table)

    def _close_when_played(self, draft: Draft, tour_id: TourId) -> None:
        tour = self._book.get(tour_id)
        if tour is None or tour.status is not TourStatus.RUNNING or tour.plan.stays:
            return
        if tour.format.eager and not tour.matches:
            return  # it was started before anyone came
        if not self._book.desk(tour_id).undecided and tour.format.done(tour.field(now=draft.now)):
            self.close(draft, tour_id, PLAYED)

    def _end_when_closed(self, draft: Draft, tour_id: TourId) -> None:
        tour = self._book.get(tour_id)
        if tour is None or tour.status is not TourStatus.CLOSING:
            return
        if self._book.desk(tour_id).running:
            return
        if tour.plan.farewell and any(
            not one.out and (tour_id, one.number) not in self._farewells for one in tour.entrants
        ):
            return
        winners = () if tour.how == CANCELLED else leaders(tour)
        tour = self._book.happen(draft, tour_id, TourEnded(tour.how, winners))
        missed = self._book.close(tour_id)
        rated = () if tour.how == CANCELLED else self._ratings.changed_by(tour)
        self._reception.write(draft, TourDone(tour_id, line_of(tour, 0), rated, missed))
        self._farewells -= {(tour_id, one.number) for one in tour.entrants}
        self._timers.forget(tour_id)


def tour_seats(tour: Tour, side: int) -> tuple[Seat, ...]:
    """The seats of one side of a match, in order: a team's, or one."""
    if tour.size == 1:
        return (Seat(side),)
    return tuple(Seat(n) for n, team in enumerate(tour.teams) if team == side)


def match_seed(tour: Tour, number: int) -> int:
    """The seed of a match's table: of its own at every attempt, or that of its pair."""
    match = tour.match(number)
    alike = match.fixture.start if tour.plan.fair else 0
    seed = tour.seed
    for part in (1, alike) if alike else (0, number, match.voided):
        seed = Chance(seed ^ part).bits()
    return seed


def _by_side(scores: tuple[int, ...], seats: list[tuple[Seat, ...]]) -> tuple[int, ...]:
    return tuple(scores[of[0]] for of in seats)
