"""The quick search at bughouse finds what it found by asking the whole board each time."""

from functools import cache

import pytest

from rookery.bots.bughouse.geometry import KING_STEPS
from rookery.bots.bughouse.moves import drops, goes, legal, takes
from rookery.bots.bughouse.quick import HAND, PAWN, Move, Quick
from rookery.bots.bughouse.safety import TEMPO, danger, judge
from rookery.bots.bughouse.search import Search
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.bughouse import Bughouse
from rookery.games.bughouse.fen import parse_board

PLIES = 90


@cache
def boards(seed: int) -> tuple[str, ...]:
    """Both boards after each move of a game played at random; most have pieces in hand."""
    game, chance = Bughouse(), Chance(seed)
    state, found = game.start(4, chance), list[str]()
    for _ in range(PLIES):
        if game.outcome(state) is not None:
            break
        able = [(s, tuple(game.legal_moves(state, s))) for s in sorted(game.to_act(state))]
        seat, moves = chance.choice([one for one in able if one[1]])
        state = game.play(state, seat, chance.choice(moves)).state
        found += game.view(state, Seat(0)).fens
    return tuple(found)


def tried(board: Quick) -> list[Move]:
    """What a search tries: moves that may leave the king in check are among them."""
    squares = board.guards() if board.checked() else list(range(64))
    return goes(board) + drops(board, squares)


class Asking(Quick):
    """A board that looks all around the king whatever the move was."""

    __slots__ = ()

    def checks(self, move: Move, before: int) -> bool:  # noqa: ARG002 - it asks the board
        return self.checked()

    def exposes(self, move: Move, before: int, *, checked: bool) -> bool:  # noqa: ARG002
        return self.exposed()


@pytest.mark.parametrize("seed", range(4))
def test_a_look_at_the_move_tells_who_is_in_check(seed: int) -> None:
    for fen in boards(seed):
        board = Quick(parse_board(fen))
        checked, passed = board.checked(), board.en_passant
        for move in tried(board):
            undo = board.make(move)
            assert board.exposes(move, passed, checked=checked) == board.exposed(), (fen, move)
            if not board.exposed():
                assert board.checks(move, passed) == board.checked(), (fen, move)
            board.unmake(move, undo)


@pytest.mark.parametrize("seed", range(4))
def test_captures_are_those_moves_that_take_or_promote(seed: int) -> None:
    for fen in boards(seed):
        board = Quick(parse_board(fen))
        cells, passed = board.cells, board.en_passant
        taking = [
            (start, end, kind)
            for start, end, kind in goes(board)
            if cells[end] or kind or (end == passed and cells[start] & 7 == PAWN)
        ]
        assert takes(board) == taking


@pytest.mark.parametrize("seed", range(2))
def test_a_position_is_worth_its_balance_and_what_stands_beside_the_kings(seed: int) -> None:
    for fen in boards(seed):
        board = Quick(parse_board(fen))
        dangers = []
        for side, king in enumerate(board.kings):
            beside = [board.cells[at] for at in KING_STEPS[king]]
            threats = sum(1 for piece in beside if piece and (piece > 8) != bool(side))
            _, pawns, knights, bishops, rooks, queens = board.hands[1 - side]
            held = pawns + 3 * knights + 2 * bishops + 2 * rooks + 4 * queens
            dangers.append((6 * beside.count(0) + 25 * threats) * (3 + min(held, 12)) // 4)
            assert danger(board, side) == dangers[side]
        white = board.balance - dangers[0] + dangers[1]
        assert judge(board) == (-white if board.side else white) + TEMPO


@pytest.mark.parametrize("seed", range(2))
def test_a_search_finds_the_same_as_one_that_asks_the_whole_board(seed: int) -> None:
    for fen in boards(seed)[::30]:
        moves = legal(Quick(parse_board(fen)))
        if moves:
            found = [
                Search(kind(parse_board(fen)), 400, lambda: False).best(moves, 12)
                for kind in (Quick, Asking)
            ]
            assert found[0] == found[1]


def test_some_of_these_games_have_everything_that_is_special() -> None:
    fens = [fen for seed in range(4) for fen in boards(seed)]
    all_boards = [Quick(parse_board(fen)) for fen in fens]
    assert any(board.checked() for board in all_boards)
    assert any(any(board.hands[board.side]) for board in all_boards)
    moves = [(board, move) for board in all_boards for move in tried(board)]
    assert any(start != HAND and kind for _, (start, _, kind) in moves)
    assert any(
        end == board.en_passant and board.cells[start] & 7 == PAWN
        for board, (start, end, _) in moves
        if start != HAND
    )
    assert any(
        abs(end - start) == 2 and board.cells[start] & 7 == 6
        for board, (start, end, _) in moves
        if start != HAND
    )
