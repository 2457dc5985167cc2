"""Bots that think in workers: what kind of process, how one is woken, and how it is asked.

The house, a match and `rookery bot` have bots think. Each starts from this kind, and says what
is different there.
"""

import sys
from typing import Final

from rookery.bots.asking import Thought, read_answer, write
from rookery.core.chance import Chance
from rookery.games import GAMES, format_variant
from rookery.runtime.worker import Worker, WorkerKind

MEGABYTES: Final = 512  # of memory that a process may use
STARTING: Final = 60.0  # seconds more for the first answer of a process, on a busy machine
LINE_MAX: Final = 1 << 16  # bytes of an answer; a move of our own games has at most 13


def command(megabytes: int = MEGABYTES) -> tuple[str, ...]:
    """The command that starts a process which thinks in so much memory."""
    return (sys.executable, "-m", "rookery.runtime.thinker", str(megabytes))


THINKER: Final = WorkerKind(command(), "think", STARTING, LINE_MAX)


async def think(worker: Worker, thought: Thought, grace: float) -> str | None:
    """Ask a worker for a move, or None to wait; within the thought's time and `grace` seconds.

    Raises WorkerFailed.
    """
    seconds = thought.millis / 1000 + grace
    return (await worker.ask(write(thought), seconds, read_answer)).move


def first_thought() -> Thought:
    """A thought to wake a process with, for its first answer takes as long as all imports.

    It is the first move of any game, by its lowest level.
    """
    game = next(iter(GAMES.values()))()
    state = game.start(game.seat_counts[0], Chance(0))
    seat = min(game.to_act(state))
    moves = tuple(map(game.format_move, game.legal_moves(state, seat)))
    return Thought(format_variant(game), 1, seat, game.view(state, seat), moves, 0, millis=1)
