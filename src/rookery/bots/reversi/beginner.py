"""The beginner at reversi: any move will do."""

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.core.chance import Chance


class RandomBot(Struct, frozen=True):
    """Plays each legal move as likely as any other."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Draw one of the moves by chance."""
        return chance.choice(sight.moves)
