"""Bots that play any game by its rules alone: for games that have no bots of their own.

Level 1 moves at random (`at_random`). The others grow a tree of what the seats see and may do
(`tree`), in states that look like the bot's view (`worlds`). Where there is no such state,
because a game deals or hides something and does not say how to make it up, they move at random
too, and `looks_ahead` says so beforehand.
"""

from typing import Final

from rookery.bots.any_game.at_random import AtRandom
from rookery.bots.any_game.tree import TreeSearch
from rookery.bots.any_game.worlds import looks_ahead
from rookery.bots.base import Level

# A node is a move that is played, in the tree or beyond it: 25,000 are a second of most.
LEVELS: Final[tuple[Level, ...]] = (
    Level(AtRandom(), 1),
    Level(TreeSearch(), 300),
    Level(TreeSearch(), 1_500),
    Level(TreeSearch(), 5_000),
    Level(TreeSearch(), 25_000),
)

__all__ = ["LEVELS", "AtRandom", "TreeSearch", "looks_ahead"]
