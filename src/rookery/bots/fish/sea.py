"""The ice as a bot thinks of it: quick to copy, quick to move on.

What never changes during a search is a `Sea`, what a move changes is a `Spot`. Tiles are
the bits of `games.fish.ice`. A move is a pair of bits, where from and where to; placing
has nowhere to come from. Nothing is checked here: moves come from `moves_of`.
"""

from typing import Final

from msgspec import Struct

from rookery.bots.base import Sight
from rookery.games.fish import Fish, FishView
from rookery.games.fish.ice import beside, bit_of, bits_of, lines_from, square_of
from rookery.games.fish.state import MOST_FISH, Penguins, quota

NOWHERE: Final = -1  # where a penguin comes from that is being placed

Slip = tuple[int, int]  # from this bit to that one


class Sea(Struct, frozen=True):
    """A board as it was when the search began."""

    cols: int
    fish: tuple[int, ...]  # by bit
    layers: tuple[int, ...]  # the tiles with at least one fish, at least two, and so on
    each: int  # how many penguins every seat places
    gone: frozenset[int]

    def worth(self, tiles: int) -> int:
        """How many fish these tiles have together."""
        return sum((tiles & layer).bit_count() for layer in self.layers)


class Spot(Struct, frozen=True, gc=False):
    """The part of a position that moves change; `turn` is -1 when no seat can move."""

    free: int
    penguins: Penguins
    scores: tuple[int, ...]
    turn: int


def look(sight: Sight) -> tuple[Sea, Spot]:
    """The sea and the spot that this sight shows."""
    game, view = sight.game, sight.view
    assert isinstance(game, Fish), "a bot for fish is asked about fish"
    assert isinstance(view, FishView), "fish is seen as fish"
    cols = game.cols
    tiles = bytes(number for row in view.board for number in row)
    fish = [0] * (2 * len(tiles) + 1)
    for tile, number in enumerate(tiles):
        fish[bit_of(cols, divmod(tile, cols))] = number
    counts = range(1, MOST_FISH + 1)
    masks = (bits_of(cols, bytes(number >= n for number in tiles)) for n in counts)
    penguins = tuple(tuple(bit_of(cols, at) for at in flock.places) for flock in view.players)
    free = bits_of(cols, tiles) & ~sum(1 << at for own in penguins for at in own)
    gone = frozenset(flock.seat for flock in view.players if flock.removed)
    layers = tuple(mask for mask in masks if mask)
    sea = Sea(cols, tuple(fish), layers, quota(len(penguins)), gone)
    return sea, Spot(free, penguins, tuple(f.score for f in view.players), sight.seat)


def moves_of(sea: Sea, spot: Spot) -> list[Slip]:
    """The moves of the seat on turn, in the order of the rules; some seat must be on turn."""
    own = spot.penguins[spot.turn]
    if len(own) < sea.each:
        free = spot.free
        return [(NOWHERE, at) for at in range(free.bit_length()) if free >> at & 1]
    return [(at, to) for at in own for to in lines_from(sea.cols, spot.free, at)]


def after(sea: Sea, spot: Spot, move: Slip) -> Spot:
    """The spot after this move, with the turn at the next seat that can act."""
    at, to = move
    seat = spot.turn
    own = spot.penguins[seat]
    scores = spot.scores
    if at == NOWHERE:
        moved = (*own, to)
    else:
        moved = tuple([to if bit == at else bit for bit in own])
        scores = (*scores[:seat], scores[seat] + sea.fish[at], *scores[seat + 1 :])
    penguins = (*spot.penguins[:seat], moved, *spot.penguins[seat + 1 :])
    free = spot.free ^ 1 << to
    return Spot(free, penguins, scores, next_seat(sea, free, penguins, seat))


def next_seat(sea: Sea, free: int, penguins: Penguins, last: int) -> int:
    """The seat that acts after this one; -1 when no seat can."""
    seats = len(penguins)
    near = beside(sea.cols, free)
    for ahead in range(1, seats + 1):
        seat = (last + ahead) % seats
        own = penguins[seat]
        if len(own) < sea.each and seat not in sea.gone:
            return seat
        for at in own:
            if near >> at & 1:
                return seat
    return -1


def text_of(sea: Sea, move: Slip) -> str:
    """The move as the rules write it."""
    at, to = move
    row, col = square_of(sea.cols, to)
    if at == NOWHERE:
        return f"{row},{col}"
    from_row, from_col = square_of(sea.cols, at)
    return f"{from_row},{from_col}-{row},{col}"


def first_tile(spot: Spot) -> Slip:
    """The course's placement: the first free tile, going through the rows."""
    return NOWHERE, (spot.free & -spot.free).bit_length() - 1
