"""What a tour's owner arranges for rounds to come: who meets, who must not, who sits out.

As with the director, this gives back events or a refusal, and changes nothing. Only
Swiss rounds are arranged: elsewhere everyone meets everyone, or who meets whom follows from
the bracket, from the time or from who is free.
"""

from collections.abc import Iterable
from typing import Final

from rookery.core.messages import Refused
from rookery.core.tours.arrangements import AnyArrangement, Apart, Meet, Rest, concerned
from rookery.core.tours.tour_events import Arranged
from rookery.core.tours.tour_intents import Arrange
from rookery.core.tours.values import UNPLAYED
from rookery.hall.limits import ARRANGED_MAX
from rookery.hall.tours.director import Caller, Decision, may_change, no_entrant
from rookery.hall.tours.formats.arranged import ordered
from rookery.hall.tours.formats.swiss import ROUNDS_MAX, Swiss
from rookery.hall.tours.tour import Tour

NO: Final = "bad_arrangement"  # why something is not arranged that cannot be


def arrange(tour: Tour, who: Caller, intent: Arrange) -> Decision:
    """Arrange something by hand, or take an arrangement back."""
    refused = may_change(tour, who)
    if refused is not None:
        return refused
    if not isinstance(tour.format, Swiss):
        name = tour.format.name
        return Refused(NO, f"Only rounds of a swiss are arranged by hand, not those of {name}.")
    if intent.off:
        return _take_back(tour, intent.what)
    wrong = _unknown(tour, intent.what) or _wrong_round(tour, intent.what)
    wrong = wrong or _clash(tour, intent.what)
    if wrong is None and len(tour.arranged) >= ARRANGED_MAX:
        wrong = Refused("too_many", f"In a tour at most {ARRANGED_MAX} things are arranged.")
    return wrong or (Arranged(intent.what),)


def _take_back(tour: Tour, what: AnyArrangement) -> Decision:
    known = next((one for one in tour.arranged if _isconcerned(one, what)), None)
    if known is None:
        return Refused(NO, "That was not arranged, so it cannot be taken back.")
    return _wrong_round(tour, what) or (Arranged(known, off=True),)


def _isconcerned(one: AnyArrangement, other: AnyArrangement) -> bool:
    """Whether both arrange the same thing, whatever the order of sides or the worth of a bye."""
    match one, other:
        case Meet(), Meet():
            return one.round == other.round and set(one.sides) == set(other.sides)
        case Apart(), Apart():
            return set(one.entrants) == set(other.entrants)
        case Rest(), Rest():
            return (one.round, one.entrant) == (other.round, other.entrant)
        case _:
            return False


def _unknown(tour: Tour, what: AnyArrangement) -> Refused | None:
    """Why an arrangement cannot be made for its entrants: one is unknown, out, or named twice."""
    about = concerned(what)
    for number in about:
        no = no_entrant(tour, number)
        if no is not None:
            return no
        if tour.entrant(number).out:
            return Refused("not_in_tour", f"{_name(tour, number)} is out of it already.")
    if len(set(about)) < len(about):
        return Refused(NO, f"{_name(tour, about[0])} does not meet itself.")
    return None


def _wrong_round(tour: Tour, what: AnyArrangement) -> Refused | None:
    if isinstance(what, Apart):
        return None
    last = tour.field().last_round
    if what.round <= last:
        sentence = f"Round {what.round} is paired already; the next is round {last + 1}."
        return Refused("too_late", sentence if what.round > 0 else "Rounds are counted from 1.")
    assert isinstance(tour.format, Swiss), "only rounds of a swiss are arranged"
    most = tour.format.rounds or ROUNDS_MAX
    if what.round > most:
        return Refused(NO, f"Tour {tour.id} has at most {most} rounds.")
    return None


def _clash(tour: Tour, what: AnyArrangement) -> Refused | None:
    """Why an arrangement contradicts what was played or arranged before; None if it does not."""
    if any(_isconcerned(one, what) for one in tour.arranged):
        return Refused(NO, "That is arranged already; take it back first.")
    match what:
        case Meet(round_, sides):
            busy = _busy(tour.arranged, round_)
            taken = next((side for side in sides if side in busy), None)
            if taken is not None:
                who = _name(tour, taken)
                return Refused(NO, f"For {who} something else is arranged in round {round_}.")
            return _kept_apart(tour, sides) or _have_met(tour, sides)
        case Apart(pair):
            return _will_meet(tour, pair)
        case Rest(round_, entrant):
            if entrant in _busy(tour.arranged, round_):
                who = _name(tour, entrant)
                return Refused(NO, f"{who} is to meet somebody in round {round_}.")
            return None


def _busy(arranged: Iterable[AnyArrangement], round_: int) -> set[int]:
    """The entrants for whom something is arranged in this round."""
    some = [one for one in arranged if not isinstance(one, Apart) and one.round == round_]
    return {number for one in some for number in concerned(one)}


def _kept_apart(tour: Tour, pair: tuple[int, int]) -> Refused | None:
    for one in tour.arranged:
        if isinstance(one, Apart) and ordered(one.entrants) == ordered(pair):
            return Refused(NO, f"{_names(tour, pair)} are kept apart; take that back first.")
    return _will_meet(tour, pair)


def _will_meet(tour: Tour, pair: tuple[int, int]) -> Refused | None:
    last = tour.field().last_round
    for one in tour.arranged:
        if isinstance(one, Meet) and one.round > last and ordered(one.sides) == ordered(pair):
            return Refused(NO, f"{_names(tour, pair)} are to meet in round {one.round}.")
    return None


def _have_met(tour: Tour, pair: tuple[int, int]) -> Refused | None:
    for match in tour.matches:
        met = set(match.fixture.sides) == set(pair)
        if met and (match.result is None or match.result.how not in UNPLAYED):
            sentence = f"{_names(tour, pair)} meet in round {match.fixture.round}, and only once."
            return Refused(NO, sentence)
    return None


def _names(tour: Tour, pair: tuple[int, int]) -> str:
    return " and ".join(_name(tour, one) for one in pair)


def _name(tour: Tour, number: int) -> str:
    return tour.entrant(number).name or f"entrant {number}"
