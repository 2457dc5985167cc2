"""How matches start: those whose players are free begin, those nobody will play are decided.

The functions at the top say of a match what the tables need: who sits where, by which seed. An
entrant that is absent forfeits one match in each `absent`; its others wait, and are forfeited
only when nothing else is left to play and somebody is there to play on. The steward asks as soon
as an entrant may have become free.
"""

from collections.abc import Iterable

from rookery.core.chance import Chance
from rookery.core.events import MatchBegun, MatchEnded, Out, Played, Record
from rookery.core.game import VOIDED, Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TourId
from rookery.core.tour_values import ABSENT, WITHDRAWN, Fixture, Result
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.opening import match_opening
from rookery.hall.tours import director
from rookery.hall.tours.running.agenda import Agenda
from rookery.hall.tours.running.attendance import Attendance, Stand
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book


def seats(tour: Tour, fixture: Fixture) -> list[tuple[Seat, ...]]:
    """The seats of each side of a match, in order: a team's, or one."""
    return [tour_seats(tour, side) for side in range(len(fixture.sides))]


def players(tour: Tour, fixture: Fixture) -> list[PlayerId]:
    """The players of a match, from the first seat on."""
    at: dict[Seat, PlayerId] = {}
    for side, of in zip(fixture.sides, seats(tour, fixture), strict=True):
        at |= zip(of, tour.entrant(side).players, strict=True)
    return [at[seat] for seat in sorted(at)]


def played(outcome: Outcome, out: frozenset[Seat], seats: list[tuple[Seat, ...]]) -> Result:
    """The match's result from its game's outcome; `out` are forfeiting seats, `seats` by side."""
    scores = outcome.scores
    return Result(
        tuple(outcome.places[of[0]] for of in seats),
        outcome.how,
        outcome.reason,
        tuple(side for side, of in enumerate(seats) if out.intersection(of)),
        None if scores is None else tuple(scores[of[0]] for of in seats),
    )


def entered(tour: Tour, fixture: Fixture, result: Result) -> Outcome:
    """The outcome of a running game whose match is given this result by hand."""
    of_seats = zip(seats(tour, fixture), result.places, strict=True)
    places = {seat: place for of, place in of_seats for seat in of}
    return Outcome(tuple(places[seat] for seat in sorted(places)), VOIDED, result.reason)


def late_and_moved(past: Iterable[Record]) -> tuple[set[Seat], set[Seat]]:
    """The seats whose time ran out in this past of a table, and the seats that made a move."""
    late, moved = set[Seat](), set[Seat]()
    for record in past:
        match record.event:
            case Played(seat):
                moved.add(seat)
            case Out(seat, Forfeit.LATE):
                late.add(seat)
            case _:
                pass
    return late, moved


def match_seed(tour: Tour, number: int) -> int:
    """The seed of a match's table: its own for every attempt, or one shared with its pair."""
    match = tour.match(number)
    alike = match.fixture.start if tour.plan.fair else 0
    drawn = tour.seed
    for part in (1, alike) if alike else (0, number, match.voided):
        drawn = Chance(drawn ^ part).bits()
    return drawn


def unplayed(tour: Tour, fixture: Fixture, stands: dict[int, Stand]) -> Result | None:
    """The result of a match that will not be played, as its sides stand; None if it will."""
    if len(fixture.sides) == 1:
        return director.bye(fixture)
    for why, how in ((Stand.OUT, WITHDRAWN), (Stand.ABSENT, ABSENT)):
        missing = frozenset(side for side in fixture.sides if stands[side] is why)
        if missing:
            return director.walkover(fixture, missing, how)
    return director.unplayable(tour, fixture)


def tour_seats(tour: Tour, side: int) -> tuple[Seat, ...]:
    """The seats of one side of a match, in order: a team's, or one."""
    if tour.size == 1:
        return (Seat(side),)
    return tuple(Seat(n) for n, team in enumerate(tour.teams) if team == side)


class MatchStarts:
    """Seats the entrants who are to meet, each match at a table of its own."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        seating: Seating,
        book: Book,
        attendance: Attendance,
        *,
        agenda: Agenda,
    ) -> None:
        self._players = people.register.players
        self._floor = floor
        self._seating = seating
        self._book = book
        self._attendance = attendance
        self._agenda = agenda

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
            waits = Stand.BUSY in found or self._is_spared(draft, tour, sides, stands)
            if waits and Stand.OUT not in found and len(sides) > 1:
                continue
            if self._decide(draft, tour, number, fixture, stands):
                decided = True
                continue
            self._seat(draft, tour, number, fixture)
            for side in sides:
                del stands[side]
        return decided or self._forfeit_the_rest(draft, tour)

    def _decide(
        self, draft: Draft, tour: Tour, number: int, fixture: Fixture, stands: dict[int, Stand]
    ) -> bool:
        """Decide a match that will not be played, as its sides stand; whether it was one."""
        result = unplayed(tour, fixture, stands)
        if result is None:
            return False
        self._book.happen(draft, tour.id, MatchEnded(number, result))
        for index in result.forfeits if result.how == ABSENT else ():
            self._agenda.spare(tour, fixture.sides[index], draft.now)
        return True

    def _is_spared(
        self, draft: Draft, tour: Tour, sides: tuple[int, ...], stands: dict[int, Stand]
    ) -> bool:
        """Whether a match waits for an absent side that has forfeited another one recently."""
        return any(
            stands[side] is Stand.ABSENT and self._agenda.is_spared(tour.id, side, draft.now)
            for side in sides
        )

    def _forfeit_the_rest(self, draft: Draft, tour: Tour) -> bool:
        """Decide the matches of absent entrants once nothing else is left; whether it did any.

        Not where everybody is absent, or has only just come back: the whole room may have lost
        its network, and the first one back does not cost the others their tour.
        """
        index = self._book.index_of(tour.id)
        inside = [one for one in tour.entrants if not one.out]
        if index.running or not index.undecided or not any(one.paused for one in inside):
            return False
        stands = {one.number: self._attendance.stand(tour, one.number, draft.now) for one in inside}
        stayed = (
            stand is not Stand.ABSENT and not self._agenda.is_spared(tour.id, one, draft.now)
            for one, stand in stands.items()
        )
        if not any(stayed):
            return False
        waiting = list(index.waiting())
        if any(Stand.ABSENT not in map(stands.get, fixture.sides) for _, fixture in waiting):
            return False  # which can be played yet
        due = [
            (number, fixture)
            for number, fixture in waiting
            if Stand.BUSY not in map(stands.get, fixture.sides)
        ]
        for number, fixture in due:
            self._decide(draft, tour, number, fixture, stands)
        return bool(due)

    def _seat(self, draft: Draft, tour: Tour, number: int, fixture: Fixture) -> None:
        table = self._floor.tables.next_id()
        fixed = players(tour, fixture)
        sitters = [(player, self._players[player].name) for player in fixed]
        plan = tour.plan
        opened = match_opening(plan, tour.game, len(sitters), tour.id)
        self._attendance.asks_no_more(fixed)
        self._book.happen(draft, tour.id, MatchBegun(number, table))
        self._seating.begin_with(draft, opened, sitters, match_seed(tour, number))
