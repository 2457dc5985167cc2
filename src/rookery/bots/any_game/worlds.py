"""From what a seat sees to states that it may be in: worlds, in which a search can play.

A bot is given a view and no state. A game may say how to make a state up (`imagine`): the only
one where nothing is hidden, any that fits where something is. Else the game is played again
from its start, which leads to the same view where neither chance nor a secret has a part in it.
"""

from collections.abc import Callable
from typing import Any, Final

from rookery.bots.base import Sight
from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.game import Imagining
from rookery.games import AnyGame

TRIED: Final = 8  # starts that are compared to see whether chance has a part in them

# Any: states of a game of unknown kind, only ever given back to it.
Worlds = Callable[[Chance], Any]


def worlds(sight: Sight) -> Worlds | None:
    """A function that makes states which look like this view; None where there is no way."""
    game: object = sight.game
    if isinstance(game, Imagining):
        imagining: Imagining[Any] = game
        return lambda chance: imagining.imagine(sight.view, sight.seat, chance)
    state = _played_again(sight)
    return None if state is None else lambda _: state


def looks_ahead(game: AnyGame) -> bool:
    """Whether levels above the first can search this game, or must move at random."""
    if isinstance(game, Imagining):
        return True
    seats = game.seat_counts[0]
    first = game.start(seats, Chance(0))
    fixed = all(game.start(seats, Chance(seed)) == first for seed in range(1, TRIED))
    return fixed and not game.secret_moves


def _played_again(sight: Sight) -> Any | None:
    """The state that the moves played so far lead to, if it looks like this view; else None."""
    game = sight.game
    if sight.played is None or not looks_ahead(game):
        return None
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
