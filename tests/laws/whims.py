"""What an organiser may think of in the middle of a tour, made up from a seed.

Much of it is refused: that matches and entrants are there is only likely.
"""

from rookery.core.chance import Chance
from rookery.core.intents import (
    EnterResult,
    PauseTour,
    SeedTour,
    StartTour,
    TourAct,
    VoidMatch,
    Withdraw,
)
from rookery.hall.tours.tour import Tour


def whim(chance: Chance, tour: Tour) -> TourAct:
    """Something that the organiser asks for."""
    match chance.below(12):
        case 0 | 1:
            return PauseTour(tour.id)
        case 2 | 3:
            return VoidMatch(tour.id, 1 + chance.below(12))
        case 5 | 6:
            return _rule(chance, tour)
        case 7 | 8:
            return SeedTour(tour.id, (1 + chance.below(8), 1 + chance.below(8)))
        case 4 if not chance.below(2):
            return Withdraw(tour.id, 1 + chance.below(8))
        case _:
            return StartTour(tour.id)


def _rule(chance: Chance, tour: Tour) -> EnterResult:
    """A result, mostly of a match that there is."""
    number = 1 + chance.below(12)
    sides = len(tour.match(number).fixture.sides) if number <= len(tour.matches) else 2
    places = tuple(1 + chance.below(2) for _ in range(sides))
    return EnterResult(tour.id, number, places, bool(chance.below(3)))
