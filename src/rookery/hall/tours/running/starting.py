"""The start of a tour: by hand, or by itself at the time of day that its plan has.

A plan may ask entrants to check in shortly before. One who joins then has checked in by joining;
programs whose dialect has no word for it have, for as long as they are connected. At the start
all others are out. Where too few would be left nobody is put out, and the tour waits for its
owner.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final

from rookery.core.ids import Wall
from rookery.core.messages import Refused
from rookery.core.status import TourStatus
from rookery.core.tours.tour_events import CheckedIn, Joined, Partnered, TourEvent, Withdrawn
from rookery.core.tours.tour_intents import StartTour
from rookery.core.tours.values import Entrant, Plan
from rookery.hall import limits
from rookery.hall.tours import director
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.organising import seeding
from rookery.hall.tours.tour import Tour, evolve_tour

UNCHECKED: Final = "unchecked"  # why an entrant is out who did not say that it was there

Strengths = Mapping[int, tuple[float, float]]


def may_not_plan(plan: Plan, at: Wall) -> Refused | None:
    """Why a tour may not be planned for that time of day; None if it may."""
    if plan.starts is None or at < plan.starts <= at + limits.AHEAD_MAX:
        return None
    return Refused("bad_option", "A tour starts in the time to come, and within a year.")


def start(tour: Tour, who: Caller, intent: StartTour, at: Wall, strengths: Strengths) -> Decision:
    """Start the tour for this caller with its seeds drawn, or let it go on."""
    decision = director.start(tour, who, intent, at)
    if tour.status is not TourStatus.OPEN or isinstance(decision, Refused):
        return decision
    refused = director.too_few_for_ever(tour)
    return refused or seeding.before(seeding.drawn(tour, strengths), decision)


def is_time(tour: Tour, at: Wall) -> bool:
    """Whether the tour is to start by itself now."""
    starts = tour.plan.starts
    return tour.status is TourStatus.OPEN and starts is not None and starts <= at


def by_itself(
    tour: Tour, is_there: Callable[[Entrant], bool], at: Wall, strengths: Strengths
) -> tuple[TourEvent, ...]:
    """The events at the time that the plan has for the start: none where too few are there."""
    missing = [
        Withdrawn(one.number, UNCHECKED)
        for one in tour.entrants
        if tour.plan.check_in and not one.out and not one.checked and not is_there(one)
    ]
    left = reduce(evolve_tour, missing, tour)
    organiser = Caller(None, organiser=True)
    decision = start(left, organiser, StartTour(tour.id), at, strengths)
    return () if isinstance(decision, Refused) else (*missing, *decision)


def check_in(tour: Tour, who: Caller, at: Wall) -> Decision:
    """Check an entrant in for the tour."""
    known = None if who.player is None else tour.entrant_of(who.player)
    if known is None:
        return Refused("not_in_tour", f"You are not in tour {tour.id}.")
    if known.out or tour.status is not TourStatus.OPEN:
        return Refused("too_late", f"Tour {tour.id} has begun, or you are out of it.")
    if not tour.plan.check_in:
        return Refused("no_check_in", f"Nobody needs to check in for tour {tour.id}.")
    if not _is_checking(tour, at):
        return Refused("too_early", f"Checking in for tour {tour.id} has not begun.")
    return () if known.checked else (CheckedIn(known.number),)


def joined(tour: Tour, event: Joined | Partnered, at: Wall) -> tuple[TourEvent, ...]:
    """The events when an entrant joins: it is checked in too, while checking in is open."""
    checks = tour.status is TourStatus.OPEN and _is_checking(tour, at)
    return (event, CheckedIn(event.entrant)) if checks else (event,)


def _is_checking(tour: Tour, at: Wall) -> bool:
    plan = tour.plan
    return bool(plan.check_in) and plan.starts is not None and plan.starts - plan.check_in <= at
