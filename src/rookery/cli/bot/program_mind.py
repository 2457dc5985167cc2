"""A person's own program that thinks for a bot, over its standard input and output.

The program lives on a loop of its own, in a thread, and a byte in a pipe says that it has
answered. A mistake of the program ends the bot with a sentence that says which: the author
wants to know, and not to see another move played.
"""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Final

from rookery.bots.asking import Thought
from rookery.bots.programs import Program
from rookery.bots.programs.program import START_SECONDS
from rookery.cli.bot.mind import LATE, MindLost
from rookery.cli.bot.pilot import Question, Unwelcome
from rookery.core.ids import MICROS_A_SECOND
from rookery.games import parse_variant
from rookery.games.bughouse import BughouseView
from rookery.games.fish import FishView

PATIENCE: Final = 60.0  # seconds for a move where no clock is told
NO_LEVEL: Final = 1  # a thought has one, and a program is not told
CLOSING: Final = 5.0  # seconds; a program that stays is killed in less


class ProgramMind:
    """Asks one program for moves, game after game. It mutates."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._name = name
        self._program = Program(command, name=name)
        self._begun = False  # whether it was told of this game
        self._question: Question | None = None
        self._answer: Future[str | None] | None = None
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
        return START_SECONDS + seconds + LATE

    def answer(self) -> str | None:
        """The move, or None to wait. Raises ProgramFailed, or Unwelcome for no move at all."""
        os.read(self._read, 1)
        if self._answer is None or self._question is None:
            raise MindLost
        move = self._answer.result()
        if move is not None and move not in self._question.moves:
            raise Unwelcome(f"{self._name} played {move[:40]!r}, which is not among its moves.")
        return move

    def over(self) -> None:
        """The next turn is of another game."""
        self._begun = False

    def restart(self) -> None:
        """End the program; the next question starts it afresh."""
        self._wait_for_close()
        os.read(self._read, 1)  # of the question that was given up
        self._begun = False

    def close(self) -> None:
        """End the program for good, and the thread that served it."""
        self._wait_for_close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSING)

    def _wait_for_close(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
        with suppress(TimeoutError):
            closing = asyncio.run_coroutine_threadsafe(self._program.close(), self._loop)
            closing.result(CLOSING)

    async def _move(self, question: Question, seconds: float) -> str | None:
        if not self._begun:
            seats = range(_seats(question))
            names = [self._name if seat == question.seat else f"seat {seat}" for seat in seats]
            await self._program.begin(question.variant, question.seat, names, "none")
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
        return await self._program.move(thought, seconds)


def _seats(question: Question) -> int:
    match question.view:
        case BughouseView(hands=hands):
            return len(hands)
        case FishView(players=players):
            return len(players)
        case _:
            return parse_variant(question.variant).seat_counts[0]
