"""Whether an event can have happened in a tour: the director's work, done again from the log.

What a tour decides by rule is worked out anew: whether it may start, the result of a match
that nobody played, who has won. A format's pairing is a decision and is believed, if the
entrants are there to play it. What a match's table must say is looked at in `audit.py`.
"""

from itertools import pairwise

from msgspec.structs import replace

from rookery.core import events
from rookery.core.errors import Mistake
from rookery.core.ids import TOUR_OVER, PlayerId, TourId, TourStatus, Wall
from rookery.core.intents import EnterResult, PauseTour, StartTour, VoidMatch
from rookery.core.messages import Refused
from rookery.core.tour_values import (
    ABSENT,
    UNPLAYABLE,
    WITHDRAWN,
    Entrant,
    Fixture,
    Result,
    Seeding,
    Worth,
)
from rookery.hall.scoring.ratings import START, shown
from rookery.hall.tours import director, organising
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.lines import leaders
from rookery.hall.tours.tour import CANCELLED, Tour, open_tour
from rookery.hall.tours.tour_book import MatchIndex
from rookery.verify.tables import Violation, require

PLAYED, ENDED = "played", "ended"  # how a tour ends that is not called off
NEWCOMER = round(shown(START))  # the rating of an entrant who has none
ORGANISER = Caller(None, organiser=True)  # who may do whatever a tour's state allows


def begin_tour(tour: TourId, event: events.TourEvent) -> Tour:
    """The tour that its first event made. Raises Violation."""
    if not isinstance(event, events.TourOpened):
        raise Violation("A tour's first event opens it, and this one does not.")
    try:
        return open_tour(tour, event)
    except Mistake as wrong:
        raise Violation(str(wrong)) from None


def allow(tour: Tour, index: MatchIndex, event: events.TourEvent, at: Wall) -> None:
    """Object to an event that cannot happen next in this tour."""
    require(tour.status not in TOUR_OVER, "The tour is over, and nothing happens in it any more.")
    keyed = isinstance(event, events.TourKeyed)
    require(keyed == (tour.n == 1), "Seed and code are a tour's second event, and no other.")
    match event:
        case events.TourOpened():
            raise Violation("A tour is opened once.")
        case events.TourKeyed():
            pass
        case events.EntrantWord():
            _allow_entrant(tour, event)
        case events.Paired(fixtures):
            _allow_pairing(tour, fixtures)
        case events.MatchBegun() | events.MatchEnded() | events.MatchVoided():
            _allow_match(tour, index, event)
        case events.MatchRuled() | events.TourSeeded():
            _allow_by_hand(tour, event)
        case events.TourStarted():
            _allow_start(tour, event, at)
        case events.TourPaused():
            _decided(director.pause(tour, ORGANISER, PauseTour(), at), event)
        case events.TourClosing():
            _allow_closing(tour, index, event, at)
        case events.Parted(number):
            _while(tour, tour.status is TourStatus.CLOSING)
            known = 1 <= number <= len(tour.entrants) and not tour.entrant(number).out
            require(known, f"The tour has no entrant {number} who could take its end.")
            require(number not in tour.parted, f"Entrant {number} takes the end a second time.")
        case events.TourEnded():
            _allow_end(tour, index, event)


def _allow_start(tour: Tour, event: events.TourStarted, at: Wall) -> None:
    seeded = tour.started or tour.seeds or tour.plan.seeding is Seeding.JOINED
    require(bool(seeded), "The tour starts, and nobody has drawn its seeds.")
    bare = replace(event, ratings=())
    _decided(director.start(tour, ORGANISER, StartTour(), at), bare)
    _allow_ratings(tour, event.ratings)
    if not tour.started and tour.plan.seeding is Seeding.RATING:
        _allow_strengths(tour.seeds, dict(event.ratings))


def _allow_strengths(order: tuple[int, ...], ratings: dict[int, int]) -> None:
    """Object unless seeds go from the strongest down; newcomers, who are equal, by number."""
    strengths = [ratings.get(number, NEWCOMER) for number in order]
    newcomers = [number for number in order if number not in ratings]
    # Ratings are kept without their decimals: who has the same may still differ.
    falls = all(one >= other for one, other in pairwise(strengths))
    right = falls and newcomers == sorted(newcomers)
    require(right, f"Entrants {_listed(order)} are not seeded by the ratings that they came with.")


def _allow_by_hand(tour: Tour, event: events.MatchRuled | events.TourSeeded) -> None:
    match event:
        case events.TourSeeded(order):
            _while(tour, tour.status is TourStatus.OPEN)
            everyone = sorted(order) == [one.number for one in tour.entrants]
            drawn = everyone and tour.plan.seeding is not Seeding.JOINED
            require(drawn, f"Entrants {_listed(order)} are no seeds of this tour.")
        case events.MatchRuled(number, result):
            played = result.how != ABSENT
            wish = EnterResult(tour.id, number, result.places, played, result.reason)
            _decided(organising.rule(tour, ORGANISER, wish), event)


# -- who is in it


def _allow_entrant(tour: Tour, event: events.EntrantEvent) -> None:
    match event:
        case events.Joined(number, _, player, rating):
            _may_join(tour, player)
            early = rating is not None and not tour.started
            require(not early, f"Entrant {number} joins with a rating, which is kept at the start.")
            entrants, most = len(tour.entrants), tour.format.most
            require(entrants < most, f"Entrant {number} joins a tour for at most {most}.")
            require(number == entrants + 1, f"Entrant {number} joins, and there are {entrants}.")
        case events.Partnered(number, player):
            _may_join(tour, player)
            has = len(_inside(tour, number).players)
            require(has < tour.size, f"Entrant {number} has its {tour.size} players.")
        case events.Returned(number, was, now):
            mine = was in _inside(tour, number).players
            require(mine, f"Entrant {number} returns as if it had been player {was}.")
            _not_twice(tour, now)
        case events.Renamed(number, name):
            _inside(tour, number)
            require(bool(name), f"Entrant {number} is to have no name.")
        case events.EntrantPaused(number):
            _while(tour, tour.started and tour.status is not TourStatus.CLOSING)
            require(not tour.plan.strict, "In a strict tour nobody is paused, but removed.")
            known = _inside(tour, number)
            require(not known.paused, f"Entrant {number} is paused a second time.")
        case events.EntrantResumed(number):
            known = _inside(tour, number)
            require(known.paused, f"Entrant {number} resumes, and was not paused.")
        case events.Withdrawn(number):
            _inside(tour, number)


def _allow_ratings(tour: Tour, ratings: tuple[tuple[int, int], ...]) -> None:
    require(not (ratings and tour.started), "Ratings are kept when a tour begins, and not again.")
    numbers = [number for number, _ in ratings]
    known = all(1 <= number <= len(tour.entrants) for number in numbers)
    require(known, "Somebody has a rating who is no entrant.")
    require(len(set(numbers)) == len(numbers), "Somebody has two ratings.")


def _may_join(tour: Tour, player: PlayerId) -> None:
    no = director.may_not_join(tour, tour.code)
    require(no is None, "" if no is None else no.sentence)
    _not_twice(tour, player)


def _not_twice(tour: Tour, player: PlayerId) -> None:
    require(tour.entrant_of(player) is None, f"Player {player} is in the tour already, or was.")


def _inside(tour: Tour, number: int) -> Entrant:
    require(1 <= number <= len(tour.entrants), f"There is no entrant {number}.")
    known = tour.entrant(number)
    require(not known.out, f"Entrant {number} is out of the tour.")
    return known


# -- what is played


def _allow_pairing(tour: Tour, fixtures: tuple[Fixture, ...]) -> None:
    _while(tour, tour.format.eager or tour.status is TourStatus.RUNNING)
    require(tour.status is not TourStatus.CLOSING, "A tour that is closing pairs no more.")
    for fixture in fixtures:
        for side in fixture.sides:
            _inside(tour, side)
        sides, teams = len(fixture.sides), len(fixture.teams)
        once = len(set(fixture.sides)) == sides
        fits = 1 <= sides <= tour.sides and teams in (0, sides) and fixture.round > 0
        require(once and fits, f"Entrants {_listed(fixture.sides)} make no match of this tour.")
        _allow_rest(tour, fixture)


def _allow_rest(tour: Tour, fixture: Fixture) -> None:
    """Object to an unusual bye that was given neither for being away nor for joining late."""
    (one, *others), worth = fixture.sides, fixture.rest
    if worth is None:
        return
    if not others and worth is Worth.ZERO and tour.entrant(one).paused:
        return
    late = fixture in tour.format.next(tour.field())
    require(late, f"Entrant {one} has a bye in round {fixture.round} that nothing gives it.")


def _allow_match(
    tour: Tour,
    index: MatchIndex,
    event: events.MatchBegun | events.MatchEnded | events.MatchVoided,
) -> None:
    number = event.match
    require(1 <= number <= len(tour.matches), f"There is no match {number}.")
    match_ = tour.match(number)
    match event:
        case events.MatchBegun():
            _while(tour, tour.status is TourStatus.RUNNING)
            require(match_.waiting, f"Match {number} begins, and has begun or come out before.")
            _allow_beginning(tour, index, match_.fixture)
        case events.MatchEnded(result=result):
            require(match_.result is None, f"Match {number} comes out a second time.")
            if match_.waiting:
                _while(tour, tour.status is TourStatus.RUNNING)
                _allow_unplayed(tour, match_.fixture, result)
        case events.MatchVoided():
            # A tour that is called off voids whatever runs; else somebody voids one match.
            if not match_.running:
                _allowed(director.void(tour, ORGANISER, VoidMatch(tour.id, number)))


def _allow_beginning(tour: Tour, index: MatchIndex, fixture: Fixture) -> None:
    require(len(fixture.sides) > 1, "A bye is played by nobody.")
    for side in fixture.sides:
        known = _inside(tour, side)
        require(not known.paused, f"Entrant {side} is away, and its match begins.")
        whole = len(known.players) == tour.size
        require(whole, f"Entrant {side} has not all its players.")
        free = len(index.playing(side)) < tour.plan.at_once
        require(free, f"Entrant {side} plays more than {tour.plan.at_once} at once.")
    most = tour.plan.parallel
    require(not most or index.running < most, f"More than {most} matches run at once.")


def _allow_unplayed(tour: Tour, fixture: Fixture, result: Result) -> None:
    """Object unless a match without a game comes out by the rules: a bye, or a missing entrant."""
    sides = fixture.sides
    out = frozenset(side for side in sides if tour.entrant(side).out)
    if len(sides) == 1:
        ruled = director.bye(fixture)
    elif out:
        ruled = director.walkover(fixture, out, WITHDRAWN)
    elif result.how == UNPLAYABLE:
        ruled = director.unplayable(tour, fixture) or Result((), "played")
    else:
        require(result.how == ABSENT, f"It comes out by {result.how!r}, and no game was played.")
        missing = frozenset(side for n, side in enumerate(sides) if n in result.forfeits)
        require(bool(missing), "Somebody did not come, and it is not said who.")
        ruled = director.walkover(fixture, missing, ABSENT)
    require(
        result == ruled, f"It comes out {in_brief(result)}, and by the rules {in_brief(ruled)}."
    )


# -- how it ends


def _allow_closing(tour: Tour, index: MatchIndex, event: events.TourClosing, at: Wall) -> None:
    known = event.how in (PLAYED, ENDED, CANCELLED)
    require(known, f"A tour is {PLAYED}, {ENDED} or {CANCELLED}, not {event.how!r}.")
    if event.how == CANCELLED:
        require(not index.running, "The tour is called off, and a match of it runs.")
    else:
        _while(tour, tour.status is not TourStatus.CLOSING)
    if event.how == PLAYED:
        _while(tour, tour.status is TourStatus.RUNNING)
        # When a format's time is up, what waits is not played any more.
        left = index.undecided if tour.format.lasts() is None else index.running
        done = not left and tour.format.done(tour.field(at=at))
        require(done, "The tour closes as played, and there is more to play.")
        require(not tour.plan.stays, "The tour closes by itself, and was to stay.")
    _allow_winners(tour, event)


def _allow_end(tour: Tour, index: MatchIndex, event: events.TourEnded) -> None:
    _while(tour, tour.status is TourStatus.CLOSING)
    require(event.how == tour.how, f"The tour closed as {tour.how}, and ends as {event.how}.")
    require(not index.running, "The tour ends, and a match of it runs.")
    waits = tour.plan.farewell and tour.how != CANCELLED
    left = [one.number for one in tour.entrants if not one.out and one.number not in tour.parted]
    require(not (waits and left), "The tour ends, and somebody has not taken its end.")
    _allow_winners(tour, event)


def _allow_winners(tour: Tour, event: events.TourClosing | events.TourEnded) -> None:
    ruled = () if event.how == CANCELLED else leaders(tour)
    said, first = _listed(event.winners), _listed(ruled)
    require(event.winners == ruled, f"The winners are {said}, and by the standing {first}.")


# -- in words


def in_brief(result: Result) -> str:
    """A result in a line: places, the word, the reason, and which sides forfeited."""
    lost = f", sides {_listed(result.forfeits)} forfeit" if result.forfeits else ""
    scores = "" if result.scores is None else f" with {'-'.join(map(str, result.scores))}"
    return f"{'-'.join(map(str, result.places))} ({result.how}: {result.reason}){scores}{lost}"


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "nobody"


def _while(tour: Tour, so: bool) -> None:
    require(so, f"This does not happen while a tour is {tour.status}.")


def _allowed(decision: Decision) -> None:
    if isinstance(decision, Refused):
        raise Violation(decision.sentence)


def _decided(
    decision: Decision,
    event: events.TourStarted | events.TourPaused | events.MatchRuled,
) -> None:
    _allowed(decision)
    what = "How it came out" if isinstance(event, events.MatchRuled) else "The time it has left"
    require(decision == (event,), f"{what} is not what it was.")
