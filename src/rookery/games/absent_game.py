"""A game that cannot be played here: not installed, or judged by rules that this house has not.

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
    """Who moved how so far."""

    made: tuple[tuple[Seat, str], ...] = ()


class AbsentView(View, frozen=True):
    """Why there is no board, and the moves so far as they were written; secret ones are empty."""

    why: str
    moves: tuple[str, ...]


class Absent(Struct, frozen=True):
    """What stands in for a game. Everything it is asked has an answer."""

    name: str
    rules: int
    why: str  # one sentence, that names what is missing
    secret_moves: bool = False

    seat_counts: ClassVar = SEATS
    can_draw: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = (ABSENT,)

    def seat_name(self, seat: Seat) -> str:
        """Its number, from one."""
        return f"seat {seat + 1}"

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself, as far as anybody knows."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> Moves:
        """Nothing yet."""
        return Moves()

    def phase(self, state: object) -> str:
        """Always the same."""
        return ABSENT

    def to_act(self, state: object) -> frozenset[Seat]:
        """Nobody, whatever happened."""
        return NOBODY

    def legal_moves(self, state: object, seat: Seat) -> Iterable[str]:
        """None."""
        return ()

    def play(self, state: object, seat: Seat, move: str) -> Step[Moves]:
        """What the log says was played."""
        before = state.made if isinstance(state, Moves) else ()
        return Step(Moves((*before, (seat, move))))

    def forfeit(self, state: object, seat: Seat, why: Forfeit) -> Step[object]:
        """What the log says came of it is not known here."""
        return Step(state)

    def outcome(self, state: object) -> Outcome | None:
        """Only the log knows."""
        return None

    def view(self, state: object, viewer: Seat | None) -> AbsentView:
        """The moves, or as many of them as this viewer may know."""
        made = state.made if isinstance(state, Moves) else ()
        hidden = self.secret_moves
        return AbsentView(self.why, tuple("" if hidden and s != viewer else m for s, m in made))

    def parse_move(self, text: str) -> str:
        """Any text."""
        return text

    def format_move(self, move: str) -> str:
        """The same text."""
        return move

    def refusal(self) -> IllegalMove:
        """Why nobody moves."""
        return IllegalMove(ABSENT, self.why)


def absent(name: str, rules: int, why: str, *, secret: bool = False) -> AnyGame:
    """What stands in for this game."""
    # A game's name is its class's, but here the class is the same for all.
    return cast("AnyGame", Absent(name, rules, why, secret))


def game_or_absent(variant: str, rules: int | None, package: str, *, secret: bool) -> AnyGame:
    """The game that this text means, by these rules, or what stands in for it."""
    name = variant.partition(" ")[0]
    try:
        game = parse_variant(variant, rules)
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
    """That a game or a format is not there, and what is to be installed."""
    if not package:
        return f"The {kind} {name} is not installed here."
    return f"The {kind} {name} is not installed here: it came with {package}."
