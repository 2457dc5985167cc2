"""Bughouse's moves: two boards at once, hands, drops, and chess's special moves."""

import pytest

from rookery.core.ids import Seat
from rookery.games.bughouse import (
    Castled,
    Dropped,
    EnPassant,
    Handed,
    Promoted,
    board_of,
    is_white,
    partner,
    seat_on,
)
from tests.games.bughouse_boards import (
    BLACK_1,
    BLACK_2,
    CHESS,
    GAME,
    WHITE_1,
    WHITE_2,
    beside,
    drawn,
    effects,
    hands,
    opened,
    played,
    refused,
    texts,
)

KINGS = drawn("k....... " + "........ " * 6 + ".......K")


def holding(pieces: str, turn: str = "w") -> str:
    """Two kings, and these hands."""
    return KINGS.replace("[] w", f"[{pieces}] {turn}")


def test_partners_sit_at_different_boards_with_different_colours() -> None:
    assert GAME.teams(4) == (0, 1, 1, 0)
    assert [partner(Seat(seat)) for seat in range(4)] == [BLACK_2, WHITE_2, BLACK_1, WHITE_1]


def test_seats_are_named_by_colour_and_board() -> None:
    names = ["white on board 1", "black on board 1", "white on board 2", "black on board 2"]
    assert [GAME.seat_name(Seat(seat)) for seat in range(4)] == names


def test_a_seat_is_its_board_and_colour() -> None:
    seats = [Seat(n) for n in range(4)]
    assert [seat_on(board_of(seat), white=is_white(seat)) for seat in seats] == seats


def test_white_begins_on_both_boards_at_once() -> None:
    assert GAME.to_act(opened()) == {WHITE_1, WHITE_2}


def test_a_move_hands_the_turn_over_on_its_own_board_only() -> None:
    assert GAME.to_act(played(opened(), "1:e2e4")) == {BLACK_1, WHITE_2}


def test_one_board_may_run_ahead_of_the_other() -> None:
    assert GAME.to_act(played(opened(), "2:e2e4 2:e7e5 2:g1f3")) == {WHITE_1, BLACK_2}


def test_a_captured_piece_goes_to_the_partner() -> None:
    state = played(opened(), "1:e2e4 1:d7d5 1:e4d5")
    assert hands(state) == ("", "", "", "P")


def test_every_seat_captures_for_its_partner() -> None:
    moves = "1:e2e4 1:d7d5 1:e4d5 1:d8d5 2:e2e4 2:d7d5 2:e4d5 2:d8d5"
    assert hands(played(opened(), moves)) == ("P", "P", "P", "P")


def test_the_capture_says_what_went_where() -> None:
    state = played(opened(), "1:e2e4 1:d7d5")
    assert effects(state, "1:e4d5") == (Handed(WHITE_1, BLACK_2, "P", 0),)


ROOK_AND_PREY = drawn(
    """
    b......k
    ........
    ........
    ........
    n.......
    ........
    ........
    R....K..
    """
)


def test_a_hand_keeps_the_order_of_arrival() -> None:
    state = beside(ROOK_AND_PREY, holding("p"))
    assert hands(played(state, "1:a1a4 1:h8h7 1:a4a8")) == ("", "", "", "PNB")


def test_the_last_to_arrive_has_the_last_index() -> None:
    state = played(beside(ROOK_AND_PREY, holding("p")), "1:a1a4 1:h8h7")
    assert effects(state, "1:a4a8") == (Handed(WHITE_1, BLACK_2, "B", 2),)


def test_a_promoted_piece_goes_back_as_a_pawn() -> None:
    state = beside("k7/8/8/8/q~7/8/8/R6K[] w - - 0 1")
    assert effects(state, "1:a1a4") == (Handed(WHITE_1, BLACK_2, "P", 0),)


def test_a_pawn_promoted_in_play_goes_back_as_a_pawn() -> None:
    state = played(beside("5r1k/P7/8/8/8/8/8/K7[] w - - 0 1"), "1:a7a8q 1:f8a8")
    assert hands(state)[WHITE_2] == "P"


def test_a_promoted_piece_keeps_its_mark_when_it_moves() -> None:
    state = played(beside("7k/P7/8/8/8/8/8/K7[] w - - 0 1"), "1:a7a8q 1:h8h7 1:a8b8")
    assert GAME.format_position(state).startswith("1Q~6/7k/")


def test_a_drop_takes_the_earliest_of_its_kind() -> None:
    state = beside(holding("NPQP"))
    assert effects(state, "1:P@e4") == (Dropped(WHITE_1, 1),)
    assert hands(played(state, "1:P@e4"))[WHITE_1] == "NQP"


def test_black_drops_from_its_own_hand() -> None:
    state = played(beside(holding("Nn", "b")), "1:N@e4")
    assert hands(state)[:2] == ("N", "")
    assert GAME.format_position(state).startswith("k7/8/8/8/4n3/")


def test_a_dropped_piece_is_not_promoted_and_goes_back_as_itself() -> None:
    state = played(beside(holding("qN", "b")), "1:Q@g1 1:h1g1")
    assert hands(state)[BLACK_2] == "Q"


def test_a_knight_may_be_dropped_on_every_empty_square() -> None:
    state = beside(holding("N"))
    assert sum("@" in text for text in texts(state, WHITE_1)) == 62


def test_a_pawn_is_never_dropped_on_the_first_or_last_rank() -> None:
    drops = [text for text in texts(beside(holding("P")), WHITE_1) if "@" in text]
    assert sorted({text[-1] for text in drops}) == list("234567")
    assert len(drops) == 48


def test_a_pawn_dropped_on_the_second_rank_may_step_twice() -> None:
    state = played(beside(holding("P")), "1:P@e2 1:a8a7")
    assert "1:e2e4" in texts(state, WHITE_1)


def test_a_drop_may_give_check() -> None:
    state = played(beside(holding("R")), "1:R@a1")
    assert GAME.view(state, None).in_check == (BLACK_1,)


def test_in_check_only_drops_that_block_are_legal() -> None:
    state = beside(
        drawn(
            """
            k.......
            ........
            ........
            r......K
            ........
            ........
            ........
            ........
            """,
            hands="N",
        )
    )
    drops = [text for text in texts(state, WHITE_1) if "@" in text]
    assert drops == [f"1:N@{file}5" for file in "bcdefg"]


CASTLING = drawn("r...k..r " + "........ " * 6 + "R...K..R", castling="KQkq")


@pytest.mark.parametrize(
    ("before", "move", "rook"),
    [
        ("", "1:e1g1", ("h1", "f1")),
        ("", "1:e1c1", ("a1", "d1")),
        ("1:a1b1", "1:e8g8", ("h8", "f8")),
        ("1:h1g1", "1:e8c8", ("a8", "d8")),
    ],
)
def test_castling_takes_the_rook_along(before: str, move: str, rook: tuple[str, str]) -> None:
    assert effects(played(beside(CASTLING), before), move) == (Castled(1, *rook),)


def test_castling_is_not_written_as_the_king_taking_its_rook() -> None:
    assert refused(beside(CASTLING), WHITE_1, "1:e1h1") == "taken"


def test_a_king_does_not_castle_through_check() -> None:
    through_f1 = CASTLING.replace("/8/8/8/8/8/8/", "/8/8/8/5q2/8/8/")
    assert "1:e1g1" not in texts(beside(through_f1), WHITE_1)


def test_a_rook_dropped_in_the_corner_does_not_castle() -> None:
    lone = drawn("....k... " + "........ " * 6 + "....K...", hands="R")
    state = played(beside(lone), "1:R@h1 1:e8e7")
    assert "1:e1g1" not in texts(state, WHITE_1)


def test_en_passant_tells_where_the_victim_stood() -> None:
    state = played(opened(), "2:e2e4 2:a7a6 2:e4e5 2:d7d5")
    assert effects(state, "2:e5d6") == (EnPassant(2, "d5"), Handed(WHITE_2, BLACK_1, "P", 0))


def test_en_passant_is_gone_after_another_move() -> None:
    state = played(opened(), "2:e2e4 2:a7a6 2:e4e5 2:d7d5 2:h2h3 2:h7h6")
    assert refused(state, WHITE_2, "2:e5d6") == "illegal"


def test_en_passant_waits_while_the_other_board_moves() -> None:
    state = played(opened(), "2:e2e4 2:a7a6 2:e4e5 2:d7d5 1:e2e4 1:e7e5")
    assert refused(state, WHITE_2, "2:e5d6") == "accepted"


def test_a_promotion_says_what_the_pawn_became_and_how_many_pieces_are_held() -> None:
    state = beside("7k/P7/8/8/8/8/8/K7[NB] w - - 0 1")
    assert effects(state, "1:a7a8r") == (Promoted(1, "a8", "R", 2),)


def test_a_promotion_that_captures_promotes_before_it_hands_over() -> None:
    state = beside("1r5k/P7/8/8/8/8/8/K7[] w - - 0 1")
    handed = Handed(WHITE_1, BLACK_2, "R", 0)
    assert effects(state, "1:a7b8n") == (Promoted(1, "b8", "N", 0), handed)


def test_the_view_shows_boards_hands_turns_and_checks() -> None:
    state = played(opened(), "1:e2e4 1:d7d5 1:f1b5")
    view = GAME.view(state, None)
    fen = "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR[] b KQkq - 1 2"
    assert view.fens == (fen, CHESS)
    assert view.turns == (BLACK_1, WHITE_2)
    assert view.in_check == (BLACK_1,)
    assert view.plies == 3


def test_every_viewer_sees_the_same() -> None:
    state = played(opened(), "1:e2e4 1:d7d5 1:e4d5")
    views = {GAME.view(state, viewer) for viewer in (None, WHITE_1, BLACK_1, WHITE_2, BLACK_2)}
    assert len(views) == 1


def test_the_same_moves_make_equal_states() -> None:
    one, two = (played(opened(), "1:e2e4 2:d2d4 1:d7d5 1:e4d5") for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
