"""The player that knows nothing: any move, each as likely as the others."""

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.core.chance import Chance


class AtRandom(Struct, frozen=True):
    """A bot that plays any legal move by chance."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Draw one of the moves."""
        return chance.choice(sight.moves)
