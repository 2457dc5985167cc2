"""Draws a move on the ice by chance: any tile that is free, or any slide."""

from rookery.core.chance import Chance
from rookery.games.fish import FishView, Place, Slide
from rookery.games.fish.ice import bit_of, lines_from, square_of


def choose(view: FishView, chance: Chance) -> Place | Slide | None:
    """Draw a tile to place a penguin on, or a slide of the player to act; None if there is none."""
    taken = {place for flock in view.players for place in flock.places}
    tiles = {(r, c) for r, row in enumerate(view.board) for c, fish in enumerate(row) if fish}
    free = sorted(tiles - taken)
    if view.phase == "place":
        return Place(chance.choice(free)) if free else None
    cols = max(map(len, view.board), default=0)
    bits = sum(1 << bit_of(cols, tile) for tile in free)
    mine = [flock for flock in view.players if flock.seat == view.turn]
    slides = [
        Slide(start, square_of(cols, end))
        for flock in mine
        for start in flock.places
        for end in lines_from(cols, bits, bit_of(cols, start))
    ]
    return chance.choice(slides) if slides else None
