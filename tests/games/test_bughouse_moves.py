"""Bughouse's notation, and the reasons a move is refused for."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.errors import NOT_YOUR_TURN, BadNotation, IllegalMove
from rookery.core.ids import Seat
from rookery.games.bughouse import Drop, Go, Move
from tests.games.bughouse_boards import (
    BLACK_1,
    GAME,
    WHITE_1,
    WHITE_2,
    beside,
    drawn,
    opened,
    played,
    refused,
    texts,
)

E2, E4, E7, E8, F3 = 12, 28, 52, 60, 21


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("1:e2e4", Go(1, E2, E4)),
        ("2:e7e8q", Go(2, E7, E8, "Q")),
        ("1:e7e8N", Go(1, E7, E8, "N")),
        ("2:N@f3", Drop(2, "N", F3)),
        ("2:p@f3", Drop(2, "P", F3)),
    ],
)
def test_a_move_is_a_board_and_what_happens_there(text: str, move: Move) -> None:
    assert GAME.parse_move(text) == move


@pytest.mark.parametrize(
    ("read", "written"),
    [("1:n@f3", "1:N@f3"), ("1:N@f3", "1:N@f3"), ("2:a7a8Q", "2:a7a8q"), ("2:a7a8q", "2:a7a8q")],
)
def test_a_drop_is_written_in_upper_case_and_a_promotion_in_lower(read: str, written: str) -> None:
    assert GAME.format_move(GAME.parse_move(read)) == written


@pytest.mark.parametrize(
    "text",
    [
        "", "e2e4", "1:", "1e2e4", "3:e2e4", "0:e2e4", "11:e2e4", "1:e2", "1:e2e9", "1:i2i4",
        "1:E2E4", "1:0000", "0000", "1:e2e2", "1:e7e8p", "1:e7e8k", "1:e7e8qq", "1:K@e4", "1:k@e4",
        "1:@e4", "1:N@e9", "1:N@e4q", "1:N@", "1:NN@e4", " 1:e2e4", "1:e2e4 ", "1:e2e4\n",
        "1: e2e4", "1:e2-e4", "1:O-O", "1:Nf3", "１:e2e4", "1:e２e4", "1:N＠f3", "\ud800",
        "1:e2e4" * 99,
    ],
)  # fmt: skip
def test_what_is_no_move_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation, match="A move is written like"):
        GAME.parse_move(text)


@given(st.text())
def test_any_text_is_a_move_or_bad_notation(text: str) -> None:
    with suppress(BadNotation):
        assert GAME.parse_move(GAME.format_move(GAME.parse_move(text))) == GAME.parse_move(text)


@given(st.from_regex(r"\A[12]:([a-h][1-8][a-h][1-8][nbrqNBRQ]?|[pnbrqPNBRQ]@[a-h][1-8])\Z"))
def test_a_written_move_is_read_as_the_same(text: str) -> None:
    with suppress(BadNotation):
        move = GAME.parse_move(text)
        assert GAME.parse_move(GAME.format_move(move)) == move


def test_a_seat_waits_for_its_turn() -> None:
    assert refused(opened(), BLACK_1, "1:e7e5") == NOT_YOUR_TURN


def test_a_seat_moves_on_its_own_board_only() -> None:
    assert refused(opened(), WHITE_1, "2:e2e4") == "wrong_board"


PINNED = drawn(
    """
    ....r..k
    .P.....p
    ........
    ........
    ........
    ........
    P...N...
    R...K..R
    """,
    castling="KQ",
    hands="PNp",
)
CHECKED = drawn(
    """
    ....r..k
    ........
    ........
    ........
    ........
    ........
    P.......
    ....K...
    """,
    hands="N",
)


@pytest.mark.parametrize(
    ("board", "text", "code"),
    [
        (PINNED, "1:e4e5", "no_piece"),
        (PINNED, "1:e8e7", "not_your_piece"),
        (PINNED, "1:a1a2", "taken"),
        (PINNED, "1:e1h1", "taken"),
        (PINNED, "1:a2a5", "illegal"),
        (PINNED, "1:a2b3", "illegal"),
        (PINNED, "1:a1b2", "illegal"),
        (PINNED, "1:e2c3", "in_check"),
        (PINNED, "1:a2a3q", "promotion_wrong"),
        (PINNED, "1:e1d1q", "promotion_wrong"),
        (PINNED, "1:b7b8", "promotion_missing"),
        (PINNED, "1:b7c8", "illegal"),
        (PINNED, "1:b7c8q", "illegal"),
        (PINNED, "1:Q@e4", "not_in_hand"),
        (PINNED, "1:P@e2", "taken"),
        (PINNED, "1:P@c1", "pawn_rank"),
        (PINNED, "1:P@c8", "pawn_rank"),
        (PINNED, "1:N@c8", "accepted"),
        (CHECKED, "1:a2a3", "in_check"),
        (CHECKED, "1:N@a3", "in_check"),
        (CHECKED, "1:e1e2", "in_check"),
        (CHECKED, "1:N@e5", "accepted"),
        (CHECKED, "1:e1f1", "accepted"),
    ],
)
def test_a_refusal_says_why(board: str, text: str, code: str) -> None:
    assert refused(beside(board), WHITE_1, text) == code


def test_a_refusal_is_a_sentence() -> None:
    with pytest.raises(IllegalMove, match=r"^The pawn on e2 cannot move to e5\.$"):
        GAME.play(opened(), WHITE_1, GAME.parse_move("1:e2e5"))


def every_move(board: int) -> list[Move]:
    """All that can be written for this board."""
    goes = [
        Go(board, start, end, letter)
        for start in range(64)
        for end in range(64)
        for letter in (None, "N", "B", "R", "Q")
        if start != end
    ]
    return [*goes, *(Drop(board, piece, at) for piece in "PNBRQ" for at in range(64))]


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[] w KQkq - 0 1"


@pytest.mark.parametrize("board", [PINNED, CHECKED, KIWIPETE])
def test_play_accepts_exactly_the_legal_moves(board: str) -> None:
    state = beside(board)
    accepted = set()
    for move in every_move(1):
        with suppress(IllegalMove):
            GAME.play(state, WHITE_1, move)
            accepted.add(move)
    assert accepted == set(GAME.legal_moves(state, WHITE_1))


def test_legal_moves_come_in_the_order_of_the_squares_and_drops_last() -> None:
    state = beside("7k/P7/8/8/8/8/8/7K[NP] w - - 0 1")
    goes = ["1:h1g1", "1:h1g2", "1:h1h2", "1:a7a8b", "1:a7a8n", "1:a7a8q", "1:a7a8r"]
    moves = texts(state, WHITE_1)
    assert moves[:7] == goes
    assert moves[7:9] == ["1:P@a2", "1:P@b2"]
    assert moves[-1] == "1:N@g8"


@pytest.mark.parametrize("seat", [BLACK_1, Seat(3)])
def test_a_seat_that_is_not_on_turn_has_no_moves(seat: Seat) -> None:
    assert texts(opened(), seat) == []


def test_moves_on_board_two_are_written_for_board_two() -> None:
    state = played(opened(), "1:e2e4")
    assert {text[:2] for text in texts(state, WHITE_2)} == {"2:"}
