"""The start of a tour: by hand, or by itself at the time of day that its plan has.

Where too few are in it by then, the tour waits for its owner.
"""

from collections.abc import Mapping

from rookery.core.events import TourEvent
from rookery.core.ids import TourStatus, Wall
from rookery.core.intents import StartTour
from rookery.core.messages import Refused
from rookery.core.tour_values import Plan
from rookery.hall import limits
from rookery.hall.tours import director
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.organising import seeding
from rookery.hall.tours.tour import Tour

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


def by_itself(tour: Tour, at: Wall, strengths: Strengths) -> tuple[TourEvent, ...]:
    """The events at the time that the plan has for the start: none where too few are there."""
    decision = start(tour, Caller(None, organiser=True), StartTour(tour.id), at, strengths)
    return () if isinstance(decision, Refused) else decision
