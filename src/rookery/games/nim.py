"""Nim: take sticks from one row at a time; the last stick wins, or in misère loses.

Rows are numbered from 0, and an emptied row stays where it was. Unless the options say
otherwise the chance deals the number of rows first and then each row, from the top. A
move is written as row and number of sticks: `2,5`. A position is the rows and whose
turn it is: `3,4,5 home`.
"""

from collections.abc import Iterable
from functools import lru_cache
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
from rookery.core.game import OVER, Forfeit, Forfeited, Outcome, Step, View, cap, other, win
from rookery.core.ids import NOBODY, Seat, alone
from rookery.core.options import check_flag, check_whole, check_wholes, counted, parse_integer
from rookery.core.presentation import Heaps, Lesson, Pile, Showing, Teaching

HOME: Final = Seat(0)
AWAY: Final = Seat(1)

# Tourney: "3–10 rows of 5–100 sticks, drawn from the table's seed".
FEWEST_ROWS, MOST_ROWS = 3, 10
FEWEST_STICKS, MOST_STICKS = 5, 100

ROWS_MAX, STICKS_MAX = 30, 1000  # more would be work for the reader, not for the player

_NAMES: Final = ("home", "away")
_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<style>:root{--paper:#f0ece2;--line:#ddd6c7;--stick:#9a6a2f}
@media(prefers-color-scheme:dark){:root{--paper:#121516;--line:#343b3c;--stick:#d6a566}}</style>
<rect x="2" y="2" width="36" height="36" rx="6" style="fill:var(--paper);stroke:var(--line)"/>
<path d="M20 7v7M15 17v7M25 17v7M10 27v7M20 27v7M30 27v7" stroke-width="3" stroke-linecap="round"
style="stroke:var(--stick)"/></svg>"""


_TAUGHT: Final = Teaching(
    (
        (
            "There are rows of sticks. Who is on turn takes one or more sticks from one row, as "
            "many as they like."
        ),
        "Whoever takes the very last stick wins; in misère, loses.",
    ),
    (
        Lesson(
            task="Take as many sticks as you like, from one row.",
            why="The other side takes next, from any row.",
            options="sticks=3,4,5",
        ),
        Lesson(
            task="Leave two rows of one stick each: then whatever they take, the last is yours.",
            good=("2,2",),
            why="Two equal rows: you can always do what the other side did.",
            options="sticks=1,1,2",
        ),
        Lesson(
            task="Now with 3, 4 and 5 there is one move that wins. Leave 1, 4 and 5.",
            good=("0,2",),
            why="Written in twos, 1, 4 and 5 cancel out. Leave such rows, and you win.",
            options="sticks=3,4,5",
        ),
    ),
)


class Take(Struct, frozen=True):
    """Take so many sticks from this row, counted from 0."""

    row: int
    take: int


class State(Struct, frozen=True, gc=False):
    """The sticks in each row, and whose turn it is, or would be."""

    rows: tuple[int, ...]
    turn: Seat = HOME
    lost: Forfeited | None = None


class NimView(View, frozen=True, tag="nim_view"):
    """Everyone sees everything: the sticks in each row, whose turn it is, and who wins."""

    rows: tuple[int, ...]
    turn: Seat | None
    misere: bool


class Nim(Struct, frozen=True):
    """Take any number of sticks from one row; whoever takes the very last one wins."""

    name: ClassVar = "nim"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = False
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    taught: ClassVar = _TAUGHT
    shown: ClassVar = Showing(
        words={"home": "first", "away": "second", "misere": "misère"},
        icon=_ICON,
        colours=("black", "white"),
        board=Heaps((Pile("rows", "Row {row}", "{row},{take}"),)),
        usual="sticks=3,4,5",
    )

    rows: Annotated[int, Meta(description="number of rows, at most 30; 0 deals 3 to 10")] = 0
    sticks: Annotated[
        tuple[int, ...],
        Meta(description="sticks in every row, or in each; at most 1000; none deals 5 to 100"),
    ] = ()
    misere: Annotated[bool, Meta(description="whether the last stick loses")] = False

    def __post_init__(self) -> None:
        check_whole("rows", self.rows, 0, ROWS_MAX)
        check_wholes("sticks", self.sticks, 1, STICKS_MAX)
        check_flag("misere", self.misere)
        if len(self.sticks) > ROWS_MAX:
            raise BadOption(f"There are at most {ROWS_MAX} rows, not {len(self.sticks)}.")
        if len(self.sticks) > 1 and self.rows not in (0, len(self.sticks)):
            raise BadOption(
                f"There cannot be {self.rows} rows when sticks lists {len(self.sticks)}."
            )

    def seat_name(self, seat: Seat) -> str:
        """`home` or `away`."""
        return _NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """The rows, dealt where the options leave them open; home to move."""
        if len(self.sticks) > 1:
            return State(self.sticks)
        rows = self.rows or chance.between(FEWEST_ROWS, MOST_ROWS)
        if self.sticks:
            return State(self.sticks * rows)
        return State(tuple(chance.between(FEWEST_STICKS, MOST_STICKS) for _ in range(rows)))

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if state.lost is None and any(state.rows) else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """The one seat on turn."""
        return alone(state.turn) if state.lost is None and any(state.rows) else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[Take]:
        """Row by row from the first, few sticks before many."""
        if seat != state.turn or state.lost is not None:
            return ()
        return (Take(row, n) for row, has in enumerate(state.rows) for n in range(1, has + 1))

    def play(self, state: State, seat: Seat, move: Take) -> Step[State]:
        """Take the sticks away from the row."""
        rows = state.rows
        if state.lost is not None or not any(rows):
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        row, take = move.row, move.take
        if not 0 <= row < len(rows):
            raise IllegalMove(
                "row_out_of_range", f"There is no row {row}; rows are 0 to {len(rows) - 1}."
            )
        if take < 1:
            raise IllegalMove("take_not_positive", "A move takes one stick or more.")
        if take > rows[row]:
            raise IllegalMove(
                "too_many_sticks", f"Row {row} has {_sticks(rows[row])}, and not {take}."
            )
        return Step(State((*rows[:row], rows[row] - take, *rows[row + 1 :]), other(seat)))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if state.lost is not None or not any(state.rows):
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """The seat that took the last stick wins; in misère the other does."""
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence)
        if any(state.rows):
            return None
        taker = other(state.turn)
        sentence = f"{cap(_NAMES[taker])} took the last stick."
        if self.misere:
            return win(2, state.turn, "last_stick", f"{sentence[:-1]}, which loses.")
        return win(2, taker, "last_stick", sentence)

    def view(self, state: State, viewer: Seat | None) -> NimView:
        """The rows, and whose turn it is."""
        turn = state.turn if state.lost is None and any(state.rows) else None
        return NimView(state.rows, turn, self.misere)

    def imagine(self, view: NimView, seat: Seat, chance: Chance) -> State:
        """The rows that everyone sees."""
        return State(view.rows, HOME if view.turn is None else view.turn)

    def parse_move(self, text: str) -> Take:
        """Row and number of sticks, `2,5`."""
        return _read(text)

    def format_move(self, move: Take) -> str:
        """Row and number of sticks, `2,5`."""
        return f"{move.row},{move.take}"

    def parse_position(self, text: str) -> State:
        """Rows with commas between, a space, the seat to move. Raises BadPosition."""
        numbers, _, name = text.strip().rpartition(" ")
        if name not in _NAMES:
            raise BadPosition("A position ends in a space and the seat to move, home or away.")
        try:
            rows = tuple(parse_integer(number) for number in numbers.split(","))
        except BadNotation as unreadable:
            raise BadPosition("The rows are whole numbers with commas between.") from unreadable
        most = self._most()
        if not self._fewest_rows() <= len(rows) <= len(most):
            raise BadPosition(f"This game never has {counted(len(rows), 'row')}.")
        for row, has in enumerate(rows):
            if not 0 <= has <= most[row]:
                raise BadPosition(f"Row {row} has 0 to {_sticks(most[row])}, not {has}.")
        return State(rows, Seat(_NAMES.index(name)))

    def format_position(self, state: State) -> str:
        """Rows with commas between, then the seat to move."""
        return f"{','.join(map(str, state.rows))} {_NAMES[state.turn]}"

    def _fewest_rows(self) -> int:
        if len(self.sticks) > 1:
            return len(self.sticks)
        return self.rows or FEWEST_ROWS

    def _most(self) -> tuple[int, ...]:
        """The most sticks each row can have, for as many rows as there can be."""
        if len(self.sticks) > 1:
            return self.sticks
        return (self.sticks or (MOST_STICKS,)) * (self.rows or MOST_ROWS)


@lru_cache(maxsize=4096)  # the same few are played again and again
def _read(text: str) -> Take:
    row, comma, take = text.partition(",")
    if not comma:
        raise BadNotation(f"A move is a row and how many to take like 2,5, not {text[:40]!r}.")
    return Take(parse_integer(row), parse_integer(take))


def _sticks(number: int) -> str:
    return counted(number, "stick")
