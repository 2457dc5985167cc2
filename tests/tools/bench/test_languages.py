"""The prepared games can be played: they are legal, and they are what they are said to be."""

import chess
import pytest

from rookery.bots import level_of
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant
from rookery_tools.bench.languages import blackwhite, fish, fishcom
from rookery_tools.bench.languages.bughouse import DIFFERENT, PLIES, quiet_games
from rookery_tools.bench.languages.language import told_both, told_next
from rookery_tools.bench.languages.othello import column_row
from rookery_tools.bench.languages.websocket import message
from rookery_tools.bench.load.scripts import REVERSI, games_of
from rookery_tools.bench.server.thinking import GAMES, LEVEL, sights


@pytest.mark.parametrize("variant", [REVERSI, blackwhite.VARIANT, fish.VARIANT, fishcom.VARIANT])
def test_a_prepared_game_is_legal_whatever_the_seed(variant: str) -> None:
    game: AnyGame = parse_variant(variant)
    for seed, moves in enumerate(games_of(variant)):
        state = game.start(2, Chance(1000 + seed))
        for seat, text in moves:
            state = game.play(state, Seat(seat), game.parse_move(text)).state
        assert not game.to_act(state)


@pytest.mark.parametrize("n", range(DIFFERENT))
def test_a_quiet_game_is_legal_takes_nothing_and_never_repeats(n: int) -> None:
    board = chess.Board()
    seen = set()
    for move in quiet_games()[n]:
        assert move in board.legal_moves
        assert not board.is_capture(move)
        assert not board.is_castling(move)
        assert move.promotion is None
        board.push(move)
        assert not board.is_check()
        seen.add(board.board_fen())
    assert len(seen) == PLIES


def test_quiet_games_are_different() -> None:
    assert len(set(quiet_games())) == DIFFERENT


def test_where_both_are_told_one_waits_for_all_moves_before() -> None:
    script = told_both([(0, b"a"), (1, b"b"), (1, b"c")])
    assert [step.due for step in script.steps] == [0, 1, 2]
    assert script.heard == (3, 3)


def test_where_the_next_is_told_one_waits_for_ones_own_call() -> None:
    # The first has been called; then the second, twice, and the first again.
    script = told_next([(0, b"a"), (1, b"b"), (1, b"c"), (0, b"d")])
    assert [step.due for step in script.steps] == [0, 1, 2, 1]
    assert script.heard == (1, 2)


def test_a_square_is_read_as_column_and_row() -> None:
    assert column_row("d3") == (3, 2)
    assert column_row("j10") == (9, 9)


def test_a_message_to_a_server_is_masked() -> None:
    framed = message(b"hello")
    assert framed[:2] == b"\x81\x85"
    assert bytes(one ^ framed[2 + n % 4] for n, one in enumerate(framed[6:])) == b"hello"
    assert message(bytes(300))[:4] == b"\x81\xfe\x01\x2c"


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_that_is_timed_uses_all_its_nodes(name: str) -> None:
    few, asked = 600, 0

    def halt() -> bool:
        nonlocal asked
        asked += 1
        return False

    (sight,) = sights(name, 1)
    bot = level_of(name, LEVEL).bot
    bot.choose(sight, Chance(1), few, halt)
    with_few, asked = asked, 0
    bot.choose(sight, Chance(1), 4 * few, halt)
    assert asked > with_few
