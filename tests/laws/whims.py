"""What an organiser may think of in the middle of a tour, made up from a seed.

Much of it is refused: that matches, entrants and rounds are there is only likely.
"""

from rookery.core.chance import Chance
from rookery.core.tours.arrangements import AnyArrangement, Apart, Meet, Rest, Worth
from rookery.core.tours.tour_intents import (
    Arrange,
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
    if tour.plan.format.startswith("swiss") and not chance.below(3):
        return _arrange(chance, tour)
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


def _arrange(chance: Chance, tour: Tour) -> Arrange:
    """Something for a round to come, or what was arranged is taken back."""
    if tour.arranged and not chance.below(3):
        return Arrange(tour.id, chance.choice(tour.arranged), off=True)
    one, other, number = (1 + chance.below(8) for _ in range(3))
    what: AnyArrangement = Rest(number, one, chance.choice(list(Worth)))
    if chance.below(2):
        what = Meet(number, (one, other)) if chance.below(2) else Apart((one, other))
    return Arrange(tour.id, what)


def _rule(chance: Chance, tour: Tour) -> EnterResult:
    """A result, mostly of a match that there is."""
    number = 1 + chance.below(12)
    sides = len(tour.match(number).fixture.sides) if number <= len(tour.matches) else 2
    places = tuple(1 + chance.below(2) for _ in range(sides))
    return EnterResult(tour.id, number, places, bool(chance.below(3)))
