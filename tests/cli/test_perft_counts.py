"""Perft counts what everyone else counted, whoever is to act."""

import pytest

from rookery.cli.commands.perft import perft
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant


# Tic-tac-toe: 54720 positions after six moves, and the 1440 games that X won in five.
@pytest.mark.parametrize(
    ("variant", "counts"),
    [
        ("reversi", [1, 4, 12, 56, 244, 1396, 8200]),
        ("tictactoe", [1, 9, 72, 504, 3024, 15120, 54720 + 1440]),
        ("nim sticks=1,2", [1, 3, 5, 5, 5]),
    ],
)
def test_the_known_counts_come_out(variant: str, counts: list[int]) -> None:
    game: AnyGame = parse_variant(variant)
    start = game.start(2, Chance(0))
    assert [perft(game, start, depth) for depth in range(len(counts))] == counts


def test_every_seat_that_may_act_is_counted() -> None:
    bughouse: AnyGame = parse_variant("bughouse")
    start = bughouse.start(4, Chance(0))
    assert len(bughouse.to_act(start)) == 2
    assert perft(bughouse, start, 1) == 20 + 20


def test_a_finished_game_is_one_leaf() -> None:
    tictactoe: AnyGame = parse_variant("tictactoe")
    state = tictactoe.start(2, Chance(0))
    for ply, text in enumerate(("0", "3", "1", "4", "2")):
        state = tictactoe.play(state, Seat(ply % 2), tictactoe.parse_move(text)).state
    assert [perft(tictactoe, state, depth) for depth in (0, 1, 5)] == [1, 1, 1]
