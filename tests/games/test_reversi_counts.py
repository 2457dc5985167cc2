"""Reversi counted: against a published table, a slow second account of the rules, and OpenSpiel.

The table is Aart Bik's "Perft for Reversi" (2009). A pass is no ply here, and none
happens in the depths where that would matter.
"""

import pytest

from rookery.cli.commands.perft import perft
from rookery.core.chance import Chance
from rookery.games.reversi import Place, Reversi
from tests.games.counting import ways
from tests.games.slow_reversi import slow_perft


def quick_perft(size: int, depth: int) -> int:
    game = Reversi(size=size)
    return perft(game, game.start(2, Chance(1)), depth)


@pytest.mark.parametrize(
    ("depth", "positions"),
    [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200), (7, 55092), (8, 390216)],
)
def test_the_published_counts_on_8_by_8(depth: int, positions: int) -> None:
    assert quick_perft(8, depth) == positions


@pytest.mark.parametrize(("size", "depth"), [(4, 9), (6, 5), (8, 5), (10, 5)])
def test_the_slow_rules_count_the_same(size: int, depth: int) -> None:
    assert quick_perft(size, depth) == slow_perft(size, depth)


def test_the_slow_rules_count_all_games_there_are_on_4_by_4() -> None:
    small = Reversi(size=4)
    assert ways(small, small.start(2, Chance(1)), 12) == slow_perft(4, 12) == 60060


def test_openspiel_allows_the_same_moves_in_random_games() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    othello = pyspiel.load_game("othello")
    game = Reversi()
    for seed in range(20):
        chance = Chance(seed)
        state, theirs = game.start(2, chance), othello.new_initial_state()
        while game.to_act(state):
            if theirs.legal_actions() == [64]:  # a pass, which our rules do by themselves
                theirs.apply_action(64)
            moves = tuple(game.legal_moves(state, state.turn))
            assert [move.row * 8 + move.col for move in moves] == theirs.legal_actions()
            assert theirs.current_player() == state.turn
            move: Place = chance.choice(moves)
            state = game.play(state, state.turn, move).state
            theirs.apply_action(move.row * 8 + move.col)
        outcome = game.outcome(state)
        assert outcome is not None
        assert theirs.is_terminal()
        assert (theirs.returns()[0] > 0) == (outcome.places == (1, 2))
        assert (theirs.returns()[0] == 0) == outcome.drawn
