"""Players between two games."""

import asyncio

from rookery.arena.players.player_pool import PlayerPool
from rookery.bots.asking import Thought
from rookery.core.game import Outcome
from rookery.core.ids import Seat


class Reluctant:
    """A player that goes only when others go too."""

    def __init__(self, door: asyncio.Barrier) -> None:
        self._door = door

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """Nothing to do."""

    async def ready(self) -> None:
        """It is."""

    async def choose(self, thought: Thought) -> str | None:
        """Whatever comes first."""
        return thought.moves[0]

    async def end(self, outcome: Outcome | None) -> None:
        """It does not care."""

    async def close(self) -> None:
        """Wait for the others."""
        await self._door.wait()


def test_nobody_waits_to_be_let_go_until_another_has_gone() -> None:
    async def story() -> None:
        door = asyncio.Barrier(3)
        pool = PlayerPool(lambda: Reluctant(door))
        for _ in range(3):
            pool.give_back(Reluctant(door))
        await asyncio.wait_for(pool.close(), 10)

    asyncio.run(story())
