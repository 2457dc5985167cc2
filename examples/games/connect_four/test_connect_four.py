"""Connect four keeps the laws of games, and is the game that people know."""

import pytest
from connect_four import ConnectFour

from rookery.sdk import Chance, Seat


@pytest.mark.laws_of(ConnectFour(), ConnectFour(rows=4, cols=5))
def test_connect_four_keeps(law):
    law()


@pytest.mark.parametrize(("rows", "games"), [(6, 7**5), (4, 7**5 - 7)])
def test_games_branch_sevenfold_until_a_column_is_full(rows, games):
    game = ConnectFour(rows=rows)
    assert _games(game, game.start(2, Chance(0)), 5) == games


@pytest.mark.parametrize(
    ("moves", "how"),
    [
        ("1 2 1 2 1 2 1", "line"),  # up
        ("1 1 2 2 3 3 4", "line"),  # across
        ("1 2 2 3 3 4 3 4 4 6 4", "line"),  # slanting
    ],
)
def test_four_in_a_row_win(moves, how):
    game = ConnectFour()
    state = game.start(2, Chance(0))
    for n, move in enumerate(moves.split()):
        assert game.outcome(state) is None
        state = game.play(state, Seat(n % 2), game.parse_move(move)).state
    ended = game.outcome(state)
    assert ended is not None
    assert (ended.winners, ended.how) == ((0,), how)


def _games(game, state, depth):
    if depth == 0:
        return 1
    seat = next(iter(game.to_act(state)))
    moves = game.legal_moves(state, seat)
    return sum(_games(game, game.play(state, seat, move).state, depth - 1) for move in moves)
