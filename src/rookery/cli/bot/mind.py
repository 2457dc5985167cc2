"""Who thinks for a bot: beside it, in a process of its own, so that it can hear meanwhile.

A mind is asked one question at a time and answers when it can; its file can be waited for
together with a socket. One that has died, or has not answered in time, is started afresh.
Here are the levels; `program_mind` has programs.
"""

import subprocess
import sys
from contextlib import suppress
from typing import IO, Final, Protocol

import msgspec

from rookery.bots.asking import AnyView, Thought, read_answer, write
from rookery.cli.bot.pilot import Question
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.tictactoe import TictactoeView

MEGABYTES: Final = 1024  # the most that thinking may take
LATE: Final = 2.0  # seconds beyond its time after which a mind is given up

_FIRST: Final[AnyView] = TictactoeView(("...", "...", "..."), Seat(0))


class MindLost(Exception):
    """Whoever thought does so no more."""


class Mind(Protocol):
    """Somebody who thinks. It mutates."""

    def fileno(self) -> int:
        """Where an answer can be waited for."""
        ...

    def ask(self, question: Question) -> float:
        """Think about this, and nothing else; when, in seconds, to give up on it."""
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
        """Think no more."""
        ...


class LevelMind:
    """One of the levels, in a worker process."""

    def __init__(self, level: int, chance: Chance) -> None:
        self._level, self._chance = level, chance
        self._worker = _start()

    def fileno(self) -> int:
        """The worker's output."""
        return _pipe(self._worker.stdout).fileno()

    def ask(self, question: Question) -> float:
        """With a seed of its own, so that the same bot may play differently."""
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
        with suppress(OSError):  # that it has died is seen where it is heard
            _say(self._worker, thought)
        return question.millis / 1000 + LATE

    def answer(self) -> str | None:
        """The worker's line."""
        return _hear(self._worker)

    def over(self) -> None:
        """Nothing: it remembers nothing."""

    def restart(self) -> None:
        """Kill the worker, and start another."""
        self.close()
        self._worker = _start()

    def close(self) -> None:
        """Kill the worker; it has nothing to lose."""
        self._worker.kill()
        self._worker.wait()
        _pipe(self._worker.stdout).close()
        with suppress(OSError):  # of what was being written nothing is needed
            _pipe(self._worker.stdin).close()


def _start() -> subprocess.Popen[bytes]:
    """A worker that has thought once: the first move of a game must not wait for imports."""
    worker = subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-m", "rookery.bots.worker", str(MEGABYTES)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us; it dies with its standard input
    )
    _say(worker, Thought("tictactoe", 1, Seat(0), _FIRST, ("0",), seed=0, millis=1))
    _hear(worker)
    return worker


def _say(worker: subprocess.Popen[bytes], thought: Thought) -> None:
    pipe = _pipe(worker.stdin)
    pipe.write(write(thought))
    pipe.flush()


def _hear(worker: subprocess.Popen[bytes]) -> str | None:
    try:
        return read_answer(_pipe(worker.stdout).readline()).move
    except (msgspec.DecodeError, OSError):
        raise MindLost from None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "a worker has pipes"
    return pipe
