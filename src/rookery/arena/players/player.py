"""Who plays: a level of ours, a program, or a program that listens at host:port.

To the arena they are all the same: something that is there, sits down, is asked for moves
and gets up. Whatever it does wrong is a `PlayerFailed` with a reason, which loses the game
it plays and nothing else.
"""

from typing import Protocol

from rookery.bots.asking import Thought
from rookery.core.errors import Mistake
from rookery.core.game import Outcome
from rookery.core.ids import Seat


class PlayerFailed(Mistake):
    """A player crashed, hung or spoke rubbish; the sentence says which."""


class ArenaPlayer(Protocol):
    """One that plays one game after the other, each in one seat."""

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """A game begins; it is there, and ready for it. Raises PlayerFailed."""
        ...

    async def ready(self) -> None:
        """Be able to think at once; only after that does the clock run."""
        ...

    async def choose(self, thought: Thought) -> str | None:
        """A move; None to wait. Raises PlayerFailed. Who is cancelled here is closed after."""
        ...

    async def end(self, outcome: Outcome | None) -> None:
        """The game is over; None where it was broken off. Raises PlayerFailed."""
        ...

    async def close(self) -> None:
        """Go, and leave nothing running."""
        ...
