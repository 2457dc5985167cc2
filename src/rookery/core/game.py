"""What a game is: a value with pure functions, and the words it speaks in.

An instance of a game is a variant (`Reversi(size=10)`), a frozen struct whose fields
are its options, checked when it is made. A state is a value of the game's own; the
rules take one and give back another. Time never comes in, and chance only at the
start, so the same arguments give the same game for ever.

Moves are text at every border and typed inside: `parse_move` reads what is readable
whatever the position, `play` judges it.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.core.tags import snake_tag

S = TypeVar("S")
M = TypeVar("M")
S_contra = TypeVar("S_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)

OVER: Final = "over"  # the phase of every ended game
VOIDED: Final = "voided"  # how a game ends that a tour's organiser voids or overrules


class AnyEffect:
    """Some game's effect: what is written for one where it is read from JSON by its tag."""

    __slots__ = ()


class AnyView:
    """Some game's view: what is written for one where it is read from JSON by its tag."""

    __slots__ = ()


class Effect(Struct, AnyEffect, frozen=True, tag=snake_tag, gc=False):
    """Something a move did that its text does not say. Each game has its own kinds."""

    many: ClassVar[str] = ""  # several of a kind after one move: `{} discs turn over`

    def words(self, who: Callable[[Seat], str]) -> str:  # noqa: ARG002 - for those that say who
        """The effect in words for a person; empty where the move or the board says it anyway."""
        return ""


class Aside(Struct, frozen=True):
    """An effect for one seat's ears only. Not an `Effect`: it cannot be told to all."""

    seat: Seat
    effect: Effect


class Step(Struct, Generic[S], frozen=True, gc=False):
    """The state after a move, and the effects of the move, in order."""

    state: S
    effects: tuple[Effect | Aside, ...] = ()


class View(Struct, AnyView, frozen=True, tag=snake_tag):
    """A state as one viewer may know it. Each game has its own kind."""


class Forfeit(StrEnum):
    """Why a seat lost without being beaten on the board."""

    RESIGNED = "resigned"
    LATE = "late"
    CHEATED = "cheated"  # too many illegal moves, or one where one is enough
    GONE = "gone"


class Forfeited(Struct, frozen=True):
    """Which seat forfeited, and why."""

    seat: Seat
    why: Forfeit

    def sentence(self, name: str) -> str:
        """The sentence that tells people how the seat of this name forfeited."""
        return f"{cap(name)} {_FORFEIT_WORDS[self.why]}."


_FORFEIT_WORDS: Final = {
    Forfeit.RESIGNED: "resigned",
    Forfeit.LATE: "ran out of time",
    Forfeit.CHEATED: "made too many illegal moves",
    Forfeit.GONE: "left the game",
}


class Outcome(Struct, frozen=True):
    """How a game ended.

    `places` has one number a seat: 1 is first, equal places are shared, team-mates
    share theirs. A draw is everyone first; where nobody won, nobody is. `how` is a
    word for programs, `reason` a sentence for people, `scores` one number a seat
    where the game counts something.
    """

    places: tuple[int, ...]
    how: str
    reason: str
    scores: tuple[int, ...] | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in first place; all of them in a draw."""
        return tuple(Seat(n) for n, place in enumerate(self.places) if place == 1)

    @property
    def drawn(self) -> bool:
        """Whether everyone shares the first place."""
        return all(place == 1 for place in self.places)


class Game(Protocol[S, M]):
    """The rules of one variant. One file and one line in the registry make a new game."""

    name: ClassVar[str]
    rules: ClassVar[int]  # raised when logs would replay differently
    seat_counts: ClassVar[range]
    can_draw: ClassVar[bool]  # whether the players may agree on a draw
    secret_moves: ClassVar[bool]  # whether a move is told to nobody but its seat until the end
    phases: ClassVar[tuple[str, ...]]  # all that `phase` says before the game is over

    def seat_name(self, seat: Seat) -> str:
        """What the rules call this seat: `black`, `home`, `red`."""
        ...

    def teams(self, seats: int) -> tuple[int, ...]:
        """Which team each seat is in; a team of its own where there are none."""
        ...

    def start(self, seats: int, chance: Chance) -> S:
        """The position before the first move: dealing and secrets happen here."""
        ...

    def phase(self, state: S) -> str:
        """What the seats are doing now: `play`, or a phase of the game's own, or `over`."""
        ...

    def to_act(self, state: S) -> frozenset[Seat]:
        """Whose turn it is: nobody's exactly when there is an outcome."""
        ...

    def legal_moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Exactly the moves that `play` accepts from this seat, always in the same order."""
        ...

    def play(self, state: S, seat: Seat, move: M) -> Step[S]:
        """The state after this move. Raises IllegalMove."""
        ...

    def forfeit(self, state: S, seat: Seat, why: Forfeit) -> Step[S]:
        """The state after this seat is out. Raises IllegalMove where it was out before."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def view(self, state: S, viewer: Seat | None) -> View:
        """What this seat may know; None is someone who only watches.

        A game says here which kind of view it has: by that it is read back from JSON.
        """
        ...

    def parse_move(self, text: str) -> M:
        """The move this text means. Raises BadNotation, and nothing else."""
        ...

    def format_move(self, move: M) -> str:
        """The move as text; `parse_move` reads it back."""
        ...


@runtime_checkable
class Positioned(Protocol[S]):
    """A game whose positions can be written down: all but those with secrets."""

    def parse_position(self, text: str) -> S:
        """The state this text means. Raises BadPosition."""
        ...

    def format_position(self, state: S) -> str:
        """The state as text, without what led to it."""
        ...


@runtime_checkable
class Completing(Protocol):
    """A game whose moves may be typed shorter by somebody who sits at a table."""

    def completed(self, text: str, seat: Seat) -> str:
        """The full text of the move that this seat means by a shorter one."""
        ...


@runtime_checkable
class Noting(Protocol[S_contra, M_contra]):
    """A game whose players write moves in a way of their own, which says more than their text."""

    def noted(self, state: S_contra, move: M_contra) -> str:
        """This legal move as players write it, from the state before it: `exd5`, `N@f3+`."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A game in which the positions of a part are counted, as others have published them."""

    def counts_of(self, part: str) -> Callable[[int], int] | None:
        """The number of lines of so many moves from here; None where this is no part."""
        ...


@runtime_checkable
class Evaluating(Protocol[S_contra]):
    """A game that can say how a position stands. Bots search without it too, but not as well."""

    def evaluate(self, state: S_contra, seat: Seat) -> float:
        """How well this seat stands while the game goes on: from 0, lost, to 1, won."""
        ...


@runtime_checkable
class Imagining(Protocol[S_co]):
    """A game that can make up what a seat does not know."""

    # Any: the game's own kind of view.
    def imagine(self, view: Any, seat: Seat, chance: Chance) -> S_co:
        """A state that looks like this to this seat: the only one where nothing is hidden.

        Raises BadPosition where none does.
        """
        ...


@runtime_checkable
class Opening(Protocol[M]):
    """A game that may begin after moves drawn by chance."""

    def opening_moves(self, chance: Chance) -> tuple[tuple[Seat, M], ...]:
        """The seats and moves before the position that `start` makes of the same chance."""
        ...

    def format_move(self, move: M) -> str:
        """The move as text."""
        ...


def opening_of(game: object, seed: int) -> tuple[tuple[Seat, str], ...]:
    """The moves made by chance before the first turn of a table with this seed, as text."""
    if not isinstance(game, Opening):
        return ()
    return tuple((seat, game.format_move(m)) for seat, m in game.opening_moves(Chance(seed)))


def win(
    seats: int, winner: Seat, how: str, reason: str, scores: tuple[int, ...] | None = None
) -> Outcome:
    """An outcome with one seat first, and all others second."""
    places = tuple(1 if seat == winner else 2 for seat in range(seats))
    return Outcome(places, how, reason, scores)


def draw(seats: int, how: str, reason: str, scores: tuple[int, ...] | None = None) -> Outcome:
    """An outcome with everyone first."""
    return Outcome((1,) * seats, how, reason, scores)


def other(seat: Seat) -> Seat:
    """The opponent in a game of two."""
    return Seat(1 - seat)


def cap(name: str) -> str:
    """A seat's name with a capital letter, for the beginning of a sentence."""
    return name[:1].upper() + name[1:]
