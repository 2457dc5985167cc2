"""A program as a player: it is begun, asked for moves, told the end, and closed.

One process plays one game at a time, and game after game. Each failure of the program ends the
process and raises `ProgramFailed`; the next `begin` starts it afresh. An illegal move is no
failure here: the referee judges moves.
"""

import asyncio
import shlex
import shutil
from collections.abc import Sequence
from typing import Final

from rookery.bots.asking import Thought
from rookery.bots.programs.child import Child, start
from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.words import Answer, Begin, End, Ready, Turn, move_in, turn_for
from rookery.core.game import Outcome
from rookery.core.ids import Seat

MEMORY: Final = 1024  # megabytes; Java takes a 64th of the machine's at once
START_SECONDS: Final = 20.0  # a compiler may run first, on a busy machine


class Program:
    """A player that is a process of its own. There is a process or none."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        memory: int = MEMORY,
        start_seconds: float = START_SECONDS,
    ) -> None:
        assert command, "a program has a name"
        self.command = tuple(command)
        self.name = name
        self._memory = memory
        self._start_seconds = start_seconds
        self._child: Child | None = None
        self._ready = False  # whether this process has ever answered

    @property
    def group(self) -> int | None:
        """The number of the program's process group; None while it does not run."""
        return None if self._child is None else self._child.group

    @property
    def complaints(self) -> str:
        """The end of what the program wrote to its standard error; empty while it does not run."""
        return "" if self._child is None else self._child.complaints

    async def begin(self, variant: str, seat: Seat, names: Sequence[str], time: str) -> None:
        """Let the program sit down to a game; returns when it is ready. Raises ProgramFailed.

        Starts the process where there is none. `names` has one for every seat.
        """
        if self._child is None:
            check_command(self.command)
            self._ready = False
            self._child = await start(self.name, self.command, self._memory)
        begin = Begin(variant, seat, len(names), tuple(names), time)
        answer = await self._ask(self._child, begin, self._start_seconds)
        assert isinstance(answer, Ready), "nothing else may answer begin"
        self._ready = True

    async def move(self, thought: Thought, seconds: float | None) -> str | None:
        """Ask the program for a move, which is not judged; None to wait. Raises ProgramFailed.

        If this is cancelled, because the game ended meanwhile, the program lives on, and its
        answer is thrown away when it comes.
        """
        assert self._child is not None, "a program is begun before it moves"
        return move_in(await self._ask(self._child, turn_for(thought), seconds))

    async def end(self, outcome: Outcome | None) -> None:
        """Tell the program how the game ended; None where the game was broken off."""
        if self._child is not None:
            self._child.tell(End(outcome))

    async def close(self) -> None:
        """End the program politely, and see to it that no process of it still runs."""
        child, self._child = self._child, None
        if child is not None:
            await child.stop(politely=True)

    async def _ask(self, child: Child, question: Begin | Turn, seconds: float | None) -> Answer:
        number = child.ask(question)
        try:
            async with asyncio.timeout(seconds):
                while (heard := await child.answer()).number != number:
                    pass  # an answer to a question that nobody waits for any more
        except TimeoutError:
            failure = self._late(seconds)
        except ProgramFailed as failed:
            failure = failed
        else:
            return heard.answer
        self._child = None
        await child.stop(politely=False)
        raise ProgramFailed(failure.fault, str(failure), child.complaints) from failure

    def _late(self, seconds: float | None) -> ProgramFailed:
        # Who never answered mostly did, into a buffer.
        hint = "" if self._ready else "; does it flush what it prints?"
        sentence = f"{self.name} did not answer within {seconds:.3g} s{hint or '.'}"
        return ProgramFailed(Fault.LATE, sentence)


def parse_command(text: str) -> tuple[str, ...]:
    """The words of a command as a shell would split them. Raises ProgramFailed."""
    try:
        command = tuple(shlex.split(text))
    except ValueError as bad:
        sentence = f"{text[:80]!r} is no command: a quote is left open."
        raise ProgramFailed(Fault.MISSING, sentence) from bad
    check_command(command)
    return command


def check_command(command: Sequence[str]) -> None:
    """Raise ProgramFailed if there is no such program to run."""
    if not command or not command[0]:
        raise ProgramFailed(Fault.MISSING, "A command without a word starts no program.")
    if shutil.which(command[0]) is None:
        sentence = f"There is no program {command[0][:80]!r} to run."
        raise ProgramFailed(Fault.MISSING, sentence)
