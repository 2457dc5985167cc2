"""Perft: the number of positions a game reaches in so many moves, for any game.

Every move of every seat to act is tried, also where two may move at once. A game that
has ended is one leaf, however deep the count still had to go. The last ply is counted
without being played, which is what makes it quick.
"""

from rookery.core.game import Game, M, S


def perft(game: Game[S, M], state: S, depth: int) -> int:
    """How many positions are `depth` moves from here, ended games counting as one each."""
    if depth == 0:
        return 1
    seats = game.to_act(state)
    if not seats:
        return 1
    # A seat to act may have to wait: in bughouse, for a piece that its partner takes.
    choices = [(seat, tuple(game.legal_moves(state, seat))) for seat in seats]
    assert any(moves for _, moves in choices), "somebody can move until the game is over"
    if depth == 1:
        return sum(len(moves) for _, moves in choices)
    return sum(
        perft(game, game.play(state, seat, move).state, depth - 1)
        for seat, moves in choices
        for move in moves
    )
