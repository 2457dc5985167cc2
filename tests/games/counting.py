"""As many positions as `perft` counts, where many ways lead to the same one: each counted once."""

from collections.abc import Hashable

from rookery.core.game import Game, M, S


def ways(game: Game[S, M], state: S, depth: int, known: dict[Hashable, int] | None = None) -> int:
    """How many ways of `depth` moves there are from here; a game that ends sooner is one."""
    if depth == 0:
        return 1
    known = {} if known is None else known
    here = (state, depth)
    if here not in known:
        choices = [
            (seat, move) for seat in game.to_act(state) for move in game.legal_moves(state, seat)
        ]
        after = [game.play(state, seat, move).state for seat, move in choices]
        known[here] = sum(ways(game, one, depth - 1, known) for one in after) if after else 1
    return known[here]
