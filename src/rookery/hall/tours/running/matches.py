"""Matches of a tour, as the tables know them: who sits where, by which seed, with what result."""

from collections.abc import Iterable

from rookery.core.chance import Chance
from rookery.core.events import Out, Played, Record
from rookery.core.game import VOIDED, Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat
from rookery.core.tour_values import ABSENT, WITHDRAWN, Fixture, Result
from rookery.hall.tours import director
from rookery.hall.tours.running.attendance import Stand
from rookery.hall.tours.tour import Tour


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
