"""A game that cannot be played here: not installed, or judged by rules that this server lacks.

It stands in for the game wherever its log is read. It keeps the moves as the text they are,
and otherwise nothing happens in it: it is nobody's turn, so no clock runs and nobody loses.
The table goes on where its game is there again.
"""

from collections.abc import Iterable
from typing import ClassVar, Final, cast

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import BadOption, IllegalMove
from rookery.core.game import Forfeit, Outcome, Step, View
from rookery.core.ids import NOBODY, Seat
from rookery.games import GAMES, AnyGame, is_suspended, parse_variant

ABSENT: Final = "absent"  # the phase of it, and the code of every refusal
SEATS: Final = range(1, 65)


class Moves(Struct, frozen=True):
    """The moves so far, each with its seat."""

    made: tuple[tuple[Seat, str], ...] = ()


class AbsentView(View, frozen=True, tag="absent_view"):
    """Why there is no board, and the moves so far as they were written; secret ones are empty."""

    why: str
    moves: tuple[str, ...]


class Absent(Struct, frozen=True):
    """Stands in for a game. Every question about the rules has an answer."""

    name: str
    rules: int
    why: str  # one sentence, that names what is missing
    secret_moves: bool = False

    seat_counts: ClassVar = SEATS
    can_draw: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = (ABSENT,)

    def seat_name(self, seat: Seat) -> str:
        """The seat's number, from one."""
        return f"seat {seat + 1}"

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each seat for itself, as far as anybody knows."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> Moves:
        """A game without moves."""
        return Moves()

    def phase(self, state: object) -> str:
        """Always `absent`."""
        return ABSENT

    def to_act(self, state: object) -> frozenset[Seat]:
        """Nobody, whatever happened."""
        return NOBODY

    def legal_moves(self, state: object, seat: Seat) -> Iterable[str]:
        """No moves."""
        return ()

    def play(self, state: object, seat: Seat, move: str) -> Step[Moves]:
        """Add the move that the log says was played."""
        before = state.made if isinstance(state, Moves) else ()
        return Step(Moves((*before, (seat, move))))

    def forfeit(self, state: object, seat: Seat, why: Forfeit) -> Step[object]:
        """The same state: what a forfeit leads to is not known here."""
        return Step(state)

    def outcome(self, state: object) -> Outcome | None:
        """None: only the log knows how the game ended."""
        return None

    def view(self, state: object, viewer: Seat | None) -> AbsentView:
        """The texts of the moves; those that this viewer may not know are empty."""
        made = state.made if isinstance(state, Moves) else ()
        hidden = self.secret_moves
        return AbsentView(self.why, tuple("" if hidden and s != viewer else m for s, m in made))

    def parse_move(self, text: str) -> str:
        """Any text is a move."""
        return text

    def format_move(self, move: str) -> str:
        """The text of the move as it was."""
        return move

    def refusal(self) -> IllegalMove:
        """The error that refuses every move, with the reason why the game is absent."""
        return IllegalMove(ABSENT, self.why)


def absent(name: str, rules: int, why: str, *, secret: bool = False) -> AnyGame:
    """Make a stand-in for this game."""
    # A game's name is its class's, but here the class is the same for all.
    return cast("AnyGame", Absent(name, rules, why, secret))


def game_or_absent(variant: str, rules: int | None, package: str, *, secret: bool) -> AnyGame:
    """The game that this text means, by these rules, or a stand-in where it is not here."""
    name = variant.partition(" ")[0]
    try:
        game = parse_variant(variant)
    except BadOption as wrong:
        why = str(wrong) if name in GAMES or is_suspended(name) else missing("game", name, package)
        return absent(name, rules or 0, why, secret=secret)
    if rules is None or game.rules == rules:
        return game
    why = (
        f"It was played by version {rules} of the rules of {name}; "
        f"this server knows version {game.rules}."
    )
    return absent(name, rules, why, secret=secret or game.secret_moves)


def missing(kind: str, name: str, package: str) -> str:
    """The sentence that a game or a format is not installed, and which package brought it."""
    if not package:
        return f"The {kind} {name} is not installed here."
    return f"The {kind} {name} is not installed here: it came with {package}."
