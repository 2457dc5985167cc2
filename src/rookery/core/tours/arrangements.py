"""What a tour's owner arranges for rounds to come, before the format pairs the rest.

Two are to meet, two are never to meet, or an entrant sits out a round and gets some points for
it. Entrants are given by their numbers.
"""

from enum import StrEnum

from msgspec import Struct


class Worth(StrEnum):
    """What a round is worth to one who sits it out."""

    FULL = "full"  # a win's points
    HALF = "half"  # a draw's points
    ZERO = "zero"


class Arrangement(Struct, frozen=True, gc=False):
    """Something arranged by hand."""


class Meet(Arrangement, frozen=True, tag="meet"):
    """These two meet in this round; the first has the first move."""

    round: int
    sides: tuple[int, int]


class Apart(Arrangement, frozen=True, tag="apart"):
    """These two are not paired with each other, in any round."""

    entrants: tuple[int, int]


class Rest(Arrangement, frozen=True, tag="rest"):
    """This one is not paired in this round, and gets so much for it."""

    round: int
    entrant: int
    worth: Worth = Worth.HALF


AnyArrangement = Meet | Apart | Rest


def concerned(what: AnyArrangement) -> tuple[int, ...]:
    """The entrants whom this arrangement is about."""
    match what:
        case Meet(sides=pair) | Apart(entrants=pair):
            return pair
        case Rest(entrant=one):
            return (one,)
