"""Cards: everybody's sums so far, in a tour that pairs every entrant who is free.

Such a tour pairs after every match, so it cannot count up all its matches each time: the
sums are carried along. They come to the same in whatever order matches come out.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

NEVER: Final = -1  # the last match of an entrant who has had none

Sides = tuple[int, ...]


class Card(Struct, frozen=True, gc=False):
    """The sums of one entrant's matches that have come out."""

    points: int = 0  # twice what they are, to stay whole
    played: int = 0
    last: int = NEVER  # the place among all of its last match
    earliness: int = 0  # with two sides: how often first, less how often second
    was_early: int = 0  # the same of the last match alone

    def plus(self, at: int, index: int, places: tuple[int, ...]) -> "Card":
        """The card with one more match, in which the entrant was the side of this index."""
        early = len(places) - 1 - 2 * index
        later = at > self.last
        return Card(
            self.points + _points(places, index),
            self.played + 1,
            at if later else self.last,
            self.earliness + early,
            early if later else self.was_early,
        )


class Cards(Struct, frozen=True):
    """Everybody's card, and the entrants in matches that have not come out."""

    of: Mapping[int, Card] = {}  # by entrant; who has no match yet may be missing
    engaged: Mapping[int, int] = {}  # by entrant: in how many such matches

    def paired(self, matches: Iterable[Sides]) -> "Cards":
        """The cards once these matches are paired."""
        engaged = dict(self.engaged)
        for sides in matches:
            for side in sides:
                engaged[side] = engaged.get(side, 0) + 1
        return Cards(self.of, engaged)

    def came_out(self, at: int, sides: Sides, places: tuple[int, ...]) -> "Cards":
        """The cards once the match in this place, from 0, has come out with these places."""
        of, engaged = dict(self.of), dict(self.engaged)
        for index, side in enumerate(sides):
            of[side] = of.get(side, BLANK).plus(at, index, places)
            left = engaged.pop(side) - 1
            if left:
                engaged[side] = left
        return Cards(of, engaged)


def _points(places: tuple[int, ...], index: int) -> int:
    if 1 not in places:
        return 0
    own = places[index]
    beaten = sum(place > own for place in places)
    return 2 * beaten + places.count(own) - 1


BLANK: Final = Card()
