"""What a pilot is: somebody who plays over one wire language, without a socket or a clock.

Bytes come in, and what is to be sent or said comes out. When a move is wanted there is a
`question`, which stays until it is answered, so that whoever thinks may take its time while
the pilot hears and answers other things. One pilot lives through many connections: at each
it begins again, and takes up its seat as its language can.
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
NO_TOUR: Final = "There is no tour with that code."
WON, DRAWN, LOST, UNKNOWN = "won", "drawn", "lost", "over"  # how a game came out for us


class Unwelcome(Mistake):
    """The server does not let us play; trying again would not help."""


class BotWish(Struct, frozen=True):
    """What is to be played, and as whom."""

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
        """Whether it plays what a tour gives it."""
        return bool(self.code) or self.open_tour is not None

    @property
    def coded_name(self) -> str:
        """The name, with the code of the tour behind it where that is how one joins."""
        return f"{self.name}#{self.code}" if self.code else self.name

    def shows_code(self, name: str) -> bool:
        """Whether this name ends in the code, which nobody shows in the tour itself."""
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
    """A game is over."""

    result: str
    sentence: str = ""


class NoMoreGames(Struct, frozen=True):
    """There will be no more games here."""

    sentence: str


class CallAgain(Struct, frozen=True):
    """The next game is to be had over a new connection."""


Heard: TypeAlias = (
    bytes | str | Over | NoMoreGames | CallAgain
)  # to be sent, to be said, and what came about


class Pilot(Protocol):
    """Somebody who plays game after game in one language. It mutates."""

    @property
    def question(self) -> Question | None:
        """What is to be thought about now."""
        ...

    def begin(self) -> bytes:
        """What to say first on a new connection."""
        ...

    def hear(self, came: bytes) -> Iterable[Heard]:
        """What follows from these bytes, which may be cut anywhere. Raises Unwelcome."""
        ...

    def play(self, move: str) -> bytes:
        """Answer the question with one of its moves."""
        ...

    def again(self) -> bytes:
        """Ask for the next game; said after each that is over, if there is to be another."""
        ...

    def idle(self) -> bytes:
        """What to say now and then, as when there was nothing to join before."""
        ...

    def farewell(self) -> bytes:
        """What to say before hanging up for good, so that nobody waits for us."""
        ...


def time_for(left: tuple[Micros, ...] | None, seat: Seat) -> int:
    """How many milliseconds a move may take with this on the clocks."""
    if left is None:
        return MILLIS
    share = left[seat] // SHARE * 1000 // MICROS_A_SECOND
    return min(MILLIS, max(SHORTEST, share))
