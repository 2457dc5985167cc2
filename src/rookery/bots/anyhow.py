"""Players of any game whatever, by its rules alone: for games that have no bots of their own.

The first moves anyhow. The others play every move to the end some times, at random, and take
the one that did best. A bot is given a view and no state, so they play the game again from
its start; where that does not lead to what they see, because chance or a secret had a part in
it or nobody knows all moves, they move anyhow too.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.levels import Level
from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import Seat
from rookery.games import AnyGame

LONGEST: Final = 400  # moves of a playout; one that is not over then counts as drawn
DRAWN: Final = 0.5  # and 1 is won alone


class Anyhow(Struct, frozen=True):
    """Any move, each as likely as the others."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """One of the moves."""
        return chance.choice(sight.moves)


class Sampler(Struct, frozen=True):
    """The move after which games that go on at random end best."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """`nodes` playouts, spread over all moves; of equally good ones the first."""
        state = _again(sight)
        if state is None or len(sight.moves) == 1:
            return chance.choice(sight.moves)
        game, seat = sight.game, sight.seat
        after = [game.play(state, seat, game.parse_move(move)).state for move in sight.moves]
        worth = [0.0] * len(after)
        for _ in range(max(1, nodes // len(after))):
            for n, begun in enumerate(after):
                worth[n] += _playout(game, begun, seat, chance)
            if halt():
                break
        return sight.moves[worth.index(max(worth))]


# Any: a state of a game of unknown kind, only ever given back to it.
def _again(sight: Sight) -> Any | None:
    """The state that is seen, if what was played leads to it whatever the chance."""
    if sight.played is None:
        return None
    game = sight.game
    for seats in game.seat_counts:
        try:
            state = game.start(seats, Chance(0))
            for seat, move in sight.played:
                state = game.play(state, seat, game.parse_move(move)).state
        except Mistake:
            continue
        if game.view(state, sight.seat) == sight.view:
            return state
    return None


def _playout(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> float:
    """How well this seat does where everyone moves at random: from 0 to 1."""
    for _ in range(LONGEST):
        outcome = game.outcome(state)
        if outcome is not None:
            return _share(outcome.places, seat)
        movers = [(one, list(game.legal_moves(state, one))) for one in sorted(game.to_act(state))]
        mover, moves = chance.choice([one for one in movers if one[1]])
        state = game.play(state, mover, chance.choice(moves)).state
    return DRAWN


def _share(places: Sequence[int], seat: Seat) -> float:
    """What part of the others this seat is ahead of; one that is level counts half."""
    others = [place for n, place in enumerate(places) if n != seat]
    ahead = sum((place > places[seat]) + DRAWN * (place == places[seat]) for place in others)
    return ahead / max(1, len(others))


LEVELS: Final[tuple[Level, ...]] = (
    Level(Anyhow(), 1),
    Level(Sampler(), 50),
    Level(Sampler(), 200),
    Level(Sampler(), 1_000),
    Level(Sampler(), 5_000),
)
