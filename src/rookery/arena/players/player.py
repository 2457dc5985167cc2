"""A player of a match: a level of ours, a program, or a program that listens at host:port.

To the arena they are all the same: something that is there, sits down, is asked for moves
and gets up. Whatever a player does wrong is a `PlayerFailed` with a reason, which loses the
game it plays and nothing else.
"""

from typing import Protocol

from rookery.bots.asking import Thought
from rookery.core.errors import Mistake
from rookery.core.game import Outcome
from rookery.core.ids import Seat


class PlayerFailed(Mistake):
    """A player crashed, hung or spoke rubbish; the sentence says which."""


class ArenaPlayer(Protocol):
    """A player that plays one game after the other, each in one seat."""

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """Sit down to a game, and be ready for it. Raises PlayerFailed."""
        ...

    async def ready(self) -> None:
        """Get ready to think at once; only after that does the clock run."""
        ...

    async def choose(self, thought: Thought) -> str | None:
        """Return a move; None to wait. Raises PlayerFailed. If cancelled, `close` follows."""
        ...

    async def end(self, outcome: Outcome | None) -> None:
        """Get up, because the game is over; None: it was broken off. Raises PlayerFailed."""
        ...

    async def close(self) -> None:
        """Go, and leave nothing running."""
        ...
