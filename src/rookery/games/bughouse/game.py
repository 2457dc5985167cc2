"""Bughouse as a game: two boards at once, and one outcome for both.

A player without a move waits, on turn, for a piece from the partner. A mate is a check
against which nothing would help, not even a piece the player does not hold. After a
move the referee looks, in this order, for a mate on that board, for the third time of
a position there, for two players who both have to wait, and for the last ply allowed.
Two partners who both wait get nothing any more, for nobody else is on turn: with clocks
their flags would fall, so their team has lost. Two opponents who both wait have drawn.
A position comes about by a move on its own board (or the start): a piece that arrives
from the other board changes the hand, but is no new time.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import IllegalMove, game_over, not_your_turn
from rookery.core.game import OVER, Forfeit, Forfeited, Outcome, Step, View, cap, draw
from rookery.core.ids import NOBODY, Seat
from rookery.core.options import check_whole
from rookery.games.bughouse import notation
from rookery.games.bughouse.board import PIECES, Board, legal_moves, position_key, thaw
from rookery.games.bughouse.effects import Handed
from rookery.games.bughouse.fen import START, format_board, format_boards, parse_board, parse_boards
from rookery.games.bughouse.notation import Drop, Go, Move, san
from rookery.games.bughouse.perft import board_perft
from rookery.games.bughouse.presentation import SHOWN, TAUGHT
from rookery.games.bughouse.rules import (
    NAMES,
    TEAMS,
    board_of,
    is_white,
    make_drop,
    make_go,
    partner,
    seat_on,
)

LONGEST: Final = 10_000  # plies: the history of a game grows with it

_TURNS: Final = {
    (one, two): frozenset({seat_on(1, white=one), seat_on(2, white=two)})
    for one in (True, False)
    for two in (True, False)
}

Boards = tuple[Board, Board]
Keys = tuple[bytes, ...]


class State(Struct, frozen=True):
    """Both boards, the positions each has had so far, and the outcome once there is one."""

    boards: Boards
    seen: tuple[Keys, Keys]
    ended: Outcome | None = None


class BughouseView(View, frozen=True, tag="bughouse_view"):
    """Everyone sees everything: a FEN a board, and by seat the hands in order of arrival."""

    fens: tuple[str, str]
    hands: tuple[str, str, str, str]
    turns: tuple[Seat, ...]
    in_check: tuple[Seat, ...]
    plies: int


class Bughouse(Struct, frozen=True):
    """Two boards, two teams: drop what your partner captures; one mate wins both boards."""

    name: ClassVar = "bughouse"
    rules: ClassVar = 2
    seat_counts: ClassVar = range(4, 5)
    shown: ClassVar = SHOWN
    taught: ClassVar = TAUGHT
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)

    plies: Annotated[
        int, Meta(description="the game is drawn after so many moves over both boards")
    ] = 1000

    def __post_init__(self) -> None:
        check_whole("plies", self.plies, 1, LONGEST)

    def seat_name(self, seat: Seat) -> str:
        """`white on board 1` and so on."""
        return NAMES[seat]

    def completed(self, text: str, seat: Seat) -> str:
        """The move with its board; a move without one is on the seat's own board."""
        return text if ":" in text else f"{board_of(seat)}:{text}"

    def counts_of(self, part: str) -> Callable[[int], int] | None:
        """A counter of lines on one board, given as a FEN with its hands; None for two boards."""
        return None if "|" in part else partial(board_perft, part)

    def teams(self, seats: int) -> tuple[int, ...]:
        """Partners play different colours on different boards."""
        return TEAMS

    def start(self, seats: int, chance: Chance) -> State:
        """Chess on both boards, and nothing in hand."""
        return _START

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if state.ended is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """The seats on turn, one a board, also one that can do nothing but wait."""
        if state.ended is not None:
            return NOBODY
        one, two = state.boards
        return _TURNS[one.whites_turn, two.whites_turn]

    def legal_moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """The legal moves by start, end and promotion; then drops by piece and square."""
        if seat not in self.to_act(state):
            return ()
        at = board_of(seat)
        board = state.boards[at - 1]
        goes, drops = [], []
        for move in legal_moves(thaw(board), board.hand):
            if move.drop is not None:
                drops.append(Drop(at, PIECES[move.drop - 1], move.to_square))
            else:
                letter = PIECES[move.promotion - 1] if move.promotion else None
                goes.append(Go(at, move.from_square, move.to_square, letter))
        goes.sort(key=lambda go: (go.start, go.end, go.promotion or ""))
        return (*goes, *drops)

    def play(self, state: State, seat: Seat, move: Move) -> Step[State]:
        """Move or drop on the seat's own board; a captured piece goes to its partner."""
        if state.ended is not None:
            raise game_over()
        at = board_of(seat)
        here, there = state.boards[at - 1], state.boards[2 - at]
        if here.whites_turn != is_white(seat):
            raise not_your_turn()
        if move.board != at:
            raise IllegalMove("wrong_board", f"You play on board {at}.")
        match move:
            case Go():
                made = make_go(here, move)
            case Drop():
                made = make_drop(here, seat, move)
        effects = made.effects
        if made.captured is not None:
            there, handed = _hand_over(there, seat, made.captured)
            effects = (*effects, handed)
        key = position_key(made.board)
        past = state.seen[at - 1]
        boards, seen = (made.board, there), ((*past, key), state.seen[2 - at])
        if at == 2:
            boards, seen = boards[::-1], seen[::-1]
        return Step(State(boards, seen, self._judge(boards, at, past.count(key) + 1)), effects)

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The seat's team loses."""
        if state.ended is not None:
            raise game_over()
        sentence = Forfeited(seat, why).sentence(self.seat_name(seat))
        return Step(replace(state, ended=_loss(seat, why, sentence)))

    def outcome(self, state: State) -> Outcome | None:
        """A mate or a forfeit decides for both of a team; all else is a draw."""
        return state.ended

    def view(self, state: State, viewer: Seat | None) -> BughouseView:
        """Both boards and all hands."""
        one, two = state.boards
        on_turn = [seat_on(n, white=b.whites_turn) for n, b in enumerate(state.boards, 1)]
        return BughouseView(
            fens=(format_board(one), format_board(two)),
            hands=(*one.hands, *two.hands),
            turns=tuple(on_turn) if state.ended is None else (),
            in_check=tuple(s for s, b in zip(on_turn, state.boards, strict=True) if b.checked),
            plies=one.plies + two.plies,
        )

    def imagine(self, view: BughouseView, seat: Seat, chance: Chance) -> State:
        """The boards that everyone sees, as if they had stood for the first time."""
        return self.parse_position(" | ".join(view.fens))

    def noted(self, state: State, move: Move) -> str:
        """The move as chess players write it: `exd5`, `N@f3+`, `Qh5#`."""
        return san(state.boards[move.board - 1], move)

    def parse_move(self, text: str) -> Move:
        """A board's number, a colon, and `e2e4`, `e7e8q` or `N@f3`."""
        return notation.parse_move(text)

    def format_move(self, move: Move) -> str:
        """`1:e2e4`, `1:e7e8q` or `2:N@f3`."""
        return notation.format_move(move)

    def parse_position(self, text: str) -> State:
        """Two FENs with hands and ` | ` between. Raises BadPosition."""
        boards = parse_boards(text)
        mated = 2 if boards[1].mated else 1
        return replace(_begin(boards), ended=self._judge(boards, mated, 1))

    def format_position(self, state: State) -> str:
        """Two FENs with hands and ` | ` between; a forfeit is not in it."""
        return format_boards(state.boards)

    def _judge(self, boards: Boards, at: int, times: int) -> Outcome | None:
        """How the game ends when this board's position has come up so many times."""
        one, two = boards
        board = boards[at - 1]
        if board.mated:
            loser = seat_on(at, white=board.whites_turn)
            return _loss(loser, "mate", f"{cap(self.seat_name(loser))} is mated.")
        if times >= 3:
            return draw(
                4,
                "repetition",
                f"Board {at} has had the same position with the same hands 3 times.",
            )
        if one.stuck and two.stuck:
            return self._stuck(boards)
        if one.plies + two.plies >= self.plies:
            return draw(4, "plies", f"The game has reached {self.plies} moves over both boards.")
        return None

    def _stuck(self, boards: Boards) -> Outcome:
        """The outcome when both players on turn wait for a piece."""
        one, two = boards
        waiting = seat_on(1, white=one.whites_turn)
        if seat_on(2, white=two.whites_turn) != partner(waiting):
            return draw(4, "stuck", "Neither player on turn has a move.")
        return _loss(waiting, "stuck", "Both partners wait for a piece, and none can come.")


def _begin(boards: Boards) -> State:
    one, two = boards
    return State(boards, ((position_key(one),), (position_key(two),)))


def _hand_over(there: Board, seat: Seat, piece: str) -> tuple[Board, Handed]:
    """The partner's board with this piece at the end of the partner's hand."""
    white, black = there.hands
    if is_white(partner(seat)):
        index, hands = len(white), (white + piece, black)
    else:
        index, hands = len(black), (white, black + piece)
    return replace(there, hands=hands), Handed(seat, partner(seat), piece, index)


def _loss(loser: Seat, how: str, reason: str) -> Outcome:
    """An outcome with the loser's whole team second, and the other first."""
    return Outcome(tuple(2 if team == TEAMS[loser] else 1 for team in TEAMS), how, reason)


_START: Final = _begin((parse_board(START), parse_board(START)))
