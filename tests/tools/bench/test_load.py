"""The load plays prepared games to their end, and says so when a server does not."""

import socket
from collections.abc import Iterator

import pytest

from rookery.core.chance import Chance
from rookery.games import AnyGame, parse_variant
from rookery_tools.bench.load.load import LoadLine, LoadRun, Pair, play
from rookery_tools.bench.load.processes import CannotMeasure, running
from rookery_tools.bench.load.scripts import NIM, REVERSI, games_of, script
from rookery_tools.bench.load.seats import Sizes, paired, parties

SIZES = {REVERSI: Sizes(290, 250), NIM: Sizes(220, 180)}


@pytest.fixture(scope="module")
def bare_port() -> Iterator[int]:
    with running("rookery_tools.bench.load.bare") as server:
        yield server.port


def play_bare(port: int, variant: str, pairs: int, games: int) -> LoadRun:
    with paired(port, parties(variant, pairs, games), SIZES) as seated:
        return play(seated)


@pytest.mark.parametrize("variant", [REVERSI, NIM])
def test_a_prepared_game_starts_alike_whatever_the_seed(variant: str) -> None:
    game: AnyGame = parse_variant(variant)
    assert len({repr(game.start(2, Chance(seed))) for seed in range(5)}) == 1


def test_a_seat_waits_for_all_it_must_have_heard() -> None:
    # The first moves (2 lines for it, 1 for the other), the other moves, the first wins.
    moves = ((0, "0,1"), (1, "0,1"), (0, "0,1"))
    played = script([moves, moves], [7, 8], ending=1)
    assert [(step.seat, step.due) for step in played.steps] == [
        (0, 0), (1, 1), (0, 3),
        (0, 6), (1, 6), (0, 9),
    ]  # fmt: skip
    assert played.heard == (12, 10)
    assert played.steps[3].line == b'{"type":"play","table":8,"move":"0,1"}\n'


def test_every_move_is_answered_once(bare_port: int) -> None:
    run = play_bare(bare_port, REVERSI, pairs=3, games=2)
    assert run.moves == len(run.answers)
    assert run.moves == sum(len(games_of(REVERSI)[n]) for n in (0, 1, 1, 2, 2, 3))


def test_a_bare_server_sends_as_many_bytes_as_it_is_told(bare_port: int) -> None:
    run = play_bare(bare_port, NIM, pairs=2, games=1)
    assert run.heard == run.moves * (220 + 180)


def test_a_server_that_hangs_up_is_noticed() -> None:
    near, far = socket.socketpair()
    other, beyond = socket.socketpair()
    with near, far, other, beyond:
        pair = Pair((LoadLine(near, 0), LoadLine(other, 1)), script([((0, "d3"),)], [1], ending=0))
        far.shutdown(socket.SHUT_WR)
        with pytest.raises(CannotMeasure, match="hung up"):
            play([pair])
