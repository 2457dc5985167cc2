"""Reversi on any even board, 4 to 26 wide: othello, black-white and their small cousins.

A side's discs are the bits of one integer (`lines`).
A move is legal where it turns something over, which is looked at along the lines from its
square. Of the side to move next it is only asked whether it can: its squares are worked out when
somebody asks for them. Passing is the rules' own doing: the turn is always with a seat that can
move. A move is written as column letter and row number from the top: `d3`.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import (
    BadNotation,
    BadOption,
    BadPosition,
    IllegalMove,
    game_over,
    not_your_turn,
)
from rookery.core.game import (
    OVER,
    Effect,
    Forfeit,
    Forfeited,
    Outcome,
    Step,
    View,
    cap,
    draw,
    other,
    win,
)
from rookery.core.ids import NOBODY, Seat, alone
from rookery.core.options import check_whole
from rookery.games.reversi.effects import Flipped, Passed
from rookery.games.reversi.lines import can_move, flips_of, indexes_of, mobility
from rookery.games.reversi.presentation import SHOWN, TAUGHT

BLACK: Final = Seat(0)
WHITE: Final = Seat(1)
SMALLEST, LARGEST = 4, 26  # no smaller board has a middle; no larger one has letters enough
OPENING_MAX: Final = 20  # a third of the usual board: longer, and chance plays the game

_NAMES: Final = ("black", "white")
_MARKS: Final = "XO"  # by seat
_MOVE: Final = re.compile(r"([A-Za-z])([0-9]{1,2})")


class Place(Struct, frozen=True):
    """Put a disc on this square; both numbers from 0, the row from the top."""

    col: int
    row: int


class State(Struct, frozen=True, gc=False):
    """Both sides' discs, and whose turn it is; nobody's when it is over."""

    discs: tuple[int, int]
    turn: Seat
    over: bool = False
    lost: Forfeited | None = None


class ReversiView(View, frozen=True, tag="reversi_view"):
    """Everyone sees everything: rows from the top of X (black), O (white) and dots."""

    size: int
    rows: tuple[str, ...]
    turn: Seat | None
    discs: tuple[int, int]


class Reversi(Struct, frozen=True):
    """Enclose the other side's discs to turn them over; most discs at the end win."""

    name: ClassVar = "reversi"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    shown: ClassVar = SHOWN
    taught: ClassVar = TAUGHT

    size: Annotated[int, Meta(description="rows and columns; even, 4 to 26")] = 8
    opening: Annotated[int, Meta(description="moves drawn by chance before the game; 0 to 20")] = 0

    def __post_init__(self) -> None:
        size: object = self.size
        if not isinstance(size, int) or size % 2 or not SMALLEST <= size <= LARGEST:
            raise BadOption(f"A board is an even size from {SMALLEST} to {LARGEST}, not {size!r}.")
        check_whole("opening", self.opening, 0, OPENING_MAX)

    def seat_name(self, seat: Seat) -> str:
        """`black` or `white`."""
        return _NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """Four discs crosswise in the middle, white on the falling diagonal; black to move.

        Then the opening is played. It stops early where every move would end the game.
        """
        return self._opened(chance)[0]

    def opening_moves(self, chance: Chance) -> tuple[tuple[Seat, Place], ...]:
        """The opening that this chance draws."""
        return self._opened(chance)[1]

    def _opened(self, chance: Chance) -> tuple[State, tuple[tuple[Seat, Place], ...]]:
        """The position after the opening, and the moves of the opening."""
        low, high = self.size // 2 - 1, self.size // 2
        white = self._bit(low, low) | self._bit(high, high)
        black = self._bit(high, low) | self._bit(low, high)
        state = State((black, white), BLACK)
        played: tuple[tuple[Seat, Place], ...] = ()
        for _ in range(self.opening):
            seat = state.turn
            after = [(m, self.play(state, seat, m).state) for m in self.legal_moves(state, seat)]
            lasting = [(move, later) for move, later in after if not later.over]
            if not lasting:
                break
            move, state = chance.choice(lasting)
            played = (*played, (seat, move))
        return state, played

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return OVER if state.over else "play"

    def to_act(self, state: State) -> frozenset[Seat]:
        """The one seat on turn."""
        return NOBODY if state.over else alone(state.turn)

    def legal_moves(self, state: State, seat: Seat) -> Iterable[Place]:
        """The legal moves, row by row from the top."""
        if seat != state.turn or state.over:
            return ()
        stride = self.size + 1
        moves = mobility(self.size, state.discs[seat], state.discs[1 - seat])
        return tuple(Place(at % stride, at // stride) for at in indexes_of(moves))

    def play(self, state: State, seat: Seat, move: Place) -> Step[State]:
        """Put a disc down and turn over every line it encloses."""
        if state.over:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        size, col, row = self.size, move.col, move.row
        own, theirs = state.discs[seat], state.discs[1 - seat]
        at = row * (size + 1) + col if 0 <= col < size and 0 <= row < size else -1
        flips = 0 if at < 0 or (own | theirs) >> at & 1 else flips_of(size, at, own, theirs)
        if not flips:
            raise self._refusal(state, move)
        own, theirs = own | 1 << at | flips, theirs ^ flips
        discs = (own, theirs) if seat == BLACK else (theirs, own)
        effects: tuple[Effect, ...] = _flip_effects(size, flips)
        turn = WHITE if seat == BLACK else BLACK
        if can_move(size, theirs, own):
            return Step(State(discs, turn), effects)
        if can_move(size, own, theirs):
            return Step(State(discs, seat), (*effects, Passed(turn)))
        return Step(State(discs, turn, over=True), effects)

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if state.over:
            raise game_over()
        return Step(replace(state, over=True, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """The side with more discs wins; equal numbers are a draw."""
        if not state.over:
            return None
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence, _count(state))
        black, white = count = _count(state)
        if black == white:
            return draw(2, "discs", f"Both sides have {black} discs.", count)
        winner = BLACK if black > white else WHITE
        most, least = max(count), min(count)
        sentence = f"{cap(self.seat_name(winner))} has {most} discs to {least}."
        return win(2, winner, "discs", sentence, count)

    def view(self, state: State, viewer: Seat | None) -> ReversiView:
        """The board."""
        turn = None if state.over else state.turn
        return ReversiView(self.size, self._rows(state), turn, _count(state))

    def parse_move(self, text: str) -> Place:
        """Column letter and row number, `d3`."""
        return _read(text)

    def format_move(self, move: Place) -> str:
        """Column letter and row number, `d3`."""
        return _written(move)

    def parse_position(self, text: str) -> State:
        """Rows from the top with `/` between, a space, the side to move. Raises BadPosition."""
        board, _, mark = text.strip().rpartition(" ")
        rows = board.split("/")
        if mark not in _MARKS or len(mark) != 1:
            raise BadPosition("A position ends in a space and the side to move, X or O.")
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            raise BadPosition(
                f"A position has {self.size} rows of {self.size}, with / between them."
            )
        if set(board) - set("./XO"):
            raise BadPosition("A row is made of X (black), O (white) and dots.")
        middle = (self.size // 2 - 1, self.size // 2)
        if any(rows[row][col] == "." for row in middle for col in middle):
            raise BadPosition("The four squares in the middle are never empty.")
        black, white = (self._bits(rows, mark) for mark in _MARKS)
        turn = Seat(_MARKS.index(mark))
        own, theirs = (black, white) if turn == BLACK else (white, black)
        if can_move(self.size, own, theirs):
            return State((black, white), turn)
        if can_move(self.size, theirs, own):
            return State((black, white), other(turn))
        return State((black, white), turn, over=True)

    def imagine(self, view: ReversiView, seat: Seat, chance: Chance) -> State:
        """The board that everyone sees. Raises BadPosition."""
        turn = seat if view.turn is None else view.turn
        return self.parse_position(f"{'/'.join(view.rows)} {_MARKS[turn]}")

    def format_position(self, state: State) -> str:
        """Rows from the top with `/` between, then the side to move."""
        return f"{'/'.join(self._rows(state))} {_MARKS[state.turn]}"

    def _bit(self, col: int, row: int) -> int:
        return 1 << (row * (self.size + 1) + col)

    def _bits(self, rows: list[str], mark: str) -> int:
        squares = ((c, r) for r, row in enumerate(rows) for c, m in enumerate(row) if m == mark)
        return sum(self._bit(col, row) for col, row in squares)

    def _rows(self, state: State) -> tuple[str, ...]:
        size, (black, white) = self.size, state.discs
        row, starts = (1 << size) - 1, range(0, size * (size + 1), size + 1)
        # A list is made faster than what a generator gives: old clients see a board a move.
        return tuple([_row(size, black >> at & row, white >> at & row) for at in starts])

    def _refusal(self, state: State, move: Place) -> IllegalMove:
        """Why this move is not legal, as the error to raise."""
        if not 0 <= move.row < self.size:
            return IllegalMove("off_board_row", f"There is no row {move.row + 1}.")
        if not 0 <= move.col < self.size:
            return IllegalMove(
                "off_board_column", f"There is no column {chr(ord('a') + move.col)}."
            )
        if self._bit(move.col, move.row) & (state.discs[0] | state.discs[1]):
            return IllegalMove("taken", f"{self.format_move(move)} is taken.")
        return IllegalMove("flips_nothing", f"{self.format_move(move)} would turn over no disc.")


def _count(state: State) -> tuple[int, int]:
    return state.discs[0].bit_count(), state.discs[1].bit_count()


@cache  # what cannot be read is not kept, so there are few thousand
def _read(text: str) -> Place:
    read = _MOVE.fullmatch(text)
    if read is None or read[2].startswith("0"):
        raise BadNotation(f"A move is a column letter and a row number like d3, not {text[:40]!r}.")
    return Place(ord(read[1].lower()) - ord("a"), int(read[2]) - 1)


@cache  # as few
def _written(move: Place) -> str:
    return f"{chr(ord('a') + move.col)}{move.row + 1}"


@lru_cache(maxsize=1 << 13)  # about all there are of eight squares
def _row(size: int, black: int, white: int) -> str:
    return "".join(
        _MARKS[white >> at & 1] if (black | white) >> at & 1 else "." for at in range(size)
    )


@cache
def _flipped(size: int) -> dict[int, Flipped]:
    """The effect of each bit's disc turning over, made once and shared by every move."""
    stride = size + 1
    return {1 << at: Flipped(at % stride, at // stride) for at in range(size * stride)}


def _flip_effects(size: int, flips: int) -> tuple[Flipped, ...]:
    """The effects of these flips, by row, then column: that is the order of the bits."""
    effects, found = _flipped(size), []
    while flips:
        low = flips & -flips
        found.append(effects[low])
        flips ^= low
    return tuple(found)
