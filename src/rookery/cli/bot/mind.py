"""The mind of a bot: it thinks in a process of its own, so that the bot can hear meanwhile.

A mind is asked one question at a time and answers when it can; its file can be waited for
together with a socket. One that has died, or has not answered in time, is started afresh.
Here are the levels; `program_mind` has programs. A level that is lost plays any legal move; a
program that fails loses its game, because its author wants to know.
"""

import asyncio
import os
from concurrent.futures import Future
from threading import Thread
from typing import Final, Protocol

from msgspec.structs import replace

from rookery.bots.asking import Thought
from rookery.cli.bot.pilot import Question
from rookery.core.chance import Chance
from rookery.server import workers
from rookery.server.workers import WorkerFailed, WorkerPool

MEGABYTES: Final = 1024  # the most that thinking may take: a bot has one process
LATE: Final = 2.0  # seconds beyond its time after which a mind is given up
THINKER: Final = replace(workers.THINKER, command=workers.think_command(MEGABYTES))


class MindLost(Exception):
    """What thought for the bot has died, hung or answered nonsense; the text says which."""


class Mind(Protocol):
    """Thinks about one question at a time."""

    @property
    def resigns(self) -> bool:
        """Whether a question without an answer loses its game; else any legal move is played."""
        ...

    def fileno(self) -> int:
        """The file to wait on, with a socket, for an answer."""
        ...

    def ask(self, question: Question) -> float:
        """Begin to think about a question; returns in how many seconds to give up on the answer."""
        ...

    def answer(self) -> str | None:
        """The move, or None to wait for now; blocks until it is there. Raises MindLost."""
        ...

    def over(self) -> None:
        """A game is over; the next question is of another."""
        ...

    def restart(self) -> None:
        """Forget the question, and be ready for another."""
        ...

    def close(self) -> None:
        """End the mind and its process."""
        ...


class LevelMind:
    """One of the levels, in a worker process.

    The worker lives on a loop of its own, in a thread, and a byte in a pipe says that it has
    answered.
    """

    resigns = False

    def __init__(self, level: int, chance: Chance) -> None:
        self._level, self._chance = level, chance
        self._workers = WorkerPool(THINKER, 1)
        self._answer: Future[str | None] | None = None
        self._read, self._write = os.pipe()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._wake()

    def fileno(self) -> int:
        """The end of a pipe into which every answer puts a byte."""
        return self._read

    def ask(self, question: Question) -> float:
        """Ask the worker, with a new seed, so that the same bot may play differently."""
        thought = Thought(
            question.variant,
            self._level,
            question.seat,
            question.view,
            question.moves,
            self._chance.bits() >> 1,  # a number that every reader of JSON can have
            question.millis,
            question.left,
        )
        self._begin(thought)
        return question.millis / 1000 + LATE

    def answer(self) -> str | None:
        """The worker's answer, which has come. Raises MindLost if the worker died."""
        os.read(self._read, 1)
        answer, self._answer = self._answer, None
        assert answer is not None, "who was asked answers"
        try:
            return answer.result()
        except WorkerFailed:
            raise MindLost("The bot crashed, and is started again.") from None

    def over(self) -> None:
        """Do nothing: a level remembers nothing of a game."""

    def restart(self) -> None:
        """Kill a worker that still thinks; the next is awake before it is asked."""
        if self._answer is not None:
            self._answer.cancel()
            os.read(self._read, 1)
        self._wake()

    def close(self) -> None:
        """Kill the worker; it has nothing to lose."""
        asyncio.run_coroutine_threadsafe(self._workers.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        os.close(self._read)
        os.close(self._write)

    def _wake(self) -> None:
        """Have it think once: the first move of a game must not wait for imports."""
        self._begin(workers.first_thought())
        self.answer()

    def _begin(self, thought: Thought) -> None:
        self._answer = asyncio.run_coroutine_threadsafe(self._think(thought), self._loop)
        self._answer.add_done_callback(lambda _: os.write(self._write, b"."))

    async def _think(self, thought: Thought) -> str | None:
        worker = await self._workers.take()
        try:
            return await workers.think(worker, thought, LATE)
        finally:
            self._workers.give_back(worker)
