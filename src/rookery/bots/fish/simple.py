"""Two players of fish that do not think ahead: one moves at random, and one is greedy."""

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.fish.sea import Sea, Slip, Spot, first_tile, look, moves_of, text_of
from rookery.core.chance import Chance
from rookery.games.fish.ice import beside


class FishRandom(Struct, frozen=True):
    """Any legal placement or move, each as likely."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose one of the moves."""
        return chance.choice(sight.moves)


class FishGreedy(Struct, frozen=True):
    """Places on the first free tile; then makes, of the greediest moves, one by chance."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose one of the moves."""
        sea, spot = look(sight)
        if len(spot.penguins[spot.turn]) < sea.each:
            return text_of(sea, first_tile(spot))
        greeds = {move: _greed(sea, spot, move) for move in moves_of(sea, spot)}
        most = max(greeds.values())
        best = [move for move, greed in greeds.items() if greed == most]
        return text_of(sea, chance.choice(best))


def _greed(sea: Sea, spot: Spot, move: Slip) -> int:
    """A move's greed: twice fish eaten and free tiles at its end, less free tiles at its start."""
    at, to = move
    leaves, gets = (beside(sea.cols, 1 << bit) & spot.free for bit in (at, to))
    return 2 * sea.fish[at] + 2 * gets.bit_count() - leaves.bit_count()
