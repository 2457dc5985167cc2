"""A person's own program that thinks for a bot, over its standard input and output.

The program lives on a loop of its own, in a thread, and a byte in a pipe says that it has
answered. A mistake of the program loses the game it was made in, and that game alone: its
author is told which, and sees no other move played. The program is started again for the next
question, after ever longer pauses while it fails before it has made a move.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Final

from rookery.bots.asking import Thought
from rookery.bots.programs import Fault, Program, ProgramFailed
from rookery.bots.programs.program import START_SECONDS
from rookery.cli.bot.mind import LATE, MindLost
from rookery.cli.bot.pilot import Question
from rookery.cli.connection.server import PAUSES
from rookery.core.ids import MICROS_A_SECOND
from rookery.games import parse_variant
from rookery.games.bughouse import BughouseView
from rookery.games.fish import FishView

PATIENCE: Final = 60.0  # seconds for a move where no clock is told
NO_LEVEL: Final = 1  # a thought has one, and a program is not told
SHOWN: Final = 12  # last lines of the program's standard error that its author is shown
CLOSING: Final = 5.0  # seconds; a program that stays is killed in less


class ProgramMind:
    """Asks one program for moves, game after game."""

    resigns = True

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._name = name
        self._program = Program(command, name=name)
        self._begun = False  # whether it was told of this game
        self._question: Question | None = None
        self._answer: Future[str | None] | None = None
        self._closing: Future[None] | None = None  # the end of a process that failed
        self._failures = 0  # since the last move
        self._rests_until = 0.0
        self._read, self._write = os.pipe()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """The end of a pipe into which every answer puts a byte."""
        return self._read

    def ask(self, question: Question) -> float:
        """Ask the program for a move, after telling it of the game if that is new."""
        before, self._question = self._question, question
        if before is None or (before.variant, before.seat) != (question.variant, question.seat):
            self._begun = False
        seconds = PATIENCE
        if question.left is not None:
            seconds = question.left[question.seat] / MICROS_A_SECOND
        moving = self._move(question, seconds)
        self._answer = asyncio.run_coroutine_threadsafe(moving, self._loop)
        self._answer.add_done_callback(lambda _: os.write(self._write, b"."))
        return max(0.0, self._rests_until - time.monotonic()) + START_SECONDS + seconds + LATE

    def answer(self) -> str | None:
        """The move, or None to wait. Raises MindLost, which says what the program did wrong."""
        os.read(self._read, 1)
        answer, self._answer = self._answer, None
        assert answer is not None, "who was asked answers"
        try:
            move = answer.result()
        except ProgramFailed as failed:
            raise MindLost(self._told(failed)) from None
        self._failures = 0
        return move

    def over(self) -> None:
        """The next turn is of another game."""
        self._begun = False

    def restart(self) -> None:
        """End the program; the next question starts it afresh, not before it has rested."""
        self._end()
        self._begun = False
        if time.monotonic() >= self._rests_until:  # else it was not started yet
            self._rests_until = time.monotonic() + self._pause
            self._failures += 1

    def close(self) -> None:
        """End the program for good, and the thread that served it."""
        with suppress(TimeoutError):
            self._end().result(CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSING)

    @property
    def _pause(self) -> float:
        return PAUSES[min(self._failures, len(PAUSES) - 1)]

    def _told(self, failed: ProgramFailed) -> str:
        """What the author is told: what went wrong, the end of standard error, and what follows."""
        lines = [line.rstrip() for line in failed.complaints.splitlines() if line.strip()]
        again = f"The program is started again for the next game, {self._pause:g} s from now"
        if self._failures:
            again += f": it has failed {self._failures + 1} times without a move"
        return "\n".join([str(failed), *(f"  {line}" for line in lines[-SHOWN:]), f"{again}."])

    def _end(self) -> Future[None]:
        """Begin to end the process, and forget the question that it may still think about."""
        if self._answer is not None:
            self._answer.cancel()
            os.read(self._read, 1)
            self._answer = None
        self._closing = asyncio.run_coroutine_threadsafe(self._program.close(), self._loop)
        return self._closing

    async def _move(self, question: Question, seconds: float) -> str | None:
        if self._closing is not None:
            await asyncio.wrap_future(self._closing)  # two of one program could disturb each other
        await asyncio.sleep(self._rests_until - time.monotonic())
        if not self._begun:
            await self._begin(question)
            self._begun = True
        thought = Thought(
            question.variant,
            NO_LEVEL,
            question.seat,
            question.view,
            question.moves,
            seed=0,
            millis=question.millis,
            left=question.left,
        )
        move = await self._program.move(thought, seconds)
        if move is not None and move not in question.moves:
            wrong = f"{self._name} played {move[:40]!r}, which is not among its moves."
            raise ProgramFailed(Fault.RUBBISH, wrong, self._program.complaints)
        return move

    async def _begin(self, question: Question) -> None:
        seats = range(_seats(question))
        names = [self._name if seat == question.seat else f"seat {seat}" for seat in seats]
        has_played = self._program.group is not None
        try:
            await self._program.begin(question.variant, question.seat, names, "none")
        except ProgramFailed as failed:
            if not (has_played and failed.fault is Fault.GONE):
                raise
            # Some programs stop after each game. That costs none, if they start again.
            await self._program.begin(question.variant, question.seat, names, "none")


def _seats(question: Question) -> int:
    match question.view:
        case BughouseView(hands=hands):
            return len(hands)
        case FishView(players=players):
            return len(players)
        case _:
            return parse_variant(question.variant).seat_counts[0]
