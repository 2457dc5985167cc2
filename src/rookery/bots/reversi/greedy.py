"""Greed at reversi: a corner if there is one, else turn over as many discs as one move can.

It is what most people do in their first games. It loses because discs in the middle of
the game are worth little, and the squares around a corner cost more than they bring.
"""

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.reversi.lines import look
from rookery.core.chance import Chance


class GreedyBot(Struct, frozen=True):
    """Takes a corner, or else turns over the most discs; of several such moves any."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """The move that turns over the most, of those into a corner if there are any."""
        lines, own, theirs = look(sight)
        moves = lines.moves(own, theirs)
        corners = {at: flips for at, flips in moves.items() if lines.marks[at] & lines.edges}
        gains = {at: flips.bit_count() for at, flips in (corners or moves).items()}
        most = max(gains.values())
        return lines.text(chance.choice([at for at, gain in gains.items() if gain == most]))
