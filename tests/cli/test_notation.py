"""Moves in the terminal as players write them, and typed so."""

import pytest

from rookery.cli.drawing import meant, noted, told
from rookery.core.ids import Seat
from rookery.games.bughouse import Bughouse, BughouseView
from rookery.games.reversi import Reversi

GAME = Bughouse()


def after(*moves: str) -> BughouseView:
    state = GAME.start(4, None)  # type: ignore[arg-type]  # it draws nothing
    for move in moves:
        at = GAME.parse_move(move)
        seat = next(one for one in GAME.to_act(state) if one // 2 == at.board - 1)
        state = GAME.play(state, Seat(seat), at).state
    return GAME.view(state, None)


def test_moves_of_bughouse_are_told_with_their_number_and_by_what_they_take() -> None:
    view = after("1:e2e4", "1:d7d5", "2:g1f3")
    assert told(GAME, view, "1:e4d5") == "2. exd5"
    assert told(GAME, view, "2:g8f6") == "1... Nf6"
    taken = after("1:e2e4", "1:d7d5", "2:g1f3", "1:e4d5")
    assert told(GAME, taken, "2:P@e6") == "1... @e6"


def test_a_move_that_cannot_be_there_stands_as_it_is() -> None:
    assert told(GAME, after(), "1:e4d5") == "1:e4d5"
    assert told(GAME, None, "1:e2e4") == "1:e2e4"
    assert told(Reversi(), None, "d3") == "d3"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("e4", "1:e2e4"),
        ("Nf3", "1:g1f3"),
        ("1:Nf3!", "1:g1f3"),
        ("1:e2e4", "1:e2e4"),
        ("Nf6", "Nf6"),  # nobody may play that
        ("nonsense", "nonsense"),
    ],
)
def test_a_move_may_be_typed_as_players_write_it(typed: str, move: str) -> None:
    moves = ("1:e2e4", "1:e2e3", "1:g1f3", "1:b1c3")
    assert noted(GAME, after(), moves) == ("e4", "e3", "Nf3", "Nc3")
    assert meant(GAME, after(), typed, moves) == move


def test_castling_and_drops_are_typed_as_people_do() -> None:
    view = after("1:e2e4", "1:d7d5", "2:g1f3", "1:e4d5", "2:b8c6")
    drops = ("2:P@e6", "2:P@e5")
    black = after("1:e2e4", "1:d7d5", "2:g1f3", "1:e4d5")
    assert meant(GAME, black, "P@e6", drops) == meant(GAME, black, "@e6", drops) == "2:P@e6"
    opened = after("1:g1f3", "1:a7a6", "1:g2g3", "1:a6a5", "1:f1g2", "1:a5a4")
    assert meant(GAME, opened, "0-0", ("1:e1g1", "1:e1f1")) == "1:e1g1"
    assert view.plies == 5
