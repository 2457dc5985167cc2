"""How a bughouse game ends: mates, waiting, draws, and forfeits."""

import pytest

from rookery.core.errors import GAME_OVER, BadOption, IllegalMove
from rookery.core.game import OVER, Forfeit
from rookery.core.ids import Seat
from rookery.games.bughouse import Bughouse
from rookery.games.bughouse.board import position_key
from rookery.games.bughouse.fen import parse_board
from tests.games.bughouse_boards import (
    BLACK_1,
    BLACK_2,
    GAME,
    WHITE_1,
    WHITE_2,
    beside,
    drawn,
    hands,
    how,
    opened,
    played,
    refused,
    texts,
)

CONTACT = drawn(
    """
    ......k.
    ........
    .....P.Q
    ........
    ........
    ........
    ........
    ......K.
    """
)
BACK_RANK = drawn(
    """
    .......k
    ......pp
    ........
    ........
    ........
    ........
    ........
    R.....K.
    """
)
STALEMATED = drawn(
    """
    .......k
    ........
    ........
    ........
    ........
    .q......
    ........
    K.......
    """
)
SMOTHERED = drawn(
    """
    ......rk
    ......pp
    ........
    ........
    ........
    ........
    ........
    ......K.
    """,
    hands="Nqb",
)


def test_a_mate_from_next_to_the_king_wins_for_the_team() -> None:
    outcome = GAME.outcome(played(beside(CONTACT), "1:h6g7"))
    assert outcome is not None
    assert outcome.how == "mate"
    assert outcome.places == (1, 2, 2, 1)
    assert outcome.reason == "Black on board 1 is mated."


def test_a_mate_on_one_board_ends_both() -> None:
    state = played(beside(CONTACT), "1:h6g7")
    assert GAME.to_act(state) == frozenset()
    assert GAME.phase(state) == OVER
    assert refused(state, WHITE_2, "2:e2e4") == GAME_OVER
    assert GAME.view(state, None).turns == ()


def test_a_mate_on_board_two_wins_for_the_other_team() -> None:
    outcome = GAME.outcome(played(beside(BACK_RANK, CONTACT), "2:h6g7"))
    assert outcome is not None
    assert outcome.places == (2, 1, 1, 2)


def test_the_fools_mate_of_chess_is_none() -> None:
    # The queen on h4 is two squares away: a piece on g3 would block.
    assert how(played(opened(), "2:f2f3 2:e7e5 2:g2g4 2:d8h4")) is None


def test_a_drop_may_mate() -> None:
    armed = CONTACT.replace("5P1Q", "5P2").replace("[]", "[Q]")
    assert how(played(beside(armed), "1:Q@g7")) == "mate"


def test_a_knights_check_is_mate_whatever_the_hand_holds() -> None:
    assert hands(beside(SMOTHERED))[BLACK_1] == "QB"
    assert how(played(beside(SMOTHERED), "1:N@f7")) == "mate"


def test_a_double_check_without_a_flight_is_mate_from_any_distance() -> None:
    # From f6 the bishop checks along with the rook on h1, and no piece can block both.
    state = beside(
        drawn(
            """
            ......rk
            ........
            ........
            ........
            .......B
            ........
            .....K..
            .......R
            """,
            hands="q",
        )
    )
    assert how(played(state, "1:h4f6")) == "mate"


def test_a_check_that_a_drop_could_block_is_no_mate_even_with_an_empty_hand() -> None:
    state = played(beside(BACK_RANK), "1:a1a8")
    assert how(state) is None
    assert hands(state)[BLACK_1] == ""


def test_a_player_without_a_move_stays_on_turn_and_waits() -> None:
    state = played(beside(BACK_RANK), "1:a1a8")
    assert BLACK_1 in GAME.to_act(state)
    assert texts(state, BLACK_1) == []


def test_a_piece_from_the_partner_frees_a_waiting_player() -> None:
    state = played(beside(BACK_RANK), "1:a1a8 2:e2e4 2:d7d5 2:e4d5 2:g8f6 2:f1b5 2:b8c6 2:b5c6")
    assert hands(state)[BLACK_1] == "PN"
    assert texts(state, BLACK_1) == [f"1:N@{file}8" for file in "bcdefg"]


def test_a_player_who_is_stalemated_waits_too() -> None:
    state = beside(STALEMATED)
    assert how(state) is None
    assert GAME.to_act(state) == {WHITE_1, WHITE_2}
    assert texts(state, WHITE_1) == []


def test_a_stalemated_player_drops_what_arrives() -> None:
    state = played(beside(STALEMATED), "2:e2e4 2:d7d5 2:e4e5 2:d5d4 2:e5e6 2:f7e6")
    assert hands(state)[WHITE_1] == "P"
    assert "1:P@b2" in texts(state, WHITE_1)


# White on board 1 and black on board 2 are partners; on turn, and each could only wait.
BOARD_1, BOARD_2 = "1:f2f3 1:e7e5 1:g2g4 1:d8h4", "2:e2e4 2:f7f6 2:d2d4 2:g7g5 2:d1h5"
PARTNERS = f"{BOARD_1} {BOARD_2}"
OPPONENTS = f"{BOARD_1} {BOARD_1.replace('1:', '2:')}"


def test_two_opponents_who_both_wait_draw() -> None:
    outcome = GAME.outcome(played(opened(), OPPONENTS))
    assert outcome is not None
    assert (outcome.how, outcome.drawn) == ("stuck", True)


@pytest.mark.parametrize("moves", [PARTNERS, f"{BOARD_2} {BOARD_1}"])
def test_two_partners_who_both_wait_have_lost_whoever_was_last(moves: str) -> None:
    outcome = GAME.outcome(played(opened(), moves))
    assert outcome is not None
    assert (outcome.how, outcome.places) == ("stuck", (2, 1, 1, 2))
    assert outcome.reason == "Both partners wait for a piece, and none can come."


def test_two_partners_who_both_wait_have_lost_on_their_back_ranks() -> None:
    boards = "r5k1/5ppp/8/8/8/8/5PPP/6K1[] b - - 0 1", "R5k1/5ppp/8/8/8/8/5PPP/6K1[] b - - 0 1"
    state = beside(*boards)
    assert how(state) is None
    outcome = GAME.outcome(played(state, "1:a8a1"))
    assert outcome is not None
    assert outcome.places == (2, 1, 1, 2)
    over = GAME.outcome(GAME.parse_position(GAME.format_position(played(state, "1:a8a1"))))
    assert over == outcome


def test_a_piece_in_a_partners_hand_keeps_both_in_the_game() -> None:
    taking = PARTNERS.replace("1:f2f3", "1:f2f3 1:h7h6 1:b1c3 1:d7d5 1:c3d5")
    state = played(opened(), taking.replace("1:g2g4 1:d8h4", "1:d5c3 1:d8h4 1:g2g3 1:h4g3"))
    assert hands(state)[BLACK_2] == "P"
    assert how(state) is None


def test_waiting_without_a_check_is_waiting_too() -> None:
    # White on board 2, who is stalemated, is the partner of black on board 1.
    outcome = GAME.outcome(played(beside(BACK_RANK, STALEMATED), "1:a1a8"))
    assert outcome is not None
    assert (outcome.how, outcome.places) == ("stuck", (1, 2, 2, 1))


def test_a_piece_in_one_hand_is_enough_to_play_on() -> None:
    holding = STALEMATED.replace("[]", "[P]")
    assert how(played(beside(BACK_RANK, holding), "1:a1a8")) is None


def test_a_pawn_in_hand_does_not_help_where_only_the_last_rank_could_be_blocked() -> None:
    pawn, knight = BACK_RANK.replace("[]", "[p]"), BACK_RANK.replace("[]", "[n]")
    assert how(played(beside(pawn, STALEMATED), "1:a1a8")) == "stuck"
    assert how(played(beside(knight, STALEMATED), "1:a1a8")) is None


TAKER = drawn(
    """
    .q.....k
    ........
    ........
    ........
    ........
    .N......
    ........
    K.......
    """,
    turn="b",
)
CHECKED_FROM_F1 = drawn(
    """
    .......k
    ........
    ........
    ........
    ........
    ........
    ......PP
    .....q.K
    """
)


def test_a_capture_that_frees_the_waiting_partner_is_no_draw() -> None:
    # The knight goes to white on board 2, who can put it on g1; white on board 1 is stuck.
    state = played(beside(TAKER, CHECKED_FROM_F1), "1:b8b3")
    assert how(state) is None
    assert texts(state, WHITE_1) == []
    assert texts(state, WHITE_2) == ["2:N@g1"]


def test_a_capture_that_frees_neither_opponent_is_a_draw() -> None:
    pawn = TAKER.replace("1N6", "1P6")
    assert how(played(beside(pawn, CHECKED_FROM_F1), "1:b8b3")) == "stuck"


SHUFFLE = "1:g1f3 1:g8f6 1:f3g1 1:f6g8 "


def test_the_third_time_of_a_position_on_a_board_is_a_draw() -> None:
    outcome = GAME.outcome(played(opened(), SHUFFLE * 2))
    assert outcome is not None
    assert outcome.how == "repetition"
    assert outcome.drawn


def test_the_second_time_is_none() -> None:
    assert how(played(opened(), SHUFFLE + SHUFFLE.removesuffix("1:f6g8 "))) is None


def test_moves_on_the_other_board_do_not_break_a_repetition() -> None:
    assert how(played(opened(), SHUFFLE + "2:e2e4 2:e7e5 " + SHUFFLE)) == "repetition"


def test_another_hand_makes_another_position() -> None:
    taking = "2:e2e4 2:d7d5 2:e4d5 "
    assert how(played(opened(), SHUFFLE + taking + SHUFFLE * 2)) is None
    assert how(played(opened(), SHUFFLE + taking + SHUFFLE * 2 + "1:g1f3")) == "repetition"


def test_a_piece_that_arrives_is_no_new_time_of_a_position() -> None:
    state = played(opened(), "2:e2e4 2:d7d5 " + SHUFFLE + "2:e4d5")
    # The pieces stand as at the start, with a pawn in black's hand, for the first time.
    assert how(played(state, SHUFFLE * 2)) is None
    assert how(played(state, SHUFFLE * 2 + "1:g1f3")) == "repetition"


def test_lost_castling_rights_make_another_position() -> None:
    home = "1:e2e4 1:e7e5 "
    walk = "1:e1e2 1:e8e7 1:e2e1 1:e7e8 "
    assert how(played(opened(), home + walk * 2)) is None
    assert how(played(opened(), home + walk * 2 + "1:e1e2 1:e8e7")) == "repetition"


def key(fen: str) -> bytes:
    return position_key(parse_board(fen))


def test_the_order_of_a_hand_does_not_matter_for_a_position() -> None:
    kings = "k7/8/8/8/8/8/8/7K[{}] w - - 0 1"
    assert key(kings.format("PNq")) == key(kings.format("NPq"))
    assert key(kings.format("PNq")) != key(kings.format("PNQ"))


def test_a_promoted_mark_makes_another_position() -> None:
    assert key("k7/8/8/8/8/8/5Q~2/7K w - - 0 1") != key("k7/8/8/8/8/8/5Q2/7K w - - 0 1")


def test_a_chance_to_capture_en_passant_makes_another_position() -> None:
    with_capturer, without = "k7/8/8/8/3pP3/8/8/7K b - {} 0 1", "k7/8/8/8/4P3/8/8/7K b - {} 0 1"
    assert key(with_capturer.format("e3")) != key(with_capturer.format("-"))
    assert key(without.format("e3")) == key(without.format("-"))


def test_the_game_is_drawn_when_it_reaches_its_plies_over_both_boards() -> None:
    game = Bughouse(plies=3)
    state = played(opened(), "1:e2e4 2:e2e4", game)
    assert how(state, game) is None
    assert how(played(state, "2:e7e5", game), game) == "plies"


def test_a_mate_on_the_last_ply_wins() -> None:
    game = Bughouse(plies=1)
    state = Bughouse(plies=2).parse_position(f"{CONTACT} | {BACK_RANK}")
    assert how(played(state, "1:h6g7", game), game) == "mate"


def test_a_repetition_on_the_last_ply_is_a_repetition() -> None:
    game = Bughouse(plies=8)
    assert how(played(opened(), SHUFFLE * 2, game), game) == "repetition"


@pytest.mark.parametrize("plies", [0, -1, 10_001, True, "9", 2.5, None])
def test_plies_are_a_whole_number_in_bounds(plies: object) -> None:
    with pytest.raises(BadOption, match="plies"):
        Bughouse(plies=plies)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seat", "places"),
    [
        (WHITE_1, (2, 1, 1, 2)),
        (BLACK_1, (1, 2, 2, 1)),
        (WHITE_2, (1, 2, 2, 1)),
        (BLACK_2, (2, 1, 1, 2)),
    ],
)
def test_a_forfeit_loses_for_the_team(seat: Seat, places: tuple[int, ...]) -> None:
    outcome = GAME.outcome(GAME.forfeit(opened(), seat, Forfeit.LATE).state)
    assert outcome is not None
    assert outcome.places == places
    assert outcome.how == Forfeit.LATE
    assert outcome.reason == f"{GAME.seat_name(seat).capitalize()} ran out of time."


def test_nobody_forfeits_after_the_end() -> None:
    state = GAME.forfeit(opened(), WHITE_1, Forfeit.RESIGNED).state
    with pytest.raises(IllegalMove) as no:
        GAME.forfeit(state, BLACK_1, Forfeit.GONE)
    assert no.value.code == GAME_OVER
