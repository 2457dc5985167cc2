"""Levels as players: they think in worker processes, so many at a time, shared by all games.

A thought whose answer is not wanted any more is thought to its end, so that its worker can be
used again.
"""

import asyncio
from typing import Final

import msgspec

from rookery.arena.players.player import PlayerFailed
from rookery.arena.setup import BadMatch
from rookery.bots import asks_for_past
from rookery.bots.asking import Thought
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.server import workers
from rookery.server.workers import NotStarted, TooSlow, Worker, WorkerFailed, WorkerPool

PATIENCE: Final = 3.0  # seconds a worker may be late with its answer
THINKER: Final = msgspec.structs.replace(workers.THINKER, heard=True)


class LevelPlayer:
    """A level of a game, which thinks in any worker that is idle."""

    def __init__(self, workers: WorkerPool, level: int) -> None:
        self._workers = workers
        self._level = level
        self._worker: Worker | None = None
        self._thinking: asyncio.Task[str | None] | None = None

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """Do nothing: a level remembers nothing between moves."""

    async def ready(self) -> None:
        """Take a worker that is awake: starting one is not the level's time. Raises BadMatch.

        If no worker can be had, that is no level's fault, and loses no game.
        """
        if self._worker is None:
            try:
                self._worker = await self._workers.take()
            except NotStarted as failed:
                why = f"No process can be started to think in: {failed.why}."
                raise BadMatch(why) from None
        if self._worker.fresh:
            try:
                await _asked(self._worker, workers.first_thought())
            except BaseException:
                await self.close()
                raise

    async def choose(self, thought: Thought) -> str | None:
        """Return the level's move, thought in the worker that `ready` took."""
        worker, self._worker = self._worker, None
        assert worker is not None, "a level is made ready before it is asked"
        asked = msgspec.structs.replace(thought, level=self._level)
        if not asks_for_past(thought.variant.partition(" ")[0]):
            asked = msgspec.structs.replace(asked, played=None)
        self._thinking = asyncio.create_task(_asked(worker, asked))
        self._thinking.add_done_callback(lambda task: self._thought(worker, task))
        return await asyncio.shield(self._thinking)

    async def end(self, outcome: Outcome | None) -> None:
        """Do nothing: a level does not care."""

    async def close(self) -> None:
        """Give back a worker that was taken and not asked."""
        if self._worker is not None:
            self._workers.give_back(self._worker)
            self._worker = None

    def _thought(self, worker: Worker, task: "asyncio.Task[str | None]") -> None:
        self._workers.give_back(worker)
        if not task.cancelled():
            task.exception()  # the game has heard of it, or does not want to know


async def _asked(worker: Worker, thought: Thought) -> str | None:
    """Ask a worker for the move. Raises PlayerFailed."""
    try:
        return await workers.think(worker, thought, PATIENCE)
    except TooSlow:
        raise PlayerFailed(f"Level {thought.level} did not answer in time.") from None
    except WorkerFailed:
        raise PlayerFailed(f"Level {thought.level} crashed.") from None
