"""What a bot may play over a language that tells it boards and no moves."""

import pytest

from rookery.cli.bot.open_question import moves_of
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import GAMES
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe, TictactoeView

PLIES = 12


@pytest.mark.parametrize("name", GAMES)
def test_of_any_game_it_may_play_what_the_rules_allow_whoever_sees_the_board(name: str) -> None:
    game, chance = GAMES[name](), Chance(3)
    state = game.start(game.seat_counts[0], chance)
    for _ in range(PLIES):
        acting = sorted(game.to_act(state))
        for seat in acting:
            legal = tuple(map(game.format_move, game.legal_moves(state, seat)))
            assert moves_of(game, game.view(state, seat), seat) == legal
        for n in set(range(game.seat_counts[0])) - set(acting):
            assert moves_of(game, game.view(state, Seat(n)), Seat(n)) == ()
        if not acting:
            break
        move = chance.choice(tuple(game.legal_moves(state, acting[0])))
        state = game.play(state, acting[0], move).state


def test_who_is_not_to_act_may_play_nothing() -> None:
    game = Reversi(size=10)
    view = game.view(game.start(2, Chance(0)), None)
    assert moves_of(game, view, Seat(1)) == ()


def test_on_a_board_that_cannot_be_nobody_may_play() -> None:
    assert moves_of(Tictactoe(), TictactoeView(("XXX", "XX.", "..."), Seat(1)), Seat(1)) == ()
