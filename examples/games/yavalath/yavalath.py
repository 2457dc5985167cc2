"""Yavalath: four in a row win, but three in a row lose. For two or three, on hexagons.

Each lays a stone on a free cell. Whoever makes four in a row (or five) has won; whoever makes
three in a row and not four is out. Of three players each must, if it can, keep the next from
making four; stones of one who is out stay. The game is Cameron Browne's, found by his program
Ludi in 2007.

Cells are named by row and column from the top left, both from 1: a move is `5,5`.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.sdk import (
    NOBODY,
    OVER,
    BadNotation,
    Chance,
    Forfeit,
    HexGrid,
    IllegalMove,
    Outcome,
    Seat,
    Showing,
    Step,
    View,
    alone,
    cap,
    check_whole,
    game_over,
    not_your_turn,
    parse_integer,
)

EMPTY: Final = "."
STONES: Final = "RBY"  # by seat
NAMES: Final = ("red", "blue", "yellow")
WINS, LOSES = 4, 3  # in a row
ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<path d="M20 2 36 11 36 29 20 38 4 29 4 11 Z" fill="#d9c8a0" stroke="#8a7646"/>
<circle cx="14" cy="14" r="5" fill="#d8412f"/><circle cx="26" cy="14" r="5" fill="#d8412f"/>
<circle cx="20" cy="25" r="5" fill="#2f5fa8"/></svg>"""


class State(Struct, frozen=True):
    """The cells row by row, whose turn it is, who is out and why, and who made four."""

    cells: str
    seats: int
    turn: Seat = Seat(0)
    out: tuple[tuple[Seat, str], ...] = ()  # in that order; why is a word of `Forfeit`, or `three`
    won: Seat | None = None

    @property
    def still_in(self) -> list[Seat]:
        """The seats that play on, from the one whose turn it is."""
        gone = {seat for seat, _ in self.out}
        around = (Seat((self.turn + n) % self.seats) for n in range(self.seats))
        return [seat for seat in around if seat not in gone]


class YavalathView(View, frozen=True):
    """Everyone sees everything: the rows from the top, whose turn it is, and who is out."""

    rows: tuple[str, ...]
    turn: Seat | None
    out: tuple[Seat, ...]


class Yavalath(Struct, frozen=True):
    """Make four in a row, and never three before: three in a row lose."""

    side: Annotated[int, Meta(description="cells along each side; 3 to 8")] = 5

    name: ClassVar = "yavalath"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 4)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    shown: ClassVar = Showing(
        icon=ICON,
        board=HexGrid("rows", {"R": 0, "B": 1, "Y": 2}, names="{row1},{col1}", lean="centre"),
        colours=("red", "blue", "yellow"),
        offers=("side=4",),
    )

    def __post_init__(self) -> None:
        """Refuse boards without room for four in a row, and those that nobody can look over."""
        check_whole("side", self.side, 3, 8)

    def seat_name(self, seat: Seat) -> str:
        """`red`, `blue` or `yellow`."""
        return NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """The empty board."""
        return State(EMPTY * len(_cells(self.side)), seats)

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """One after the other."""
        return alone(state.turn) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        """Free cells: of three players, those that keep the next from winning, or win."""
        if seat not in self.to_act(state):
            return ()
        free = [n for n, stone in enumerate(state.cells) if stone == EMPTY]
        return tuple(self._must(state, free) or free)

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        """Lay a stone; four win, three are out."""
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if not 0 <= move < len(state.cells):
            raise IllegalMove("out_of_range", "There is no such cell.")
        if state.cells[move] != EMPTY:
            raise IllegalMove("taken", f"{self.format_move(move)} is taken.")
        if move not in self.legal_moves(state, seat):
            following = NAMES[state.still_in[1]]
            raise IllegalMove("must_block", f"{cap(following)} would make four: prevent that.")
        cells = f"{state.cells[:move]}{STONES[seat]}{state.cells[move + 1 :]}"
        made = self._longest(state.cells, move, STONES[seat])
        after = replace(state, cells=cells, turn=state.still_in[1])
        if made >= WINS:
            return Step(replace(after, won=seat))
        return Step(replace(after, out=(*state.out, (seat, "three"))) if made == LOSES else after)

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The seat is out, if it was not; its stones stay."""
        beaten = (seat, "three")
        if beaten in state.out and self.outcome(state) is None:  # and now it goes, too
            out = tuple((seat, why) if one == beaten else one for one in state.out)
            return Step(replace(state, out=out))
        if seat not in state.still_in or self.outcome(state) is not None:
            raise game_over()
        turn = state.still_in[1] if seat == state.turn else state.turn
        return Step(replace(state, turn=turn, out=(*state.out, (seat, why))))

    def outcome(self, state: State) -> Outcome | None:
        """Four in a row, one who is left, or a full board."""
        left = state.still_in
        if state.won is not None:
            how, reason, first = "four", f"{cap(NAMES[state.won])} made four.", [state.won]
        elif len(left) == 1:
            seat, how = state.out[-1]
            reason, first = f"{cap(NAMES[seat])} {_OUT[how]}.", left
        elif EMPTY not in state.cells:
            how, reason, first = "full", "The board is full, and nobody made four.", left
        else:
            return None
        others = [seat for seat in left if seat not in first]
        order = [first, others, *([seat] for seat, _ in reversed(state.out))]
        places = [0] * state.seats
        for n, group in enumerate(order):
            for seat in group:
                places[seat] = 1 + sum(map(len, order[:n]))
        return Outcome(tuple(places), how, reason)

    def view(self, state: State, viewer: Seat | None) -> YavalathView:
        """The board."""
        rows, cells = [""] * (2 * self.side - 1), _cells(self.side)
        for (row, _), stone in zip(cells, state.cells, strict=True):
            rows[row] += stone
        turn = state.turn if self.outcome(state) is None else None
        return YavalathView(tuple(rows), turn, tuple(seat for seat, _ in state.out))

    def parse_move(self, text: str) -> int:
        """A row and a column, like `5,5`."""
        row, comma, col = text.partition(",")
        cell = (parse_integer(row) - 1, parse_integer(col) - 1) if comma else (0, -1)
        if cell not in _cells(self.side):
            raise BadNotation(f"A cell is a row and a column, like 5,5, and {text[:20]!r} is not.")
        return _cells(self.side).index(cell)

    def format_move(self, move: int) -> str:
        """A row and a column, like `5,5`."""
        row, col = _cells(self.side)[move]
        return f"{row + 1},{col + 1}"

    def _must(self, state: State, free: list[int]) -> list[int]:
        """What one has to choose from, where the next of three threatens to make four."""
        if len(state.still_in) < 3:
            return []
        mine, theirs = (STONES[seat] for seat in state.still_in[:2])
        if not any(self._longest(state.cells, n, theirs) >= WINS for n in free):
            return []
        fours = (max(self._longest(state.cells, n, one) for one in (mine, theirs)) for n in free)
        return [n for n, four in zip(free, fours, strict=True) if four >= WINS]

    def _longest(self, cells: str, at: int, stone: str) -> int:
        """How many in a row a stone laid here makes."""
        longest = 1
        for ahead, behind in _rays(self.side)[at]:
            run = 1
            for ray in (ahead, behind):
                for n in ray:
                    if cells[n] != stone:
                        break
                    run += 1
            longest = max(longest, run)
        return longest


_OUT: Final = {
    "three": "made three in a row",
    Forfeit.RESIGNED: "resigned",
    Forfeit.LATE: "ran out of time",
    Forfeit.CHEATED: "made too many illegal moves",
    Forfeit.GONE: "left the game",
}


@cache
def _cells(side: int) -> tuple[tuple[int, int], ...]:
    """Row and column of every cell of a hexagon with this side."""
    widths = [2 * side - 1 - abs(side - 1 - row) for row in range(2 * side - 1)]
    return tuple((row, col) for row, width in enumerate(widths) for col in range(width))


@cache
def _rays(side: int) -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]:
    """From every cell along three lines: the cells ahead, and those behind."""
    axial = [(col - min(row, side - 1), row) for row, col in _cells(side)]
    number = {cell: n for n, cell in enumerate(axial)}

    def ray(q: int, r: int, dq: int, dr: int) -> tuple[int, ...]:
        cells = ((q + k * dq, r + k * dr) for k in range(1, WINS))
        return tuple(number[cell] for cell in cells if cell in number)

    return tuple(
        tuple((ray(q, r, dq, dr), ray(q, r, -dq, -dr)) for dq, dr in ((1, 0), (0, 1), (1, -1)))
        for q, r in axial
    )
