"""Bughouse positions as text: what is read, what is written, what no game could reach."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadPosition
from rookery.games.bughouse import Bughouse, board_perft
from rookery.games.bughouse.fen import format_board, parse_board
from tests.games.bughouse_boards import (
    CHESS,
    GAME,
    WHITE_1,
    beside,
    hands,
    how,
    on_turn,
    opened,
    played,
    texts,
)

KINGS = "k7/8/8/8/8/8/8/7K"


def test_the_start_is_two_games_of_chess() -> None:
    assert GAME.format_position(opened()) == f"{CHESS} | {CHESS}"
    assert GAME.parse_position(f"{CHESS} | {CHESS}") == opened()


def test_a_hand_is_written_in_order_of_arrival() -> None:
    text = f"{KINGS}[NPnQp] w - - 0 1 | {CHESS}"
    state = GAME.parse_position(text)
    assert hands(state) == ("NPQ", "NP", "", "")
    assert GAME.format_position(state) == f"{KINGS}[NPQnp] w - - 0 1 | {CHESS}"


@pytest.mark.parametrize(
    "fen",
    [
        f"{KINGS} w - - 0 1",
        f"{KINGS}[] w - - 0 1",
        f"{KINGS}/ w - - 0 1",
        f"{KINGS} w - -",
        f"  {KINGS}   w - - 0 1 ",
    ],
)
def test_a_fen_may_come_without_hands_or_counters(fen: str) -> None:
    assert GAME.format_position(beside(fen)).startswith(f"{KINGS}[] w - - 0 1 |")


def test_a_hand_may_follow_a_ninth_slash() -> None:
    assert hands(beside(f"{KINGS}/Qpp w - - 0 1"))[:2] == ("Q", "PP")


def test_promoted_marks_are_kept() -> None:
    fen = "k7/8/8/8/8/8/5Q~2/7K[] w - - 0 1"
    assert GAME.format_position(beside(fen)).startswith(fen)


def test_an_en_passant_square_that_is_no_use_is_left_out() -> None:
    state = played(opened(), "1:e2e4")
    assert GAME.format_position(state).startswith(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq - 0 1"
    )


def test_positions_reached_in_play_are_read_back() -> None:
    chance = Chance(11)
    state = opened()
    for _ in range(150):
        text = GAME.format_position(state)
        again = GAME.parse_position(text)
        assert again.boards == state.boards
        assert GAME.format_position(again) == text
        seat = on_turn(state, chance.between(1, 2))
        if moves := list(GAME.legal_moves(state, seat)):
            after = GAME.play(state, seat, chance.choice(moves)).state
            state = state if GAME.outcome(after) else after


def test_the_counters_say_how_many_plies_were_played() -> None:
    state = beside(f"{KINGS} b - - 3 41", f"{KINGS} w - - 0 11")
    assert GAME.view(state, None).plies == 81 + 20


def test_a_position_past_the_last_ply_is_drawn() -> None:
    game = Bughouse(plies=20)
    assert how(beside(f"{KINGS} w - - 0 11", CHESS, game), game) == "plies"


@pytest.mark.parametrize(("one", "two", "places"), [(1, 0, (1, 2, 2, 1)), (0, 1, (2, 1, 1, 2))])
def test_a_mated_position_is_over(one: int, two: int, places: tuple[int, ...]) -> None:
    boards = (CHESS, "6k1/6Q1/5P2/8/8/8/8/6K1[] b - - 0 1")
    outcome = GAME.outcome(beside(boards[one], boards[two]))
    assert outcome is not None
    assert outcome.places == places


def test_a_position_where_both_boards_wait_is_drawn() -> None:
    stalemate = "7k/8/8/8/8/1q6/8/K7[] w - - 0 1"
    assert how(beside(stalemate, stalemate)) == "stuck"


@pytest.mark.parametrize(
    "fen",
    [
        "k7/pppppppp/pppp4/8/8/8/8/7K w - - 0 1",  # twelve pawns
        "k7/8/8/nnnn4/rrrr4/bbbb4/qpppp3/7K b - - 0 1",  # eighteen pieces
        "k7/8/8/8/8/5n2/8/2r3K1 w - - 0 1",  # two checks that no single move gives
    ],
)
def test_what_drops_make_possible_is_read(fen: str) -> None:
    only_kings = f"{KINGS} w - - 0 1"
    assert GAME.format_position(beside(fen, only_kings)).startswith(fen.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("", "A board is written like"),
        ("chess", "A board is written like"),
        (f"{KINGS}[] x - - 0 1", "A board is written like"),
        (f"{KINGS}[] w - - 0", "A board is written like"),
        (f"{KINGS}[] w - e4 0 1", "A board is written like"),
        (f"{KINGS}[] w qK - 0 1", "A board is written like"),
        (f"{KINGS}[Q w - - 0 1", "A board is written like"),
        (f"{KINGS}[] w - - 0 1{' ' * 400}x", "A board is written like"),
        (f"{KINGS}[] w - - 0 ١", "A board is written like"),
        (f"{KINGS[:-1]}\u212a w - - 0 1", "A board is written like"),
        ("k8/8/8/8/8/8/8/7K w - - 0 1", "eight rows of eight"),
        ("k7/8/8/8/8/8/8/6K w - - 0 1", "eight rows of eight"),
        ("k~7/8/8/8/8/8/8/7K w - - 0 1", "promotes to"),
        ("k7/8/8/8/8/P~7/8/7K w - - 0 1", "promotes to"),
        ("8/8/8/8/8/8/8/7K w - - 0 1", "king is missing"),
        ("kk6/8/8/8/8/8/8/7K w - - 0 1", "more than one king"),
        ("kP6/8/8/8/8/8/8/7K w - - 0 1", "pawn on the first or last rank"),
        ("k6R/8/8/8/8/8/8/7K w - - 0 1", "not to move is in check"),
        ("k7/8/8/8/8/8/8/7K w K - 0 1", "castling right"),
        ("4k3/8/8/8/8/8/8/4K2n w K - 0 1", "castling right"),
        ("k7/8/8/8/8/8/8/7K w - e6 0 1", "en passant"),
        (f"{KINGS}[K] w - - 0 1", "hand holds"),
        (f"{KINGS}[x] w - - 0 1", "hand holds"),
        (f"{KINGS}[QQQ] w - - 0 1", "2 white queens, and here are 3"),
        ("k7/pppppppp/pppppppp/8/8/8/8/7K[p] w - - 0 1", "16 black pawns, and here are 17"),
        ("k7/qqq5/8/8/8/8/8/7K w - - 0 1", "2 black queens"),
    ],
)
def test_a_board_no_game_could_reach_is_refused(fen: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.parse_position(f"{fen} | {CHESS}")
    with pytest.raises(BadPosition, match=why):
        board_perft(fen, 1)


@pytest.mark.parametrize("text", ["", CHESS, f"{CHESS} | {CHESS} | {CHESS}"])
def test_a_position_is_two_boards(text: str) -> None:
    with pytest.raises(BadPosition, match="two FENs"):
        GAME.parse_position(text)


def test_the_two_boards_together_have_no_more_than_two_sets() -> None:
    with pytest.raises(BadPosition, match="4 white knights, and here are 5"):
        beside(f"{KINGS}[NNN] w - - 0 1", CHESS)


def test_promoted_pieces_count_as_the_pawns_they_were() -> None:
    state = beside("4k3/8/8/8/8/8/QQ~Q~Q~4/7K w - - 0 1", f"{KINGS} w - - 0 1")
    assert texts(state, WHITE_1)


def test_only_one_board_is_mated() -> None:
    mated = "6k1/6Q1/5P2/8/8/8/8/6K1[] b - - 0 1"
    with pytest.raises(BadPosition, match="Both boards are mated"):
        beside(mated, mated)


def test_a_move_number_of_0_is_read_as_the_first() -> None:
    assert format_board(parse_board(f"{KINGS}[] w - - 0 0")) == f"{KINGS}[] w - - 0 1"
