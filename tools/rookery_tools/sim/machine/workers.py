"""Stand-ins for the processes that think and pair: the world works out what they would answer.

The server's own workers (`server/workers.py`) talk to them as to any process: a line in, a line
out. Now and then one dies over a question, or hangs, as processes do.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Final, Protocol

import msgspec

from rookery.bots.answering import study, think
from rookery.bots.asking import Answer, read_thought
from rookery.bots.asking import write as write_thought
from rookery.bots.studying import read_study
from rookery.core.chance import Chance
from rookery.core.tour_values import Puzzle
from rookery.hall.tours.formats.dutch import solve
from rookery_tools.sim.machine.agenda import MILLI, Nanos, WorldAgenda

STARTS: Final = (100 * MILLI, 900 * MILLI)  # what a process takes to be there
ANSWERS: Final = (2 * MILLI, 250 * MILLI)
DIES, HANGS = 60, 120  # one question in so many
LOOKS: Final = 60  # times that a bot asks whether it must answer, until it must
GLANCES: Final = 4  # and who studies
FIRST_PID: Final = 1 << 23  # a number that no process of this machine can have
STDOUT: Final = 1


# What a process does for one line, step by step: nothing to say yet, and at last its answer.
Job = Callable[[bytes], Iterator[bytes]]


class Beside(Protocol):
    """The loop, as a process beside it needs it."""

    agenda: WorldAgenda
    chance: Chance
    dead: bool
    jobs: "dict[str, Job]"
    fails: Callable[[Exception], None]

    def call_soon(self, callback: Callable[[], object]) -> object:
        """Call this in the loop's next turn."""


def think_of(line: bytes) -> Iterator[bytes]:
    """The answer of a process that thinks; its bot is halted after so many looks, by no clock."""
    looks = count()
    yield write_thought(Answer(think(read_thought(line), lambda: next(looks) > LOOKS)))


def study_of(line: bytes) -> Iterator[bytes]:
    """The answer of a process that studies positions, halted after fewer looks."""
    looks = count()

    def halt() -> bool:
        return next(looks) > GLANCES

    yield write_thought(study(read_study(line), halt, halt))


def pair(line: bytes) -> Iterator[bytes]:
    """The answer of a process that pairs."""
    yield msgspec.json.encode(solve(msgspec.json.decode(line, type=Puzzle))) + b"\n"


# By the task of `rookery.server.worker_main`: what it says first, and how it answers.
KNOWN: Final[dict[str, tuple[bytes, Job]]] = {
    "study": (b"", study_of),
    "think": (b"", think_of),
    "pair": (b"ready\n", pair),
}


class SimWorker(asyncio.SubprocessTransport):
    """One process, as asyncio's protocols know it; it is its own pipe."""

    numbers = count(FIRST_PID)

    def __init__(self, loop: Beside, protocol: asyncio.SubprocessProtocol, task: str) -> None:
        super().__init__()
        self._loop, self._protocol = loop, protocol
        self._pid = next(self.numbers)
        self._first, self._job = KNOWN.get(task) or (b"", loop.jobs[task])
        self._gone = False

    def begin(self) -> None:
        """Tell the protocol that the process runs, and let it say its first line."""
        self._protocol.connection_made(self)
        if self._first:
            self._later(STARTS, partial(self._say, self._first))

    # -- what asyncio's protocols call

    def get_pid(self) -> int:
        """The process id."""
        return self._pid

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:  # noqa: ARG002 # the one
        """The pipe to the process's standard input, which is this object."""
        return self

    def write(self, line: bytes) -> None:
        """Ask the process a line; it answers later, or dies, or hangs."""
        if not self._loop.chance.below(DIES):
            self._later(ANSWERS, self._die)
        elif self._loop.chance.below(HANGS):
            self._later(ANSWERS, partial(self._reply, line))

    def kill(self) -> None:
        """Let the process die in a moment."""
        self._later((MILLI, 2 * MILLI), self._die)

    def close(self) -> None:
        """Let go of the process: it answers no more."""
        self._gone = True

    def is_closing(self) -> bool:
        """Whether the process is gone."""
        return self._gone

    # -- what it does

    def _later(self, takes: tuple[Nanos, Nanos], work: Callable[[], None]) -> None:
        def then() -> None:
            if not self._loop.dead and not self._gone:
                work()

        self._loop.agenda.after(self._loop.chance.between(*takes), then)

    def _reply(self, line: bytes) -> None:
        self._go_on(self._job(line))

    def _go_on(self, steps: Iterator[bytes]) -> None:
        try:
            answer = next(steps)
        except Exception as wrong:  # noqa: BLE001 # a process dies of it, and the world does not
            self._loop.fails(wrong)
            self._die()
            return
        if answer:
            self._say(answer)
        else:
            self._later(ANSWERS, partial(self._go_on, steps))

    def _say(self, words: bytes) -> None:
        self._loop.call_soon(partial(self._protocol.pipe_data_received, STDOUT, words))

    def _die(self) -> None:
        self._gone = True
        self._loop.call_soon(partial(self._protocol.pipe_connection_lost, STDOUT, None))
        self._loop.call_soon(self._protocol.process_exited)
