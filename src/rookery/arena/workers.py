"""Worker processes that think for the levels, so many at a time, shared by all games.

A worker has one thought at a time. One that does not answer in time, or dies, is killed and
another takes its place. A thought that nobody waits for any more is thought to its end, so
that its worker can be used again.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from typing import Final

import msgspec

from rookery.arena.players import PlayerFailed
from rookery.arena.setup import BadMatch
from rookery.bots.asking import Thought, read_answer, write
from rookery.core.chance import Chance
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.games import format_variant
from rookery.games.nim import Nim

MEGABYTES: Final = 512  # of memory a worker may use
PATIENCE: Final = 3.0  # seconds a worker may be late with its answer
WAKING: Final = 30.0  # … and with its first
LINE_MAX: Final = 1 << 16  # bytes of an answer


class Worker:
    """One process, started when first asked. It mutates."""

    def __init__(self) -> None:
        self._process: Process | None = None

    async def start(self) -> None:
        """Be there, and awake: the first answer takes as long as the imports. Raises BadMatch."""
        if self._process is None:
            self._process = await _new_process()
            try:
                await self.think(_first_thought())
            except BaseException:
                await self.stop()  # or its first answer would be taken for another's
                raise

    async def think(self, thought: Thought) -> str | None:
        """The move. Raises PlayerFailed, after which it must be started anew."""
        process = self._process
        assert process is not None, "a worker is started before it thinks"
        assert process.stdin is not None, "a worker is written to"
        assert process.stdout is not None, "a worker is read from"
        try:
            process.stdin.write(write(thought))
            await process.stdin.drain()
            wait = thought.millis / 1000 + PATIENCE
            line = await asyncio.wait_for(process.stdout.readline(), wait)
            return read_answer(line).move
        except TimeoutError:
            await self.stop()
            raise PlayerFailed(f"Level {thought.level} did not answer in time.") from None
        except (OSError, ValueError, msgspec.MsgspecError):
            await self.stop()
            raise PlayerFailed(f"Level {thought.level} crashed.") from None

    async def stop(self) -> None:
        """End the process, whatever it does."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


async def _new_process() -> Process:
    """A worker. Raises BadMatch: that there can be none is no level's fault, and loses no game."""
    try:
        # Of a session of its own: Ctrl-C is for us, and we say what becomes of it.
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "rookery.bots.worker",
            str(MEGABYTES),
            stdin=PIPE,
            stdout=PIPE,
            limit=LINE_MAX,
            start_new_session=True,
        )
    except OSError as wrong:
        raise BadMatch(f"No process can be started to think in: {wrong.strerror}.") from None


def _first_thought() -> Thought:
    """Something to wake up with."""
    game = Nim(sticks=(1, 1))
    view = game.view(game.start(2, Chance(0)), Seat(0))
    return Thought(format_variant(game), 1, Seat(0), view, ("0,1", "1,1"), 0, int(WAKING * 1000))


class Workers:
    """A few workers for many. It mutates."""

    def __init__(self, count: int) -> None:
        self._all = [Worker() for _ in range(count)]
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self._all:
            self._idle.put_nowait(worker)
        self._thinking: set[asyncio.Task[str | None]] = set()

    async def take(self) -> Worker:
        """One that has nothing to do; it must be given a thought, or given back."""
        return await self._idle.get()

    def give_back(self, worker: Worker) -> None:
        """It was not needed."""
        self._idle.put_nowait(worker)

    async def think(self, worker: Worker, thought: Thought) -> str | None:
        """Its move; the worker has nothing to do after that."""
        task = asyncio.create_task(self._think(worker, thought))
        self._thinking.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop them all, in the middle of a thought or not."""
        tasks = tuple(self._thinking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in self._all:
            await worker.stop()

    async def _think(self, worker: Worker, thought: Thought) -> str | None:
        try:
            return await worker.think(thought)
        finally:
            self._idle.put_nowait(worker)

    def _forget(self, task: "asyncio.Task[str | None]") -> None:
        self._thinking.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked has heard of it, or does not want to know


class LevelPlayer:
    """A level of a game, which thinks in whatever worker is idle. It mutates."""

    def __init__(self, workers: Workers, level: int) -> None:
        self._workers = workers
        self._level = level
        self._worker: Worker | None = None

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """A level remembers nothing between moves."""

    async def ready(self) -> None:
        """Take a worker that runs already: starting one is not the level's time."""
        if self._worker is None:
            self._worker = await self._workers.take()
        await self._worker.start()

    async def choose(self, thought: Thought) -> str | None:
        """What the level would play."""
        worker, self._worker = self._worker, None
        assert worker is not None, "a level is made ready before it is asked"
        asked = msgspec.structs.replace(thought, level=self._level, played=None)
        return await self._workers.think(worker, asked)

    async def end(self, outcome: Outcome | None) -> None:
        """It does not care."""

    async def close(self) -> None:
        """Let go of a worker that was not asked."""
        if self._worker is not None:
            self._workers.give_back(self._worker)
            self._worker = None
