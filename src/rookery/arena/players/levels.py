"""Levels as players: they think in worker processes, so many at a time, shared by all games.

A thought that nobody waits for any more is thought to its end, so that its worker can be
used again.
"""

import asyncio
import sys
from typing import Final

import msgspec

from rookery.arena.players.player import PlayerFailed
from rookery.arena.setup import BadMatch
from rookery.bots import asks_for_past
from rookery.bots.asking import Thought, read_answer, write
from rookery.core.chance import Chance
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.games import GAMES, format_variant
from rookery.runtime.worker import NotStarted, TooSlow, Worker, WorkerFailed, WorkerKind
from rookery.runtime.workers import Workers

MEGABYTES: Final = 512  # of memory a worker may use
PATIENCE: Final = 3.0  # seconds a worker may be late with its answer
WAKING: Final = 30.0  # … and with its first
LINE_MAX: Final = 1 << 16  # bytes of an answer
COMMAND: Final = (sys.executable, "-m", "rookery.runtime.thinker", str(MEGABYTES))
THINKER: Final = WorkerKind(COMMAND, "think", WAKING, LINE_MAX, heard=True)


class LevelPlayer:
    """A level of a game, which thinks in whatever worker is idle. It mutates."""

    def __init__(self, workers: Workers, level: int) -> None:
        self._workers = workers
        self._level = level
        self._worker: Worker | None = None
        self._thinking: asyncio.Task[str | None] | None = None

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """A level remembers nothing between moves."""

    async def ready(self) -> None:
        """Take a worker that is awake: starting one is not the level's time. Raises BadMatch.

        That there can be none is no level's fault, and loses no game.
        """
        if self._worker is None:
            try:
                self._worker = await self._workers.take()
            except NotStarted as failed:
                why = f"No process can be started to think in: {failed.why}."
                raise BadMatch(why) from None
        if self._worker.fresh:  # its first answer takes as long as its imports
            try:
                await _asked(self._worker, _first_thought())
            except BaseException:
                await self.close()
                raise

    async def choose(self, thought: Thought) -> str | None:
        """What the level would play."""
        worker, self._worker = self._worker, None
        assert worker is not None, "a level is made ready before it is asked"
        asked = msgspec.structs.replace(thought, level=self._level)
        if not asks_for_past(thought.variant.partition(" ")[0]):
            asked = msgspec.structs.replace(asked, played=None)
        self._thinking = asyncio.create_task(_asked(worker, asked))
        self._thinking.add_done_callback(lambda task: self._thought(worker, task))
        return await asyncio.shield(self._thinking)

    async def end(self, outcome: Outcome | None) -> None:
        """It does not care."""

    async def close(self) -> None:
        """Let go of a worker that was not asked."""
        if self._worker is not None:
            self._workers.give_back(self._worker)
            self._worker = None

    def _thought(self, worker: Worker, task: "asyncio.Task[str | None]") -> None:
        self._workers.give_back(worker)
        if not task.cancelled():
            task.exception()  # whoever asked has heard of it, or does not want to know


async def _asked(worker: Worker, thought: Thought) -> str | None:
    """The move. Raises PlayerFailed."""
    try:
        wait = thought.millis / 1000 + PATIENCE
        return (await worker.ask(write(thought), wait, read_answer)).move
    except TooSlow:
        raise PlayerFailed(f"Level {thought.level} did not answer in time.") from None
    except WorkerFailed:
        raise PlayerFailed(f"Level {thought.level} crashed.") from None


def _first_thought() -> Thought:
    """Something to wake up with: the first move of any game, by its lowest level."""
    game = next(iter(GAMES.values()))()
    state = game.start(game.seat_counts[0], Chance(0))
    seat = min(game.to_act(state))
    moves = tuple(map(game.format_move, game.legal_moves(state, seat)))
    return Thought(format_variant(game), 1, seat, game.view(state, seat), moves, 0, millis=1)
