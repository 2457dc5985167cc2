"""What whoever runs a tour decides by hand: the result of a match, and the order of seeds.

As with the director, this gives back events or a refusal, and changes nothing. A result that
was entered stays marked as such, in the log and in every export. Seeds that are not the order of
joining are drawn or given before the start and written into the log, so that ratings that
change later make no difference to a tour that is read again.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from rookery.core.events import MatchRuled, TourSeeded
from rookery.core.ids import TourStatus
from rookery.core.intents import EnterResult, SeedTour
from rookery.core.messages import Refused
from rookery.core.tour_values import ABSENT, BY_HAND, Fixture, Match, Result, Seeding
from rookery.hall.limits import REASON_MAX
from rookery.hall.tours.director import Caller, Decision, may_change, may_run, no_entrant, walkover
from rookery.hall.tours.tour import Tour

ENTERED = "The result was entered by hand."


def rule(tour: Tour, who: Caller, intent: EnterResult) -> Decision:
    """Enter or change the result of a match by hand."""
    refused = may_change(tour, who) or _may_not_rule(tour, intent.match)
    if refused is not None:
        return refused
    result = _result(tour.match(intent.match).fixture, intent)
    return result if isinstance(result, Refused) else (MatchRuled(intent.match, result),)


def _may_not_rule(tour: Tour, number: int) -> Refused | None:
    if not 1 <= number <= len(tour.matches):
        return Refused("no_match", f"Tour {tour.id} has no match {number}.")
    if not tour.started:
        return Refused("not_begun", f"Tour {tour.id} has not begun.")
    match_ = tour.match(number)
    if len(match_.fixture.sides) == 1:
        return Refused("bye", "A bye is nobody's game, and stays.")
    if _has_led_on(tour, match_):
        return Refused("too_late", "Who won it plays in the next round already.")
    return None


def _has_led_on(tour: Tour, match: Match) -> bool:
    """Whether an entrant is in a later round because of this match's result.

    Where points decide who meets whom, those who have met have met, and the next round is
    paired by the right points. Where a winner goes on, the wrong one would have gone on.
    """
    led = match.result is not None and tour.format.by_rounds
    return led and match.fixture.round < tour.field().last_round


def _result(fixture: Fixture, intent: EnterResult) -> Result | Refused:
    """The result that the owner enters; a refusal where no match can come out so."""
    reason = intent.reason.strip()
    if len(reason) > REASON_MAX or not reason.isprintable():
        return Refused("bad_result", f"A reason is one line of at most {REASON_MAX} letters.")
    wrong = _wrong_places(fixture, intent.places)
    if wrong:
        return Refused("bad_result", wrong)
    if intent.played:
        return Result(intent.places, BY_HAND, reason or ENTERED, by_hand=True)
    placed = zip(fixture.sides, intent.places, strict=True)
    missing = frozenset(side for side, place in placed if place != 1)
    result = walkover(fixture, missing, ABSENT)
    if not missing or result.places != intent.places:
        sentence = "Without a game whoever came shares the first place, and the others are last."
        return Refused("bad_result", sentence)
    return replace(result, reason=reason or result.reason, by_hand=True)


def _wrong_places(fixture: Fixture, places: tuple[int, ...]) -> str:
    """What is wrong with these places, as a sentence; empty where a match can come out so."""
    sides = len(fixture.sides)
    if len(places) != sides:
        return f"The match has {sides} sides, and {len(places)} places are given."
    teams = fixture.teams or tuple(range(sides))
    of = dict(zip(teams, places, strict=True))
    if any(of[team] != place for team, place in zip(teams, places, strict=True)):
        return "Partners share their place."
    if set(places) == {2}:
        return ""  # nobody won
    ranked = all(place == 1 + sum(one < place for one in of.values()) for place in of.values())
    return "" if ranked else "A place is one more than there are before it, like 1, 2 or 1, 1."


BAD_SEEDS = "bad_seeds"  # why an order is none


def by_hand(tour: Tour, who: Caller, intent: SeedTour) -> Decision:
    """Take the order of seeds that the tour's owner gives, the first seed first."""
    refused = may_run(tour, who)
    if refused is not None:
        return refused
    if tour.plan.seeding is not Seeding.HAND:
        how = "rating" if tour.plan.seeding is Seeding.RATING else "the order of joining"
        return Refused(BAD_SEEDS, f"The plan of tour {tour.id} says to seed by {how}.")
    if tour.status is not TourStatus.OPEN:
        return Refused("too_late", f"Tour {tour.id} has begun, and is seeded by now.")
    for number in intent.order:
        no = no_entrant(tour, number)
        if no is not None:
            return no
        if intent.order.count(number) > 1:
            return Refused(BAD_SEEDS, f"Entrant {number} is in that order twice.")
    if not intent.order:
        return Refused(BAD_SEEDS, "An order has somebody in it.")
    known = frozenset(intent.order)
    others = (one.number for one in tour.entrants if one.number not in known)
    return (TourSeeded((*intent.order, *others)),)


def drawn(tour: Tour, strengths: Mapping[int, tuple[float, float]]) -> Decision:
    """The seeds to draw for a tour that starts now, if any; refused where some are missing."""
    match tour.plan.seeding:
        case Seeding.JOINED:
            return ()
        case Seeding.HAND if not tour.seeds:
            return Refused(BAD_SEEDS, f"Tour {tour.id} is seeded by hand: give the order first.")
        case Seeding.HAND:
            return ()
        case Seeding.RATING:
            numbers = [one.number for one in tour.entrants]
            order = sorted(numbers, key=lambda number: (-strengths[number][0], number))
            return (TourSeeded(tuple(order)),)


def before(seeds: Decision, start: Decision) -> Decision:
    """The events of both decisions, or the refusal of the first that is one."""
    if isinstance(seeds, Refused) or isinstance(start, Refused):
        return seeds if isinstance(seeds, Refused) else start
    return (*seeds, *start)
