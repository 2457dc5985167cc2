"""A level: a bot, and how many nodes it may look at for a move.

A level means the same in every game: 1 plays like a beginner, 5 is the best we have at
about a second a move. Each game has a tuple of five, the weakest first.
"""

from msgspec import Struct

from rookery.bots.base import Bot


class Level(Struct, frozen=True):
    """A bot and its budget."""

    bot: Bot
    nodes: int
