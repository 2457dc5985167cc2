"""Bughouse bots: mates, drops, captures for the partner, and waiting by the clock."""

from collections.abc import Sequence

import pytest
from chess import A1, A8, E5, F7, G5

from rookery.bots.base import Bot, Level, Sight
from rookery.bots.bughouse import LEVELS, BughouseGreedy, BughouseSearcher
from rookery.bots.bughouse.moves import legal
from rookery.bots.bughouse.needs import gifts
from rookery.bots.bughouse.players import AHEAD, diagonal
from rookery.bots.bughouse.quick import HAND, KNIGHT, ROOK, Move, Quick
from rookery.bots.bughouse.search import mates
from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND, Seat
from rookery.games.bughouse import Bughouse, Drop, Go, State, board_perft, partner
from rookery.games.bughouse.board import KINDS
from rookery.games.bughouse.fen import START, parse_board
from tests.games.bughouse_boards import CHESS, GAME, WHITE_1, WHITE_2, beside, drawn, on_turn

MINUTE = 60 * MICROS_A_SECOND
BEST = LEVELS[-1].bot
THINKERS = LEVELS[1:]  # all but the one that moves anyhow

# Whatever white does, Qg2 is mate.
DOOMED = drawn(
    """
    ..k.....
    ........
    ........
    .P......
    ........
    ......q.
    r.......
    .......K
    """
)
# Both sides have something to do, and white something to drop.
BUSY = drawn(
    """
    r.bqk.nr
    pppp.ppp
    ..n.....
    ..b.p...
    ..B.P...
    .....N..
    PPPP.PPP
    RNBQ.RK.
    """,
    hands="PNb",
    castling="kq",
)
KINGS = drawn("....k... ........ ........ ........ ........ ........ ........ ....K...")
CORNERED = drawn("......rk ......pp ........ ....N... ........ ........ ........ K.......")
BACK_RANK = drawn("......k. .....ppp ........ ........ ........ ........ ........ RK......")


def seen(state: State, board: int = 1, left: tuple[int, ...] | None = None) -> Sight:
    """What the seat on turn on this board sees."""
    seat = on_turn(state, board)
    moves = tuple(map(GAME.format_move, GAME.legal_moves(state, seat)))
    return Sight(GAME, seat, GAME.view(state, seat), moves, left)


def answer(bot: Bot, sight: Sight, nodes: int = 3000, seed: int = 1) -> str | None:
    return bot.choose(sight, Chance(seed), nodes, lambda: False)


def quick_move(move: Go | Drop) -> Move:
    match move:
        case Go(_, start, end, promotion):
            return start, end, KINDS[promotion] if promotion else 0
        case Drop(_, piece, at):
            return HAND, at, KINDS[piece]


@pytest.mark.parametrize("level", THINKERS)
def test_a_mate_in_one_is_played(level: Level) -> None:
    picture = """
        ......k.
        .....p.p
        .....P.Q
        ........
        ........
        ........
        ........
        K.......
        """
    assert answer(level.bot, seen(beside(drawn(picture)))) == "1:h6g7"


@pytest.mark.parametrize("level", THINKERS)
def test_a_drop_that_mates_is_played(level: Level) -> None:
    picture = """
        ......rk
        ......pp
        ........
        ........
        ........
        ........
        ........
        K.......
        """
    assert answer(level.bot, seen(beside(drawn(picture, hands="PN")))) == "1:N@f7"


def test_a_check_that_a_drop_could_end_is_no_mate() -> None:
    assert not mates(Quick(parse_board(BACK_RANK)), (A1, A8, 0))
    assert mates(Quick(parse_board(CORNERED)), (E5, F7, 0))


@pytest.mark.parametrize("level", THINKERS)
def test_a_queen_for_nothing_is_taken(level: Level) -> None:
    picture = """
        ....k...
        pppp.ppp
        ........
        ....q...
        ........
        ...N....
        PPPP.PPP
        ....K...
        """
    assert answer(level.bot, seen(beside(drawn(picture)))) == "1:d3e5"


@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_queen_that_is_attacked_does_not_stay(level: Level) -> None:
    picture = """
        rnbqkbnr
        ppp.pppp
        ........
        ...p....
        ....Q...
        ........
        PPPPPPPP
        RNB.KBNR
        """
    text = answer(level.bot, seen(beside(drawn(picture, castling="KQkq"))))
    assert text is not None
    assert text.startswith("1:e4")


@pytest.mark.parametrize("level", LEVELS[3:])
def test_the_one_answer_to_a_threat_of_mate_is_found(level: Level) -> None:
    # Black threatens Qxg2 mate; only a drop, the pawn or the rook can do something.
    picture = """
        ......k.
        .....ppp
        ........
        ........
        ......n.
        .......q
        .....PP.
        ....R.K.
        """
    state = beside(drawn(picture, hands="N"))
    text = answer(level.bot, seen(state))
    assert text is not None
    after = GAME.play(state, WHITE_1, GAME.parse_move(text)).state.boards[0]
    board = Quick(after)
    assert not any(mates(board, move) for move in legal(board))


def test_what_mates_on_the_other_board_is_worth_more_there() -> None:
    worth = gifts(Quick(parse_board(CORNERED)), 0)
    assert worth[KNIGHT] > worth[ROOK]


def test_a_side_that_waits_for_an_answer_to_its_check_counts_no_mate_yet() -> None:
    # Black is in check already, so any drop by white would look like mate.
    there = Quick(parse_board(CORNERED.replace("4N3", "6N1").replace(" w ", " b ")))
    quiet = gifts(there, 0)
    there.cells[F7] = there.cells[G5]
    there.cells[G5] = 0
    assert there.checked()
    assert gifts(there, 0)[KNIGHT] < quiet[KNIGHT]


def test_the_best_captures_what_its_partner_mates_with() -> None:
    # White here takes a rook or a knight; its partner, black there, mates with N@f2.
    here = drawn(
        """
        ....k...
        ........
        ........
        ..r...n.
        ...P.P..
        ........
        ........
        ....K...
        """
    )
    there = drawn(
        """
        .....k..
        ........
        ........
        ........
        ........
        ........
        ......PP
        ......RK
        """,
        turn="b",
    )
    sight = seen(beside(here, there))
    assert answer(BEST, sight) == "1:f4g5"
    assert answer(BughouseSearcher(depth=3), sight) == "1:d4c5"


def test_one_who_is_lost_waits_while_there_is_more_time_than_the_diagonal_has() -> None:
    left = (2 * MINUTE, MINUTE, MINUTE, MINUTE)
    assert answer(BEST, seen(beside(DOOMED), left=left)) is None


@pytest.mark.parametrize(
    "left",
    [None, (MINUTE, 9 * MINUTE, MINUTE, MINUTE), (MINUTE + AHEAD, MINUTE, MINUTE, MINUTE)],
)
def test_one_who_is_lost_moves_when_waiting_does_not_win_time(left: tuple[int, ...] | None) -> None:
    sight = seen(beside(DOOMED), left=left)
    assert answer(BEST, sight) in sight.moves


def test_one_who_is_not_lost_never_waits() -> None:
    sight = seen(beside(CHESS), left=(9 * MINUTE, 0, 0, 0))
    assert answer(BEST, sight) in sight.moves


def test_the_diagonal_plays_the_partner() -> None:
    assert diagonal(WHITE_1) == WHITE_2
    assert [diagonal(diagonal(Seat(n))) for n in range(4)] == [0, 1, 2, 3]
    assert all(diagonal(Seat(n)) ^ 1 == partner(Seat(n)) for n in range(4))


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        (START, 3),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R[PNq] w KQkq - 0 1", 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8[] w - - 0 1", 3),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1[] w kq - 0 1", 3),
    ],
)
def test_the_quick_board_counts_as_many_lines_as_the_rules_do(fen: str, depth: int) -> None:
    assert lines(Quick(parse_board(fen)), depth) == board_perft(fen, depth)


def lines(board: Quick, depth: int) -> int:
    moves = legal(board)
    if not moves:
        return int(board.checked() and not board.guards())
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        before = board.key(), board.promoted, board.balance
        undo = board.make(move)
        total += lines(board, depth - 1)
        board.unmake(move, undo)
        assert (board.key(), board.promoted, board.balance) == before
    return total


@pytest.mark.parametrize("seed", range(3))
def test_the_quick_board_agrees_with_the_rules_all_game_long(seed: int) -> None:
    chance = Chance(seed)
    state = GAME.start(4, chance)
    for _ in range(120):
        if state.ended is not None:
            break
        seat = chance.choice(sorted(GAME.to_act(state)))
        moves = tuple(GAME.legal_moves(state, seat))
        board = state.boards[seat // 2]
        quick = Quick(board)
        assert set(legal(quick)) == set(map(quick_move, moves))
        assert quick.checked() == board.checked
        if board.checked:
            assert sum(1 << at for at in quick.guards()) == board.drops
        if moves:
            state = GAME.play(state, seat, chance.choice(moves)).state


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_and_nodes_give_the_same_move(level: Level) -> None:
    sight = seen(beside(BUSY, KINGS))
    assert answer(level.bot, sight, 800, 5) == answer(level.bot, sight, 800, 5)


@pytest.mark.parametrize("level", LEVELS)
def test_one_who_is_halted_at_once_still_moves(level: Level) -> None:
    sight = seen(beside(CHESS), left=(MINUTE,) * 4)
    assert level.bot.choose(sight, Chance(1), level.nodes, lambda: True) in sight.moves


def full_game(game: Bughouse, levels: Sequence[Level], seed: int) -> State:
    """The end of a game of these four levels, with few nodes, the boards by turns."""
    chances = [Chance(seed + seat) for seat in range(4)]
    state = game.start(4, Chance(seed))
    turn = 0
    while state.ended is None:
        turn += 1
        sight = seen(state, board=1 + turn % 2)
        if not sight.moves:
            continue
        level = levels[sight.seat]
        text = level.bot.choose(sight, chances[sight.seat], min(level.nodes, 60), lambda: False)
        assert text in sight.moves
        state = game.play(state, sight.seat, game.parse_move(text)).state
    return state


@pytest.mark.parametrize("seed", range(5))
def test_all_levels_play_whole_games_by_the_rules(seed: int) -> None:
    levels = [LEVELS[(seed + seat) % 5] for seat in range(4)]
    assert full_game(Bughouse(plies=160), levels, seed).ended is not None


def test_two_greedy_ones_beat_two_that_move_anyhow() -> None:
    greedy, anyhow = Level(BughouseGreedy(), 1), LEVELS[0]
    ended = full_game(Bughouse(), [greedy, anyhow, anyhow, greedy], 1).ended
    assert ended is not None
    assert ended.winners == (0, 3)


def test_who_minds_the_other_board_leaves_both_opponents_waiting() -> None:
    # Black on board 2 waits already, and is the partner of white on board 1: d1 wins, and
    # the queen for nothing does not.
    one = "r2q2k1/Q4ppp/8/8/8/8/5PPP/6K1[] b - - 0 1"
    sight = seen(beside(one, "R5k1/5ppp/8/8/8/8/5PPP/6K1[] b - - 0 1"))
    assert answer(BEST, sight) == "1:d8d1"
    assert answer(BughouseSearcher(depth=12), sight) == "1:a8a7"
