"""Fish: penguins on melting ice, two to four players.

Everyone places penguins, then slides them along straight lines of tiles. The tile a
penguin leaves goes, and its fish are eaten; the most fish win once nobody can move.
The tiles are numbered in `ice`, who acts next is found in `state`, and `position` has
positions as text. A placement is written `3,2`, a move `3,2-5,2`: row, then column.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.chance import Chance
from rookery.core.errors import (
    BadNotation,
    BadOption,
    BadPosition,
    IllegalMove,
    game_over,
    not_your_turn,
)
from rookery.core.game import OVER, Effect, Forfeit, Outcome, Step, View, cap
from rookery.core.ids import NOBODY, Seat, alone, put
from rookery.core.options import check_whole
from rookery.games.fish import position
from rookery.games.fish.ice import (
    Square,
    bit_of,
    bits_of,
    lines_from,
    places_of,
    square_of,
    squares_of,
    step_towards,
)
from rookery.games.fish.presentation import SHOWN, TAUGHT
from rookery.games.fish.state import (
    COLORS,
    MOST_FISH,
    SEAT_COUNTS,
    Penguins,
    State,
    next_turn,
    quota,
)

PLACE: Final = "place"
MOVE: Final = "move"
LARGEST: Final = 40  # rows and columns: the most that a person can look over
FEWEST_TILES: Final = 8  # for two players with four penguins each

_NUMBER: Final = "(-?[0-9]{1,9})"
_MOVE: Final = re.compile(f"{_NUMBER},{_NUMBER}(?:-{_NUMBER},{_NUMBER})?")


class Place(Struct, frozen=True):
    """Put a new penguin on this tile."""

    at: Square


class Slide(Struct, frozen=True):
    """Move the penguin on one tile to another."""

    start: Square
    end: Square


Move = Place | Slide


class Scored(Effect, frozen=True, tag="scored"):
    """This seat ate the fish of the tile it left, and that tile is gone."""

    seat: Seat
    fish: int
    row: int
    col: int

    def words(self, who: Callable[[Seat], str]) -> str:
        """Says how many fish were eaten."""
        return f"{self.fish} fish eaten"


class Skipped(Effect, frozen=True, tag="skipped"):
    """This seat cannot move, and its turn was skipped."""

    seat: Seat

    def words(self, who: Callable[[Seat], str]) -> str:
        """Says which player is passed over."""
        return f"{who(self.seat)} cannot move and is passed over"


class Removed(Effect, frozen=True, tag="removed"):
    """This seat is out: its penguins and fish are gone, their tiles are free."""

    seat: Seat
    why: Forfeit


class Flock(Struct, frozen=True):
    """One seat's colour, fish, and penguins in the order of placing."""

    seat: Seat
    color: str
    score: int
    places: tuple[Square, ...]
    removed: bool


class FishView(View, frozen=True, tag="fish_view"):
    """Everyone sees everything: fish by row and column, 0 a hole, and the seats in order."""

    phase: str
    board: tuple[tuple[int, ...], ...]
    players: tuple[Flock, ...]
    turn: Seat | None


class Fish(Struct, frozen=True):
    """Leave a tile to eat its fish; most fish win when nobody can move."""

    name: ClassVar = "fish"
    rules: ClassVar = 1
    shown: ClassVar = SHOWN
    taught: ClassVar = TAUGHT
    seat_counts: ClassVar = SEAT_COUNTS
    can_draw: ClassVar = False
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = (PLACE, MOVE)

    rows: Annotated[int, Meta(description="rows of tiles; 1 to 40")] = 15
    cols: Annotated[int, Meta(description="tiles in a row; 1 to 40")] = 4
    fish: Annotated[int, Meta(description="fish on every tile, 1 to 5; 0 is the classic mix")] = 0
    holes: Annotated[int, Meta(description="tiles that are missing, placed by chance")] = 0

    def __post_init__(self) -> None:
        check_whole("rows", self.rows, 1, LARGEST)
        check_whole("cols", self.cols, 1, LARGEST)
        check_whole("fish", self.fish, 0, MOST_FISH)
        tiles = self.rows * self.cols
        if tiles < FEWEST_TILES:
            raise BadOption(f"Two players need {FEWEST_TILES} tiles, and this board has {tiles}.")
        check_whole("holes", self.holes, 0, tiles - FEWEST_TILES)

    def seat_name(self, seat: Seat) -> str:
        """`red`, `white`, `brown` or `black`."""
        return COLORS[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """Empty ice, shuffled. Raises BadOption where not every penguin would find a tile.

        The classic mix is half ones, rounded up, a third twos, rounded down, and the
        rest threes, of the tiles that are not missing.
        """
        if seats not in SEAT_COUNTS:
            raise BadOption(f"Fish is a game for 2 to 4 players, not {seats}.")
        tiles, penguins = self.rows * self.cols - self.holes, seats * quota(seats)
        if tiles < penguins:
            raise BadOption(f"{seats} players need {penguins} tiles, and this board has {tiles}.")
        ones, twos = (tiles + 1) // 2, tiles // 3
        mix = [1] * ones + [2] * twos + [3] * (tiles - ones - twos)
        dealt = [self.fish] * tiles if self.fish else mix
        fish = bytes(chance.shuffled([*dealt, *[0] * self.holes]))
        return State(fish, bits_of(self.cols, fish), ((),) * seats, (0,) * seats, Seat(0))

    def phase(self, state: State) -> str:
        """`place`, `move`, then `over`."""
        if state.turn is None:
            return OVER
        return PLACE if state.placing else MOVE

    def to_act(self, state: State) -> frozenset[Seat]:
        """The one seat on turn."""
        return NOBODY if state.turn is None else alone(state.turn)

    def legal_moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """Tiles by row and column; or slides by penguin, clockwise from north, nearest first."""
        if seat != state.turn:
            return ()
        if state.placing:
            return tuple(map(Place, squares_of(self.cols, state.free)))
        return tuple(
            Slide(square_of(self.cols, at), square_of(self.cols, to))
            for at in state.penguins[seat]
            for to in lines_from(self.cols, state.free, at)
        )

    def play(self, state: State, seat: Seat, move: Move) -> Step[State]:
        """Place a penguin, or move one and eat the fish it leaves."""
        if state.turn is None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        match move:
            case Place(at):
                return self._place(state, seat, at)
            case Slide(start, end):
                return self._slide(state, seat, start, end)

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The seat is removed, and the others play on, even one alone."""
        if state.turn is None:
            raise game_over()
        if seat in state.gone:
            raise IllegalMove("removed", f"{cap(self.seat_name(seat))} is out of the game already.")
        free = state.free | sum(1 << at for at in state.penguins[seat])
        penguins = put(state.penguins, seat, ())
        scores = put(state.scores, seat, 0)
        gone = state.gone | {seat}
        # Removing only makes tiles free, so another seat on turn can still act.
        turn: Seat | None = state.turn
        skipped: tuple[Skipped, ...] = ()
        if turn == seat:
            turn, skipped = self._after(seat, free, penguins, gone)
        after = State(state.fish, free, penguins, scores, turn, gone)
        return Step(after, (Removed(seat, why), *skipped))

    def outcome(self, state: State) -> Outcome | None:
        """All with the most fish win; a removed seat is behind all who were not removed."""
        if state.turn is not None:
            return None
        scores, gone = state.scores, state.gone
        stayed = [score for seat, score in enumerate(scores) if seat not in gone]
        if not stayed:
            sentence = "Every player was removed, so nobody wins."
            return Outcome((2,) * len(scores), "nobody", sentence, scores)
        places = tuple(
            1 + (len(stayed) if seat in gone else sum(other > score for other in stayed))
            for seat, score in enumerate(scores)
        )
        *others, last = [COLORS[seat] for seat, place in enumerate(places) if place == 1]
        if others:
            sentence = f"{cap(', '.join(others))} and {last} have {max(stayed)} fish each."
        else:
            sentence = f"{cap(last)} has {max(stayed)} fish."
        return Outcome(places, "fish", sentence, scores)

    def view(self, state: State, viewer: Seat | None) -> FishView:
        """The ice, and everyone on it."""
        cols, fish = self.cols, state.fish
        # A list is made faster than what a generator gives: this is asked for at every move.
        board = tuple([_numbers(fish[tile : tile + cols]) for tile in range(0, len(fish), cols)])
        players = []
        for n, penguins in enumerate(state.penguins):
            places, removed = places_of(cols, penguins), n in state.gone
            players.append(Flock(Seat(n), COLORS[n], state.scores[n], places, removed))
        return FishView(self.phase(state), board, tuple(players), state.turn)

    def imagine(self, view: FishView, seat: Seat, chance: Chance) -> State:
        """The ice that everyone sees. Raises BadPosition."""
        if [len(row) for row in view.board] != [self.cols] * self.rows:
            raise BadPosition(f"The ice has {self.rows} rows of {self.cols} tiles.")
        places = [at for flock in view.players for at in flock.places]
        if not all(0 <= row < self.rows and 0 <= col < self.cols for row, col in places):
            raise BadPosition("A penguin is not on the board.")
        fish = bytes(number for row in view.board for number in row)
        penguins = tuple(
            tuple(bit_of(self.cols, at) for at in flock.places) for flock in view.players
        )
        free = bits_of(self.cols, fish) & ~sum(1 << at for own in penguins for at in own)
        scores = tuple(flock.score for flock in view.players)
        gone = frozenset(flock.seat for flock in view.players if flock.removed)
        return State(fish, free, penguins, scores, view.turn, gone)

    def parse_move(self, text: str) -> Move:
        """A tile, `3,2`, or two with a dash between them, `3,2-5,2`."""
        return _read(text)

    def format_move(self, move: Move) -> str:
        """A tile, `3,2`, or two with a dash between them, `3,2-5,2`."""
        return _written(move)

    def parse_position(self, text: str) -> State:
        """The state this text means. Raises BadPosition."""
        return position.parse(self.rows, self.cols, text)

    def format_position(self, state: State) -> str:
        """The rows, the seats with their fish and penguins, and whose turn it is."""
        return position.write(self.cols, state)

    def _place(self, state: State, seat: Seat, square: Square) -> Step[State]:
        if not state.placing:
            raise IllegalMove("wrong_phase", "All penguins are placed, so move one of yours.")
        at = self._bit(square)
        if not state.free >> at & 1:
            raise _not_free(state, at, square)
        free = state.free ^ 1 << at
        penguins = put(state.penguins, seat, (*state.penguins[seat], at))
        turn, skipped = self._after(seat, free, penguins, state.gone)
        return Step(State(state.fish, free, penguins, state.scores, turn, state.gone), skipped)

    def _slide(self, state: State, seat: Seat, start: Square, end: Square) -> Step[State]:
        if state.placing:
            raise IllegalMove("wrong_phase", "Penguins are still being placed, so place one.")
        here, there = self._bit(start), self._bit(end)
        own = state.penguins[seat]
        if here not in own:
            raise IllegalMove("not_your_penguin", f"You have no penguin on {_text(start)}.")
        step = step_towards(self.cols, start, end)
        if step == 0:
            raise IllegalMove(
                "no_line", f"No straight line leads from {_text(start)} to {_text(end)}."
            )
        if not state.free >> there & 1:
            raise _not_free(state, there, end)
        for at in range(here + step, there, step):
            if not state.free >> at & 1:
                between = _text(square_of(self.cols, at))
                raise IllegalMove("blocked", f"{between} is in the way, and is not a free tile.")
        fish, tile = state.fish, here >> 1
        melted = fish[:tile] + b"\0" + fish[tile + 1 :]
        free = state.free ^ 1 << there
        penguins = put(state.penguins, seat, put(own, own.index(here), there))
        scores = put(state.scores, seat, state.scores[seat] + fish[tile])
        turn, skipped = self._after(seat, free, penguins, state.gone)
        after = State(melted, free, penguins, scores, turn, state.gone)
        return Step(after, (Scored(seat, fish[tile], *start), *skipped))

    def _after(
        self, seat: Seat, free: int, penguins: Penguins, gone: frozenset[Seat]
    ) -> tuple[Seat | None, tuple[Skipped, ...]]:
        """The seat that acts after this one, and an effect for each seat that is skipped."""
        turn, skipped = next_turn(self.cols, free, penguins, gone, (seat + 1) % len(penguins))
        return turn, tuple(map(Skipped, skipped)) if skipped else ()

    def _bit(self, square: Square) -> int:
        """The number of this tile's bit. Raises IllegalMove where the board has no such tile."""
        row, col = square
        if 0 <= row < self.rows and 0 <= col < self.cols:
            return bit_of(self.cols, square)
        raise IllegalMove("off_board", f"{_text(square)} is not on the board.")


@lru_cache(maxsize=4096)  # the same tiles are played again and again
def _read(text: str) -> Move:
    read = _MOVE.fullmatch(text)
    if read is None:
        raise BadNotation(f"A move is written like 3,2 or 3,2-5,2, and {text[:40]!r} is not.")
    row, col, to_row, to_col = read.groups()
    if to_row is None:
        return Place((int(row), int(col)))
    return Slide((int(row), int(col)), (int(to_row), int(to_col)))


@lru_cache(maxsize=4096)
def _written(move: Move) -> str:
    match move:
        case Place(at):
            return _text(at)
        case Slide(start, end):
            return f"{_text(start)}-{_text(end)}"


@lru_cache(maxsize=4096)  # a move changes one row, and games are much alike
def _numbers(row: bytes) -> tuple[int, ...]:
    return tuple(row)


def _not_free(state: State, at: int, square: Square) -> IllegalMove:
    """Why a penguin cannot go to this tile of the board, as the error to raise."""
    if state.fish[at >> 1]:
        return IllegalMove("taken", f"There is a penguin on {_text(square)}.")
    return IllegalMove("no_tile", f"There is a hole at {_text(square)}.")


def _text(square: Square) -> str:
    return f"{square[0]},{square[1]}"
