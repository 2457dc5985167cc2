"""The quick way of bughouse's moves says what python-chess says, or nothing."""

from collections import Counter
from itertools import permutations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.chance import Chance
from rookery.core.errors import IllegalMove
from rookery.core.game import Step
from rookery.games.bughouse import Drop, Go, Move, State, board_of
from rookery.games.bughouse.board import KINDS, Board, spend
from rookery.games.bughouse.quick import quick_drop, quick_go
from rookery.games.bughouse.rules import plain_drop, plain_go
from tests.games.bughouse_boards import CHESS, GAME, beside, drawn, opened, played

PLIES = 120


def check_same(board: Board, move: Move) -> bool:
    """Both ways come to the same; whether the quick one knew."""
    if isinstance(move, Drop):
        hands = spend(board.hands, move.piece, white=board.whites_turn)
        quick = quick_drop(board, KINDS[move.piece], move.at, hands)
        assert quick in (None, plain_drop(board, move, hands))
        return quick is not None
    went = None if move.promotion else quick_go(board, move.start, move.end)
    if went is not None:
        plain = plain_go(board, move)
        assert went == (plain.board, plain.captured)
        assert plain.effects == ()
    return went is not None


def by_chance(chance: Chance) -> Counter[bool]:
    """A game in which any legal move may come, each judged both ways, and how often either knew."""
    knew: Counter[bool] = Counter()
    state = opened()
    for _ in range(PLIES):
        seats = sorted(GAME.to_act(state))
        moves = [(seat, move) for seat in seats for move in GAME.legal_moves(state, seat)]
        if not moves:
            break
        for seat, move in chance.shuffled(moves)[:6]:
            knew[check_same(state.boards[board_of(seat) - 1], move)] += 1
        seat, move = chance.choice(moves)
        step: Step[State] = GAME.play(state, seat, move)
        state = step.state
    return knew


@given(st.integers(0, 10_000))
def test_every_legal_move_of_a_game_comes_to_the_same_both_ways(seed: int) -> None:
    by_chance(Chance(seed))


def test_nearly_every_move_goes_the_quick_way() -> None:
    knew = sum((by_chance(Chance(seed)) for seed in range(5)), Counter[bool]())
    assert knew[True] > 4 * knew[False]


@given(st.integers(0, 10_000))
def test_what_python_chess_refuses_the_quick_way_does_not_know(seed: int) -> None:
    chance, state = Chance(seed), opened()
    for _ in range(30):
        seat = chance.choice(sorted(GAME.to_act(state)))
        board = state.boards[board_of(seat) - 1]
        for _ in range(30):
            move = Go(board_of(seat), chance.below(64), chance.below(64))
            if move.start == move.end:
                continue
            try:
                plain_go(board, move)
            except IllegalMove:
                assert quick_go(board, move.start, move.end) is None
            else:
                check_same(board, move)
        if not (moves := list(GAME.legal_moves(state, seat))):
            break
        state = GAME.play(state, seat, chance.choice(moves)).state


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("", "1:e2e4"),
        ("1:e2e4 1:a7a6 1:e4e5", "1:d7d5"),  # may be taken in passing
        ("1:e2e4 1:d7d5", "1:e4d5"),
        ("1:e2e4 1:e7e5 1:g1f3 1:b8c6 1:f1c4 1:g8f6", "1:e1g1"),
        ("1:e2e4 1:e7e5 1:e1e2", "1:e8e7"),
        ("1:h2h4 1:h7h5 1:h1h3", "1:h8h6"),
        ("1:e2e4 1:f7f6", "1:d1h5"),  # a check
    ],
)
def test_castling_rights_and_passing_pawns_are_the_same_both_ways(before: str, move: str) -> None:
    board = played(opened(), before).boards[0]
    check_same(board, GAME.parse_move(move))


@pytest.mark.parametrize(
    ("picture", "move"),
    [
        (".......k ........ ........ .b...... ........ ...N.... ....K... ........", "1:d3f4"),
        ("....r..k ........ ........ ........ ........ ....N... ........ ....K...", "1:e3g4"),
        (".......k ........ ........ ........ ........ ....r... ........ ...K....", "1:d1e1"),
        (".......k ........ ........ ........ ........ ........ .....p.. ...K....", "1:d1e1"),
    ],
)
def test_a_king_is_not_left_in_check_the_quick_way(picture: str, move: str) -> None:
    go = GAME.parse_move(move)
    assert isinstance(go, Go)
    board = beside(drawn(picture)).boards[0]
    assert quick_go(board, go.start, go.end) is None
    with pytest.raises(IllegalMove):
        plain_go(board, go)


@pytest.mark.parametrize("turn", ["w", "b"])
def test_from_any_square_to_any_other_the_quick_way_knows_no_move_that_is_none(turn: str) -> None:
    board = beside(CHESS.replace(" w ", f" {turn} ")).boards[0]
    known = 0
    for start, end in permutations(chess.SQUARES, 2):
        if quick_go(board, start, end) is not None:
            known += check_same(board, Go(1, start, end))
    assert known == 20


STALEMATES = {
    "a king alone": """
        k.......
        ........
        ........
        ........
        ..Q.....
        ........
        ........
        K.......
        """,
    "a knight between its own pawns": """
        k.......
        ........
        ........
        ........
        ..Q.....
        ......p.
        .....pP.
        K....B.n
        """,
}


@pytest.mark.parametrize("picture", STALEMATES.values(), ids=list(STALEMATES))
def test_who_cannot_move_any_more_is_left_to_python_chess(picture: str) -> None:
    board = beside(drawn(picture)).boards[0]
    assert not plain_go(board, Go(1, chess.C4, chess.C7)).board.mobile
    assert quick_go(board, chess.C4, chess.C7) is None
