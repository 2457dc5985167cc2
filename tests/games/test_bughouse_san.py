"""Moves of bughouse as chess players write them, and every one of a position apart."""

from hypothesis import given
from hypothesis import strategies as st

from tests.games.bughouse_boards import CHESS, GAME, beside, drawn, on_turn, opened


def noted(fen: str, move: str) -> str:
    """How this move on the first board is written."""
    return GAME.noted(beside(fen), GAME.parse_move(f"1:{move}"))


def test_a_pawn_is_written_by_its_file_where_it_takes() -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2"
    assert noted(fen, "e4d5") == "exd5"
    assert noted(CHESS, "e2e4") == "e4"


def test_two_knights_that_can_go_there_are_told_apart() -> None:
    fen = drawn("....k... ........ ........ ........ ........ .....N.. ........ .N..K...")
    assert noted(fen, "b1d2") == "Nbd2"


def test_castling_and_becoming_a_queen_are_written_as_ever() -> None:
    fen = drawn(
        "........ P...k... ........ ........ ........ ........ ........ ....K..R", castling="K"
    )
    assert noted(fen, "e1g1") == "O-O"
    assert noted(fen, "a7a8q") == "a8=Q"


def test_a_drop_says_its_piece_and_a_check() -> None:
    fen = drawn(
        "....k... ........ ........ ........ ........ ........ ........ ....K...", hands="NPR"
    )
    assert noted(fen, "N@f6") == "N@f6+"
    assert noted(fen, "P@e4") == "@e4"


def test_a_mate_is_one_that_no_piece_from_the_partner_would_help_against() -> None:
    boxed = "......k. .....ppp ........ ........ ........ ........ ........ R...K..."
    assert noted(drawn(boxed), "a1a8") == "Ra8+"  # something could still come between
    smothered = "......rk ......pp ........ ......N. ........ ........ ........ ....K..."
    assert noted(drawn(smothered), "g5f7") == "Nf7#"


@given(st.lists(st.integers(0, 200), max_size=30))
def test_no_two_moves_of_a_board_are_written_alike(picks: list[int]) -> None:
    state = opened()
    for pick in picks:
        seat = on_turn(state, pick % 2 + 1)
        moves = list(GAME.legal_moves(state, seat))
        if not moves or GAME.outcome(state) is not None:
            break
        assert len({GAME.noted(state, move) for move in moves}) == len(moves)
        state = GAME.play(state, seat, moves[pick % len(moves)]).state
