"""The result of a match, entered or corrected by whoever runs the tour.

As with the director, this gives back events or a refusal, and changes nothing. A result that
was entered stays marked as such, in the log and in every export.
"""

from msgspec.structs import replace

from rookery.core.events import MatchRuled
from rookery.core.intents import EnterResult
from rookery.core.messages import Refused
from rookery.core.tour_values import ABSENT, BY_HAND, Fixture, Match, Result
from rookery.hall.limits import REASON_MAX
from rookery.hall.tours.director import Caller, Decision, may_change, walkover
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
