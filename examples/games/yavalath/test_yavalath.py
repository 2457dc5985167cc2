"""Yavalath keeps the laws of games, and three lose where four win."""

import pytest
from yavalath import Yavalath

from rookery.sdk import Chance, IllegalMove


@pytest.mark.laws_of(Yavalath(), Yavalath(side=3))
def test_yavalath_keeps(law):
    law()


def test_three_in_a_row_lose():
    ended = Yavalath().outcome(_played(2, "5,1 1,1 5,2 1,5 5,3"))
    assert ended is not None
    assert (ended.winners, ended.how) == ((1,), "three")


def test_four_in_a_row_win_though_three_are_in_them():
    ended = Yavalath().outcome(_played(2, "5,1 1,1 5,2 1,5 5,4 9,1 5,3"))
    assert ended is not None
    assert (ended.winners, ended.how) == ((0,), "four")


def test_of_three_the_one_before_must_prevent_a_four():
    threat = "5,1 1,1 9,1 5,2 1,3 9,3 5,4 2,4"
    with pytest.raises(IllegalMove, match="Red would make four"):
        _played(3, f"{threat} 9,5")
    assert _played(3, f"{threat} 5,3").turn == 0


def test_of_three_the_others_play_on_and_the_stones_stay():
    game = Yavalath()
    state = _played(3, "5,1 1,1 9,1 5,2 1,3 9,3 5,3")
    assert game.outcome(state) is None
    assert game.view(state, None).rows[4].startswith("RRR")
    assert state.turn == 1


def _played(seats, moves):
    game = Yavalath()
    state = game.start(seats, Chance(0))
    for move in moves.split():
        state = game.play(state, state.turn, game.parse_move(move)).state
    return state
