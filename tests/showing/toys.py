# ruff: noqa: ARG002 - rules as short as these need not all they are given
"""Five small games from outside, one for every kind of board, and one that declares nothing.

Loaded with `--with`, and by the tests in this process. Their rules are as short as can be.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rookery import sdk
from rookery.sdk import Grid, Heaps, HexGrid, Piece, Pile, Seat, Showing

ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<rect x="2" y="2" width="36" height="36" rx="6" fill="#2f5fa8"/>
<circle cx="12" cy="12" r="6" fill="#fff3"/><circle cx="28" cy="12" r="6" fill="#fff3"/>
<circle cx="12" cy="28" r="6" fill="#d0463c"/><circle cx="28" cy="28" r="6" fill="#e5b93c"/>
</svg>"""


class State(Struct, frozen=True):
    """What lies where, by the game's own words; whose turn it is, who won, who gave up."""

    cells: Any
    turn: Seat
    seats: int = 2
    winner: Seat | None = None
    lost: sdk.Forfeited | None = None


class _Toy:
    """What all of them have in common. A move is its text."""

    __slots__ = ()

    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = False
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)

    def seat_name(self, seat: Seat) -> str:
        return ("first", "second", "third")[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(range(seats))

    def phase(self, state: State) -> str:
        return sdk.OVER if self.outcome(state) else "play"

    def to_act(self, state: State) -> frozenset[Seat]:
        return sdk.NOBODY if self.outcome(state) else sdk.alone(state.turn)

    def legal_moves(self, state: State, seat: Seat) -> Iterable[str]:
        return self.choices(state) if seat in self.to_act(state) else ()

    def choices(self, state: State) -> list[str]:
        raise AssertionError("each has its own")

    def after(self, state: State, move: str) -> State:
        raise AssertionError("each has its own")

    def play(self, state: State, seat: Seat, move: str) -> sdk.Step[State]:
        if self.outcome(state):
            raise sdk.game_over()
        if seat != state.turn:
            raise sdk.not_your_turn()
        if move not in self.choices(state):
            raise sdk.IllegalMove("illegal", f"{move} cannot be played.")
        after = replace(self.after(state, move), turn=Seat((seat + 1) % state.seats))
        if after.winner is None and not self.choices(after):
            after = replace(after, winner=seat)
        return sdk.Step(after)

    def forfeit(self, state: State, seat: Seat, why: sdk.Forfeit) -> sdk.Step[State]:
        if self.outcome(state):
            raise sdk.game_over()
        left = Seat((seat + 1) % state.seats)
        return sdk.Step(replace(state, lost=sdk.Forfeited(seat, why), winner=left))

    def outcome(self, state: State) -> sdk.Outcome | None:
        if state.winner is None:
            return None
        name = sdk.cap(self.seat_name(state.winner))
        if state.lost:
            said = state.lost.sentence(self.seat_name(state.lost.seat))
            return sdk.win(state.seats, state.winner, state.lost.why, said)
        return sdk.win(state.seats, state.winner, "won", f"{name} won.")

    def parse_move(self, text: str) -> str:
        if not text.isascii() or not text.isprintable() or len(text) > 12:
            raise sdk.BadNotation("A move is a short text.")
        return text

    def format_move(self, move: str) -> str:
        return move


class FourView(sdk.View, frozen=True):
    """Rows from the top."""

    board: tuple[str, ...]
    turn: Seat | None


class Four(_Toy, Struct, frozen=True):
    """Drop discs into columns; four in a row win."""

    name: ClassVar = "four"
    shown: ClassVar = Showing(
        title="Four in a row",
        icon=ICON,
        colours=("red", "yellow"),
        board=Grid("board", {"R": 0, "Y": 1}, click="{col1}", surface="holes"),
    )

    def start(self, seats: int, chance: sdk.Chance) -> State:
        return State(("." * 7,) * 6, Seat(0))

    def choices(self, state: State) -> list[str]:
        return [str(col + 1) for col in range(7) if state.cells[0][col] == "."]

    def after(self, state: State, move: str) -> State:
        col, rows = int(move) - 1, list(state.cells)
        row = max(n for n in range(6) if rows[n][col] == ".")
        mark = "RY"[state.turn]
        rows[row] = rows[row][:col] + mark + rows[row][col + 1 :]
        ways = ((0, 1), (1, 0), (1, 1), (1, -1))
        lines = (
            [(r + n * dr, c + n * dc) for n in range(4)]
            for r in range(6)
            for c in range(7)
            for dr, dc in ways
        )
        won = any(
            all(r < 6 and 0 <= c < 7 and rows[r][c] == mark for r, c in line) for line in lines
        )
        return replace(state, cells=tuple(rows), winner=state.turn if won else None)

    def view(self, state: State, viewer: Seat | None) -> FourView:
        return FourView(state.cells, None if self.outcome(state) else state.turn)


class MarchView(sdk.View, frozen=True):
    """All squares in one text."""

    squares: str
    wide: int
    taken: tuple[int, int]
    turn: Seat | None


class March(_Toy, Struct, frozen=True):
    """Pawns that walk straight and take aslant; who is first on the other side wins."""

    name: ClassVar = "march"
    shown: ClassVar = Showing(
        colours=("white", "black"),
        board=Grid(
            "squares",
            {"w": Piece(0, "white pawn", "♙", "text"), "b": Piece(1, "black pawn", "♟", "text")},
            names="{letter}{rank}",
            click="{from}{to}",
            cols="wide",
            surface="checks",
            turned=True,
        ),
        scores="taken",
        unit="pawns",
        phases={"play": "Choose a pawn, then where it goes."},
    )

    def start(self, seats: int, chance: sdk.Chance) -> State:
        return State("b" * 10 + "....." + "w" * 10, Seat(0))

    def choices(self, state: State) -> list[str]:
        mark, by = ("w", -1) if state.turn == 0 else ("b", 1)
        found = []
        for at, one in enumerate(state.cells):
            if one != mark or not 0 <= at // 5 + by < 5:
                continue
            for side in (-1, 0, 1):
                to = at + 5 * by + side
                if 0 <= at % 5 + side < 5 and state.cells[to] in (
                    "." if side == 0 else f".{'b' if mark == 'w' else 'w'}"
                ):
                    found.append(_square(at) + _square(to))
        return found

    def after(self, state: State, move: str) -> State:
        start, end = (ord(m[0]) - 97 + 5 * (5 - int(m[1])) for m in (move[:2], move[2:]))
        cells = list(state.cells)
        cells[start], cells[end] = ".", cells[start]
        won = end // 5 == (0 if state.turn == 0 else 4)
        return replace(state, cells="".join(cells), winner=state.turn if won else None)

    def view(self, state: State, viewer: Seat | None) -> MarchView:
        taken = (10 - state.cells.count("b"), 10 - state.cells.count("w"))
        return MarchView(state.cells, 5, taken, None if self.outcome(state) else state.turn)


def _square(at: int) -> str:
    return f"{'abcde'[at % 5]}{5 - at // 5}"


class CombView(sdk.View, frozen=True):
    """Cells by their axial coordinates."""

    cells: dict[str, str]
    turn: Seat | None


class Comb(_Toy, Struct, frozen=True):
    """Take turns to fill a comb; no cell beside one's own last one. Who places last wins."""

    name: ClassVar = "comb"
    seat_counts: ClassVar = range(2, 4)
    shown: ClassVar = Showing(
        title="Honeycomb",
        colours=("orange", "blue", "green"),
        board=HexGrid("cells", {"1": 0, "2": 1, "3": 2}, names="{q},{r}"),
    )

    def start(self, seats: int, chance: sdk.Chance) -> State:
        ring = range(-2, 3)
        cells = {f"{q},{r}": "." for r in ring for q in ring if abs(q + r) <= 2}
        return State(cells, Seat(0), seats)

    def choices(self, state: State) -> list[str]:
        return [name for name, one in state.cells.items() if one == "."]

    def after(self, state: State, move: str) -> State:
        return replace(state, cells={**state.cells, move: str(state.turn + 1)})

    def view(self, state: State, viewer: Seat | None) -> CombView:
        return CombView(state.cells, None if self.outcome(state) else state.turn)


class DuelView(sdk.View, frozen=True):
    """One's own cards, how many the others have, what lies on the table, and the tricks."""

    hand: tuple[str, ...]
    held: tuple[int, ...]
    table: tuple[str, ...]
    tricks: tuple[int, ...]
    turn: Seat | None


class Duel(_Toy, Struct, frozen=True):
    """Four cards each, hidden from the other; the higher of two takes both."""

    name: ClassVar = "duel"
    shown: ClassVar = Showing(
        title="Card duel",
        board=Heaps(
            (
                Pile("table", "On the table", thing="card"),
                Pile("hand", "Your hand", "{item}", thing="card"),
                Pile("held", "{seat}", thing="card"),
            )
        ),
        scores="tricks",
        unit="tricks",
    )

    def start(self, seats: int, chance: sdk.Chance) -> State:
        deck = [f"{rank}{suit}" for suit in "♠♥" for rank in ("9", "10", "J", "Q", "K", "A")]
        deck = chance.shuffled(deck)
        return State((tuple(deck[:4]), tuple(deck[4:8]), (), (0, 0)), Seat(0))

    def choices(self, state: State) -> list[str]:
        return list(state.cells[state.turn])

    def after(self, state: State, move: str) -> State:
        hands = [tuple(c for c in hand if c != move) for hand in state.cells[:2]]
        table, tricks = (*state.cells[2], move), list(state.cells[3])
        if len(table) % 2 == 0:
            ranks = ["9", "10", "J", "Q", "K", "A"]
            first, second = (ranks.index(card[:-1]) for card in table[-2:])
            tricks[0 if first >= second else 1] += 1
        winner = None
        if not any(hands):
            winner = Seat(0 if tricks[0] >= tricks[1] else 1)
        return replace(state, cells=(*hands, table, tuple(tricks)), winner=winner)

    def view(self, state: State, viewer: Seat | None) -> DuelView:
        one, two, table, tricks = state.cells
        hand = () if viewer is None else (one, two)[viewer]
        turn = None if self.outcome(state) else state.turn
        return DuelView(hand, (len(one), len(two)), table, tricks, turn)

    def parse_move(self, text: str) -> str:
        if len(text) > 3:
            raise sdk.BadNotation("A move is a card.")
        return text


class HeapsView(sdk.View, frozen=True):
    """Some heaps."""

    heaps: tuple[int, ...]
    turn: Seat | None


class Pebbles(_Toy, Struct, frozen=True):
    """Take one to three pebbles from a heap; who takes the last one wins."""

    name: ClassVar = "pebbles"
    shown: ClassVar = Showing(
        board=Heaps((Pile("heaps", "Heap {row1}", "{row}:{take}", thing="pebble"),))
    )

    def start(self, seats: int, chance: sdk.Chance) -> State:
        return State((4, 7, 2), Seat(0))

    def choices(self, state: State) -> list[str]:
        most = [min(3, heap) for heap in state.cells]
        return [f"{n}:{take + 1}" for n, few in enumerate(most) for take in range(few)]

    def after(self, state: State, move: str) -> State:
        heap, take = map(int, move.split(":"))
        return replace(
            state, cells=tuple(has - take * (n == heap) for n, has in enumerate(state.cells))
        )

    def view(self, state: State, viewer: Seat | None) -> HeapsView:
        return HeapsView(state.cells, None if self.outcome(state) else state.turn)


class BareView(sdk.View, frozen=True):
    """How far one has counted."""

    count: int
    turn: Seat | None


class Bare(_Toy, Struct, frozen=True):
    """Count on by one or two; who says ten wins."""

    name: ClassVar = "bare_count"

    def start(self, seats: int, chance: sdk.Chance) -> State:
        return State(0, Seat(0))

    def choices(self, state: State) -> list[str]:
        return [f"+{by}" for by in (1, 2) if state.cells + by <= 10]

    def after(self, state: State, move: str) -> State:
        return replace(state, cells=state.cells + int(move))

    def view(self, state: State, viewer: Seat | None) -> BareView:
        return BareView(state.cells, None if self.outcome(state) else state.turn)


GAMES = (Four, March, Comb, Duel, Pebbles, Bare)
