"""What a pilot is: it plays for a bot over one wire language, without a socket or a clock.

Bytes of the server come in; bytes to send and sentences to print come out. When a move is
wanted there is a `question`, which stays until it is answered, so that the mind may take its
time while the pilot hears and answers other things. One pilot lives through many connections:
at each it begins again, and takes up its seat as its language can.
"""

from collections.abc import Iterable
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.game import AnyView
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.games import AnyGame

MILLIS: Final = 2000  # for a move where no clock says more; the levels need about half of it
SHORTEST: Final = 20  # milliseconds: with less nobody can think
SHARE: Final = 10  # a move may take one part in so many of what is left on the clock

BEGINS: Final = "A game begins."
RESIGNS: Final = "The bot resigns this game."
NO_TOUR: Final = "There is no tour with that code."
WON, DRAWN, LOST, UNKNOWN = "won", "drawn", "lost", "over"  # how a game came out for us


class Unwelcome(Mistake):
    """The server does not let us play; trying again would not help."""


class BotWish(Struct, frozen=True):
    """The game a bot is to play, the name to play under, and where."""

    game: AnyGame
    name: str
    code: str = ""  # of a tour
    time: str | None = None  # this and the rest only where a language can say so
    seats: int | None = None
    team: str = ""  # in the tour
    room: str = ""
    open_tour: int | None = None  # the number of a tour that has no code

    @property
    def in_tour(self) -> bool:
        """Whether the bot is to play in a tour."""
        return bool(self.code) or self.open_tour is not None

    @property
    def coded_name(self) -> str:
        """The name, with `#` and the code of the tour behind it if there is one."""
        return f"{self.name}#{self.code}" if self.code else self.name

    def shows_code(self, name: str) -> bool:
        """Whether a player's name ends in the tour's code; in the tour itself no name does."""
        return bool(self.code) and name.upper().endswith(f"#{self.code.upper()}")


class Question(Struct, frozen=True):
    """A move is wanted. An answer counts while the pilot's question is of the same turn."""

    turn: int
    variant: str
    seat: Seat
    view: AnyView
    moves: tuple[str, ...]  # never nothing
    millis: int = MILLIS
    left: tuple[Micros, ...] | None = None


class Over(Struct, frozen=True):
    """A game of the bot is over, with this result."""

    result: str
    sentence: str = ""


class NoMoreGames(Struct, frozen=True):
    """The bot will be given no more games here; the sentence says why."""

    sentence: str


class CallAgain(Struct, frozen=True):
    """The next game is to be had over a new connection."""


Heard: TypeAlias = (
    bytes | str | Over | NoMoreGames | CallAgain
)  # to be sent, to be said, and what came about


class Pilot(Protocol):
    """Plays game after game over one language."""

    @property
    def question(self) -> Question | None:
        """The question that the mind is to answer now; None while no move is wanted."""
        ...

    def begin(self) -> bytes:
        """The first bytes of a new connection."""
        ...

    def hear(self, came: bytes) -> Iterable[Heard]:
        """Read the server's bytes, cut anywhere; yields what follows. Raises Unwelcome."""
        ...

    def play(self, move: str) -> bytes:
        """The bytes that answer the question with one of its moves."""
        ...

    def give_up(self) -> Iterable[Heard]:
        """Lose the game of the question, and no more than the language makes us; says what that is.

        Where the language has no word for resigning this is a bad answer.
        """
        ...

    def again(self) -> bytes:
        """Ask for the next game; said after each that is over, if there is to be another."""
        ...

    def idle(self) -> bytes:
        """The bytes to send now and then, as to look again for a game to join."""
        ...

    def farewell(self, *, withdraw: bool) -> bytes:
        """The bytes to send before hanging up, so that nobody waits for us.

        The bot leaves its game; a tour it leaves only where it is to `withdraw`.
        """
        ...


def time_for(left: tuple[Micros, ...] | None, seat: Seat) -> int:
    """How many milliseconds a move may take with this on the clocks."""
    if left is None:
        return MILLIS
    share = left[seat] // SHARE * 1000 // MICROS_A_SECOND
    return min(MILLIS, max(SHORTEST, share))
