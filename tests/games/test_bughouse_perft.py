"""One bughouse board against published counts and against another implementation.

The counts of chess are those of the Chess Programming Wiki's page "Perft Results". They
agree with ours as deep as no line ends early, and no hand is given. pyffish is the
oracle for drops: it knows one board of bughouse, where captures leave the board.
"""

import chess.variant
import pytest

from rookery.core.chance import Chance
from rookery.games.bughouse import board_perft
from rookery.games.bughouse.board import Board
from rookery.games.bughouse.fen import format_board
from tests.games.bughouse_boards import GAME, on_turn, opened, texts

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
TALKCHESS = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        (START, (1, 20, 400, 8902, 197281)),
        (KIWIPETE, (1, 48, 2039, 97862)),
        (ENDGAME, (1, 14, 191, 2812, 43238)),
        (PROMOTIONS, (1, 6, 264, 9467)),
        (TALKCHESS, (1, 44, 1486, 62379)),
    ],
)
def test_without_hands_a_board_counts_like_chess(fen: str, counts: tuple[int, ...]) -> None:
    assert tuple(board_perft(fen, depth) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("", 3),
        ("P", 3 + 48),
        ("N", 3 + 62),
        ("NN", 3 + 62),
        ("PNBRQ", 3 + 48 + 4 * 62),
        ("q", 3),
    ],
)
def test_a_hand_adds_a_drop_for_every_kind_and_empty_square(hand: str, count: int) -> None:
    assert board_perft(f"k7/8/8/8/8/8/8/7K[{hand}] w - - 0 1", 1) == count


def crazyhouse_lines(board: chess.variant.CrazyhouseBoard, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += crazyhouse_lines(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        ("k7/8/8/8/8/8/8/7K[P] w - - 0 1", 3),
        ("k7/8/8/8/8/8/8/7K[PP] w - - 0 1", 3),
        ("4k3/pppp4/8/8/8/8/4PPPP/4K3[QNpr] w - - 0 1", 2),
    ],
)
def test_a_hand_is_used_up_as_in_crazyhouse(fen: str, depth: int) -> None:
    # The same game as long as no capture fills a hand that is used within the depth.
    assert board_perft(fen, depth) == crazyhouse_lines(chess.variant.CrazyhouseBoard(fen), depth)


def test_a_capture_never_fills_a_hand_of_the_same_board() -> None:
    # White has to take the queen, then black has 3 moves, then white's king 8 and no drop.
    assert board_perft("k7/8/8/8/8/8/6q1/7K w - - 0 1", 3) == 1 * 3 * 8


MATED = "6k1/6Q1/5P2/8/8/8/8/6K1[q] b - - 0 1"
WAITING = "R6k/6pp/8/8/8/8/8/6K1[] b - - 0 1"


def test_a_mate_is_one_line_at_any_depth() -> None:
    assert [board_perft(MATED, depth) for depth in range(4)] == [1, 1, 1, 1]


def test_a_player_who_waits_makes_no_line() -> None:
    assert [board_perft(WAITING, depth) for depth in range(4)] == [1, 0, 0, 0]


def positions(seed: int, count: int) -> list[tuple[Board, list[str]]]:
    """Boards reached by random play, and the legal moves there without the board's number."""
    chance = Chance(seed)
    found: list[tuple[Board, list[str]]] = []
    state = opened()
    while len(found) < count:
        number = chance.between(1, 2)
        seat = on_turn(state, number)
        moves = list(GAME.legal_moves(state, seat))
        found.append((state.boards[number - 1], [text[2:] for text in texts(state, seat)]))
        if moves:
            state = GAME.play(state, seat, chance.choice(moves)).state
        if GAME.outcome(state) is not None:
            state = opened()
    return found


@pytest.mark.parametrize("seed", range(4))
def test_legal_moves_agree_with_pyffish(seed: int) -> None:
    pyffish = pytest.importorskip("pyffish")
    for board, moves in positions(seed, 400):
        fen = format_board(board)
        assert sorted(moves) == sorted(pyffish.legal_moves("bughouse", fen, [])), fen


@pytest.mark.parametrize("seed", range(4))
def test_a_mate_is_a_check_that_pyffish_finds_no_answer_to_with_every_piece_in_hand(
    seed: int,
) -> None:
    pyffish = pytest.importorskip("pyffish")
    checks = 0
    for board, _ in positions(100 + seed, 600):
        if board.checked:
            pieces, _, rest = format_board(board).partition("[")
            armed = f"{pieces}[QRBNPqrbnp]{rest.partition(']')[2]}"
            assert board.mated == (not pyffish.legal_moves("bughouse", armed, [])), armed
            checks += 1
    assert checks > 20
