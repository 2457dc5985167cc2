"""The pool: the few processes in which all house bots think, and how long they may.

Thoughts are taken up in the order they were asked for, whichever bot asks. A thought whose
process failed is given to another; if it fails twice, it has failed. It lives in the event loop.
"""

import asyncio
import os
from typing import Final

from msgspec.structs import replace

from rookery.bots.asking import Thought
from rookery.core.ids import Micros
from rookery.server.workers import THINKER, Worker, WorkerPool, think

PROCESSES_MAX: Final = 4  # unless the settings say otherwise
GRACE: Final = 2.0  # seconds to answer after a thought's time is over
STARTING: Final = 20.0  # seconds more for the first answer of a process: people wait for it
NICE: Final = 10  # after the process that answers people
SHARE: Final = 20  # of what is left on its clock a bot uses one part in so many at most
MILLIS_MIN: Final = 10
MILLIS: Final = (200, 200, 200, 500, 1000)  # by level


def processes() -> int:
    """How many processes this machine should think in: one core is the server's."""
    return max(1, min(PROCESSES_MAX, (os.cpu_count() or 1) - 1))


def budget(level: int, left: Micros | None) -> int:
    """Milliseconds for a thought of this level, with so much left on its clock."""
    full = MILLIS[level - 1]
    return full if left is None else max(MILLIS_MIN, min(full, left // 1000 // SHARE))


class Pool:
    """Processes that think for bots; `size` 0 is as many as suit the machine."""

    def __init__(
        self,
        command: tuple[str, ...] = THINKER.command,
        size: int = 0,
        *,
        grace: float = GRACE,
        starting: float = STARTING,
    ) -> None:
        self._grace = grace
        kind = replace(THINKER, command=command, starting=starting, nice=NICE)
        self._workers = WorkerPool(kind, size or processes())
        self.warm = self._workers.warm
        self.close = self._workers.close

    async def think(self, thought: Thought) -> str | None:
        """Return a move, or None to wait for now; sets the thought's time. Raises AllFailed."""
        clock = asyncio.get_running_loop().time
        asked = clock()

        async def have(worker: Worker) -> str | None:
            left = None if thought.left is None else thought.left[thought.seat]
            if left is not None:
                left -= round((clock() - asked) * 1_000_000)
            millis = budget(thought.level, left)
            return await think(worker, replace(thought, millis=millis), self._grace)

        return await self._workers.use(have, f"thinks about {thought.variant}")
