"""Seeds: in which order a tour's entrants stand before anything is played.

The plan says what the order is made from. Where that is not the order of joining it is drawn
or given before the start and written into the log, so that ratings that change later make no
difference to a tour that is read again.
"""

from collections.abc import Mapping

from rookery.core.events import TourSeeded
from rookery.core.ids import TourStatus
from rookery.core.intents import SeedTour
from rookery.core.messages import Refused
from rookery.core.tour_values import Seeding
from rookery.hall.tours.director import Caller, Decision, may_run, no_entrant
from rookery.hall.tours.tour import Tour

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
