"""Tic-tac-toe: three in a row on a board of nine. The smallest game, and the example of one.

X moves first. Slots are numbered 0 to 8, row by row, and a move is its slot's number.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import BadPosition, IllegalMove, game_over, not_your_turn
from rookery.core.game import OVER, Forfeit, Forfeited, Outcome, Step, View, draw, other, win
from rookery.core.ids import NOBODY, Seat, alone
from rookery.core.options import parse_integer
from rookery.core.presentation import Grid, Lesson, Piece, Showing, Teaching

EMPTY: Final = "."
MARKS: Final = "XO"  # by seat
LINES: Final = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip

_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" fill="none">
<style>:root{--paper:#f0ece2;--line:#ddd6c7;--rule:#0003;--ink:#22282a;--round:#2f5d50}
@media(prefers-color-scheme:dark){:root{--paper:#121516;--line:#343b3c;--rule:#fff3;--ink:#e9e6de;
--round:#7fc4ad}}</style>
<rect x="2" y="2" width="36" height="36" rx="6" style="fill:var(--paper);stroke:var(--line)"/>
<path d="M14 5v30M26 5v30M5 14h30M5 26h30" style="stroke:var(--rule)"/>
<path d="M17 17l6 6M23 17l-6 6" stroke-width="3" stroke-linecap="round" style="stroke:var(--ink)"/>
<g stroke-width="2.5" style="stroke:var(--round)"><circle cx="32" cy="8" r="3"/>
<circle cx="8" cy="32" r="3"/></g></svg>"""


_TAUGHT: Final = Teaching(
    (
        (
            "X and O take turns to mark a free square. Three of your own in a row, a column or "
            "slantwise win."
        ),
        "A full board without three in a line is a draw.",
    ),
    (
        Lesson(
            task="You are X. Complete a line.",
            good=("2",),
            why="Three in a row: you have won.",
            played=("0", "3", "1", "4"),
        ),
        Lesson(
            task="You are O, and X is about to win. Stop it.",
            good=("2",),
            why="Always look what the other side would do next.",
            played=("0", "4", "1"),
        ),
        Lesson(
            task="You are O. X has two corners, and would like a third. Make X answer you instead.",
            good=("1", "3", "5", "7"),
            why="A square at the side threatens to win at once; in a corner you would have lost.",
            played=("0", "4", "8"),
        ),
    ),
)


class State(Struct, frozen=True):
    """Nine cells, each a mark or `.`; the number of marks says whose turn it is."""

    cells: str = EMPTY * 9
    lost: Forfeited | None = None

    @property
    def turn(self) -> Seat:
        """The seat that would move next, over or not."""
        return Seat((9 - self.cells.count(EMPTY)) % 2)


class TictactoeView(View, frozen=True, tag="tictactoe_view"):
    """Everyone sees everything: three rows of three, and whose turn it is."""

    rows: tuple[str, str, str]
    turn: Seat | None


class Tictactoe(Struct, frozen=True):
    """Three in a row wins; a full board is a draw."""

    name: ClassVar = "tictactoe"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    taught: ClassVar = _TAUGHT
    shown: ClassVar = Showing(
        title="Tic-tac-toe",
        icon=_ICON,
        colours=("black", "white"),
        board=Grid(
            "rows",
            {"X": Piece(0, "X", shape="cross"), "O": Piece(1, "O", shape="ring")},
            names="{slot}",
        ),
    )

    def seat_name(self, seat: Seat) -> str:
        """`X` or `O`."""
        return MARKS[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """The empty board."""
        return State()

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """X, then O, by turns; nobody when the game is over."""
        return alone(state.turn) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        """The free slots."""
        if seat not in self.to_act(state):
            return ()
        return tuple(slot for slot, mark in enumerate(state.cells) if mark == EMPTY)

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        """Put the seat's mark in a free slot."""
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if not 0 <= move < 9:
            raise IllegalMove("out_of_range", f"Slot {move} is not on the board; slots are 0 to 8.")
        if state.cells[move] != EMPTY:
            raise IllegalMove("taken", f"Slot {move} is taken.")
        cells = state.cells
        return Step(replace(state, cells=f"{cells[:move]}{MARKS[seat]}{cells[move + 1 :]}"))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if self.outcome(state) is not None:
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """A line of three wins; a full board without one is a draw."""
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence)
        for a, b, c in LINES:
            if state.cells[a] == state.cells[b] == state.cells[c] != EMPTY:
                mark = state.cells[a]
                return win(2, Seat(MARKS.index(mark)), "line", f"{mark} has three in a row.")
        if EMPTY not in state.cells:
            return draw(2, "full", "The board is full, and nobody has three in a row.")
        return None

    def view(self, state: State, viewer: Seat | None) -> TictactoeView:
        """The board."""
        rows = (state.cells[:3], state.cells[3:6], state.cells[6:])
        return TictactoeView(rows, state.turn if self.outcome(state) is None else None)

    def imagine(self, view: TictactoeView, seat: Seat, chance: Chance) -> State:
        """The board that everyone sees. Raises BadPosition."""
        return self.parse_position("".join(view.rows))

    def parse_move(self, text: str) -> int:
        """A slot's number."""
        return parse_integer(text)

    def format_move(self, move: int) -> str:
        """A slot's number."""
        return str(move)

    def parse_position(self, text: str) -> State:
        """Nine cells row by row, like `X...O....`. Raises BadPosition."""
        if len(text) != 9 or set(text) - set(MARKS + EMPTY):
            raise BadPosition(
                f"A position is nine cells of X, O and dots, and {text[:40]!r} is not."
            )
        if text.count("X") - text.count("O") not in (0, 1):
            raise BadPosition("X and O take turns, so X has as many marks as O, or one more.")
        for mark, turn in zip(MARKS, (1, 0), strict=True):
            has_line = any(all(text[slot] == mark for slot in line) for line in LINES)
            if has_line and State(text).turn != turn:
                raise BadPosition(f"{mark} has three in a row, and the game went on after it.")
        return State(text)

    def format_position(self, state: State) -> str:
        """Nine cells row by row."""
        return state.cells
