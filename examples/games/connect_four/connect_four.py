"""Connect four: discs fall into columns, and four in a row win.

Red moves first. A move is the number of a column, from 1 on the left. Everything that a
person or a bot needs beside the rules is declared in `shown` and `evaluate`; both could be
left out.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.sdk import (
    NOBODY,
    OVER,
    Chance,
    Forfeit,
    Forfeited,
    Grid,
    IllegalMove,
    Outcome,
    Seat,
    Showing,
    Step,
    View,
    alone,
    cap,
    check_whole,
    draw,
    game_over,
    not_your_turn,
    other,
    parse_integer,
    win,
)

EMPTY: Final = "."
DISCS: Final = "RY"  # by seat
NAMES: Final = ("red", "yellow")
FOUR: Final = 4
ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<rect x="2" y="6" width="36" height="28" rx="4" fill="#2f5fa8"/>
<g fill="#f2c230"><circle cx="11" cy="26" r="5"/><circle cx="29" cy="15" r="5"/></g>
<g fill="#d8412f"><circle cx="23" cy="26" r="5"/><circle cx="17" cy="15" r="5"/></g></svg>"""


class State(Struct, frozen=True):
    """The columns from the left, each a text of discs from below; and where the last one lies."""

    columns: tuple[str, ...]
    last: int | None = None  # the column of the newest disc
    lost: Forfeited | None = None

    @property
    def turn(self) -> Seat:
        """The seat that would move next, over or not."""
        return Seat(sum(map(len, self.columns)) % 2)


class ConnectFourView(View, frozen=True):
    """Everyone sees everything: the rows from the top, and whose turn it is."""

    rows: tuple[str, ...]
    turn: Seat | None


class ConnectFour(Struct, frozen=True):
    """Let discs fall into columns; four in a row, in any direction, win."""

    rows: Annotated[int, Meta(description="rows of the board; 4 to 16")] = 6
    cols: Annotated[int, Meta(description="columns of the board; 4 to 16")] = 7

    name: ClassVar = "connect_four"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    shown: ClassVar = Showing(
        title="Connect four",
        icon=ICON,
        board=Grid(
            "rows", {"R": 0, "Y": 1}, names="{letter}{rank}", click="{col1}", surface="holes"
        ),
        colours=("red", "yellow"),
        offers=("rows=8 cols=9",),
    )

    def __post_init__(self) -> None:
        """Refuse boards without room for four in a row, and those that nobody can look over."""
        check_whole("rows", self.rows, FOUR, 16)
        check_whole("cols", self.cols, FOUR, 16)

    def seat_name(self, seat: Seat) -> str:
        """`red` or `yellow`."""
        return NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """The empty board."""
        return State(("",) * self.cols)

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """Red, then yellow, and so on."""
        return alone(state.turn) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        """The columns that are not full."""
        if seat not in self.to_act(state):
            return ()
        return tuple(n for n, discs in enumerate(state.columns) if len(discs) < self.rows)

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        """Let a disc fall."""
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if not 0 <= move < self.cols:
            raise IllegalMove("out_of_range", f"There are columns 1 to {self.cols}.")
        if len(state.columns[move]) == self.rows:
            raise IllegalMove("full", f"Column {move + 1} is full.")
        columns = list(state.columns)
        columns[move] += DISCS[seat]
        return Step(State(tuple(columns), move))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if self.outcome(state) is not None:
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """Four in a row through the newest disc, or a full board."""
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence)
        if state.last is None:
            return None
        board = self._board(state)
        newest = state.last * self.rows + len(state.columns[state.last]) - 1
        through = _through(self.rows, self.cols)[newest]
        if any(all(board[n] == board[newest] for n in line) for line in through):
            winner = other(state.turn)
            return win(2, winner, "line", f"{cap(NAMES[winner])} has four in a row.")
        if EMPTY not in board:
            return draw(2, "full", "The board is full, and nobody has four in a row.")
        return None

    def view(self, state: State, viewer: Seat | None) -> ConnectFourView:
        """The board."""
        columns = [discs.ljust(self.rows, EMPTY) for discs in state.columns]
        rows = tuple("".join(row) for row in zip(*columns, strict=True))[::-1]
        return ConnectFourView(rows, state.turn if self.outcome(state) is None else None)

    def parse_move(self, text: str) -> int:
        """The number of a column."""
        return parse_integer(text) - 1

    def format_move(self, move: int) -> str:
        """The number of a column."""
        return str(move + 1)

    def evaluate(self, state: State, seat: Seat) -> float:
        """Lines that only one side can still fill, each worth more the fuller it is."""
        board = self._board(state)
        worth = 0
        for line in _lines(self.rows, self.cols):
            discs = [board[n] for n in line]
            mine, theirs = discs.count(DISCS[seat]), discs.count(DISCS[other(seat)])
            worth += mine**2 if not theirs else -(theirs**2) if not mine else 0
        return 0.5 + 0.5 * worth / (20 + abs(worth))

    def _board(self, state: State) -> str:
        """All cells, column by column and from below."""
        return "".join(discs.ljust(self.rows, EMPTY) for discs in state.columns)


@cache
def _lines(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Every four cells in a row of a board of this size."""
    return tuple(
        tuple((col + n * dx) * rows + row + n * dy for n in range(FOUR))
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        for col in range(cols - (FOUR - 1) * dx)
        for row in range(rows)
        if 0 <= row + (FOUR - 1) * dy < rows
    )


@cache
def _through(rows: int, cols: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The lines that each cell is in."""
    lines = _lines(rows, cols)
    return tuple(tuple(line for line in lines if n in line) for n in range(rows * cols))
