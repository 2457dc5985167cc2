"""Games of OpenSpiel keep the laws of games; those that cannot be played here are refused."""

import pytest

pytest.importorskip("pyspiel")

from openspiel import OpenSpiel

from rookery.sdk import BadOption


@pytest.mark.laws_of(
    OpenSpiel("tic_tac_toe"),
    OpenSpiel("breakthrough(rows=6,columns=6)"),
    OpenSpiel("mancala"),
    OpenSpiel("nine_mens_morris"),
)
def test_openspiel_keeps(law):
    law()


@pytest.mark.parametrize(
    "game",
    [
        "leduc_poker",  # secrets
        "backgammon",  # dice
        "goofspiel",  # at the same time
        "nfg_game",  # needs a file
        "no_such_game",
        "hex(board_size=20000)",  # a client could ask for any amount of memory
        "hex(board_size=7",
        "hex(board_size=7,)",
        "",
    ],
)
def test_what_cannot_be_played_is_refused(game):
    with pytest.raises(BadOption):
        OpenSpiel(game)
