"""What a bot is: it looks at what its seat may know, and names a move.

A bot never sees a state, only a view, so it knows no more than a person in its seat. It
reads no clock and draws no chance by itself: the same sight, seed and number of nodes give
the same move for ever. The caller may halt it before it has used its nodes.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat
from rookery.games import AnyGame

Halt = Callable[[], bool]  # whether it must answer now, with the best it has


class Sight(Struct, frozen=True):
    """What a bot is given when it may move."""

    game: AnyGame  # the variant
    seat: Seat  # whose move is asked for
    view: AnyView  # what that seat may know
    moves: tuple[str, ...]  # what it may play, never nothing
    left: tuple[Micros, ...] | None = None  # on each seat's clock, where there are clocks
    played: tuple[tuple[Seat, str], ...] | None = None  # so far; None: nobody knows it all


class Bot(Protocol):
    """A way to choose moves. One file and one line in the registry make a new one."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str | None:
        """Choose one of the moves; None to wait, where a game goes on without the bot.

        `nodes` is how many positions the bot may look at; one that does not search ignores it.
        """
        ...


class Level(Struct, frozen=True):
    """A bot, and how many nodes it may look at for a move.

    A level means the same in every game: 1 plays like a beginner, 5 is the best we have at
    about a second a move. Each game has a tuple of five (`LEVELS`), the weakest first.
    """

    bot: Bot
    nodes: int
