"""The two-player games of OpenSpiel that have no chance and no secrets, as games of Rookery.

`openspiel game=breakthrough` is what OpenSpiel calls `breakthrough`; parameters follow in its own
words, `openspiel game=breakthrough(rows=6,columns=6)`. A move is written as OpenSpiel writes it,
with `_` for blanks; the board is shown as OpenSpiel prints it.

A state is the list of what was done, so it is a value like any other; the position is made of
it by playing it again, and the latest are remembered.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final

import pyspiel
from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.sdk import (
    NOBODY,
    OVER,
    BadNotation,
    BadOption,
    Chance,
    Forfeit,
    Forfeited,
    IllegalMove,
    Outcome,
    Seat,
    Showing,
    Step,
    TextBoard,
    View,
    alone,
    cap,
    draw,
    game_over,
    not_your_turn,
    other,
    win,
)

SPOKEN: Final = re.compile(r"[a-z0-9_]{1,40}(\((\w{1,40}=(\d|1\d)(,(?=\w)|(?=\))))+\))?", re.ASCII)
REMEMBERED: Final = 4096  # positions
MOVE_MAX: Final = 80  # characters of a move
TURNS: Final = pyspiel.GameType.Dynamics.SEQUENTIAL
CERTAIN: Final = pyspiel.GameType.ChanceMode.DETERMINISTIC
OPEN: Final = pyspiel.GameType.Information.PERFECT_INFORMATION


class State(Struct, frozen=True):
    """What was done so far, by OpenSpiel's numbers, and who gave up."""

    actions: tuple[int, ...] = ()
    lost: Forfeited | None = None


class OpenSpielView(View, frozen=True):
    """Everyone sees everything, as OpenSpiel prints it."""

    board: tuple[str, ...]
    turn: Seat | None


class OpenSpiel(Struct, frozen=True):
    """A two-player game of OpenSpiel without chance or secrets."""

    game: Annotated[str, Meta(description="as OpenSpiel calls it")] = "breakthrough"

    name: ClassVar = "openspiel"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)
    shown: ClassVar = Showing(
        title="OpenSpiel",
        board=TextBoard(("board",)),
        offers=("game=hex(board_size=7)", "game=dots_and_boxes", "game=y(board_size=7)"),
    )

    def __post_init__(self) -> None:
        """Refuse what OpenSpiel does not have, what cannot be played here, and huge boards."""
        text: object = self.game
        if not isinstance(text, str) or not SPOKEN.fullmatch(text):
            raise BadOption("A game is a name and numbers below 20, like hex(board_size=7).")
        kind = _loaded(self.game).get_type()
        fits = (kind.dynamics, kind.chance_mode, kind.information) == (TURNS, CERTAIN, OPEN)
        if not fits or _loaded(self.game).num_players() != 2:
            raise BadOption(f"{self.game[:40]} is not for two, or has chance or secrets in it.")

    def seat_name(self, seat: Seat) -> str:
        """`first` or `second`."""
        return ("first", "second")[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """As OpenSpiel begins it."""
        return State()

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        """Whom OpenSpiel would have move."""
        return alone(self._turn(state)) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[str]:
        """What OpenSpiel lists."""
        return tuple(self._actions(state)) if seat in self.to_act(state) else ()

    def play(self, state: State, seat: Seat, move: str) -> Step[State]:
        """Do what is written so."""
        if self.outcome(state) is not None:
            raise game_over()
        if seat != self._turn(state):
            raise not_your_turn()
        action = self._actions(state).get(move)
        if action is None:
            raise IllegalMove("illegal", f"{move} is no legal move here.")
        return Step(State((*state.actions, action)))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if self.outcome(state) is not None:
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """Who has the higher return, when OpenSpiel says that it is over."""
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence)
        position = _position(self.game, state.actions)
        if not position.is_terminal():
            return None
        first, second = position.returns()
        if first == second:
            return draw(2, "drawn", "It is a draw.")
        winner = Seat(0 if first > second else 1)
        return win(2, winner, "won", f"{cap(self.seat_name(winner))} has won.")

    def view(self, state: State, viewer: Seat | None) -> OpenSpielView:
        """The board as OpenSpiel prints it."""
        board = str(_position(self.game, state.actions)).rstrip().splitlines()
        turn = self._turn(state) if self.outcome(state) is None else None
        return OpenSpielView(tuple(board), turn)

    def parse_move(self, text: str) -> str:
        """Any word: only a position can say what it means."""
        if not text or len(text) > MOVE_MAX or not text.isprintable() or " " in text:
            raise BadNotation(f"A move is a word, and {text[:20]!r} is not.")
        return text

    def format_move(self, move: str) -> str:
        """The word."""
        return move

    def _turn(self, state: State) -> Seat:
        return Seat(max(0, _position(self.game, state.actions).current_player()))

    def _actions(self, state: State) -> dict[str, int]:
        """The legal moves as they are written, and OpenSpiel's numbers of them."""
        position = _position(self.game, state.actions)
        legal = position.legal_actions()
        words = ["_".join(position.action_to_string(action).split()) for action in legal]
        if len(set(words)) < len(words):  # what OpenSpiel calls alike
            words = [f"{word}#{action}" for word, action in zip(words, legal, strict=True)]
        return dict(zip(words, legal, strict=True))


# Any: OpenSpiel tells no types.
@lru_cache(64)
def _loaded(game: str) -> Any:
    if game.partition("(")[0] not in pyspiel.registered_names():
        raise BadOption(f"OpenSpiel has no game {game[:40]!r}.")
    try:
        return pyspiel.load_game(game)
    except Exception as wrong:  # it raises what its C++ does
        raise BadOption(f"OpenSpiel cannot begin {game[:40]!r}.") from wrong


@lru_cache(REMEMBERED)
def _position(game: str, actions: tuple[int, ...]) -> Any:
    """The position after these, made from the one before."""
    if not actions:
        return _loaded(game).new_initial_state()
    return _position(game, actions[:-1]).child(actions[-1])
