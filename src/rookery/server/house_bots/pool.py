"""The pool: the few processes in which all house bots think.

Thoughts are taken up in the order they were asked for, whoever asks. A process is started
when there is a thought and none is free, up to as many as there may be. One that fails is
killed and another tries the same thought; who fails twice has failed. It mutates, and lives
in the event loop.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rookery.bots.asking import Thought
from rookery.core.ids import Micros
from rookery.server.house_bots.thinker import Failure, Thinker, start

log = logging.getLogger(__name__)

MEGABYTES: Final = 512  # a process may use
PROCESSES_MAX: Final = 4  # unless the settings say otherwise
GRACE: Final = 2.0  # seconds to answer after a thought's time is over
STARTING: Final = 20.0  # seconds more for the first answer of a process, on a busy machine
GOING: Final = 5.0  # seconds for a process that was killed to be gone
TRIES: Final = 2
SHARE: Final = 20  # of what is left on its clock a bot uses one part in so many at most
MILLIS_MIN: Final = 10
MILLIS: Final = (200, 200, 200, 500, 1000)  # by level
COMMAND: Final = (sys.executable, "-m", "rookery.bots.worker", str(MEGABYTES))


class BotFailed(Exception):
    """Two processes in a row gave no answer to a thought."""


def processes() -> int:
    """How many processes this machine should think in: one core is the server's."""
    return max(1, min(PROCESSES_MAX, (os.cpu_count() or 1) - 1))


def budget(level: int, left: Micros | None) -> int:
    """Milliseconds for a thought of this level, with so much left on its clock."""
    full = MILLIS[level - 1]
    return full if left is None else max(MILLIS_MIN, min(full, left // 1000 // SHARE))


class Pool:
    """Where thoughts are had. `size` 0 is as many processes as suit the machine."""

    def __init__(
        self,
        command: Sequence[str] = COMMAND,
        size: int = 0,
        *,
        grace: float = GRACE,
        starting: float = STARTING,
    ) -> None:
        self._command = command
        self._grace = grace
        self._starting = starting
        self._places = asyncio.Semaphore(size or processes())  # first come, first served
        self._free: list[Thinker] = []
        self._all: set[Thinker] = set()
        self._closed = asyncio.Event()

    async def think(self, thought: Thought) -> str | None:
        """A move, or None to wait for now; the thought's time is set here. Raises BotFailed."""
        loop = asyncio.get_running_loop()
        asked = loop.time()
        async with self._places:
            for _ in range(TRIES):
                left = None if thought.left is None else thought.left[thought.seat]
                if left is not None:
                    left -= round((loop.time() - asked) * 1_000_000)
                millis = budget(thought.level, left)
                try:
                    return await self._try(replace(thought, millis=millis))
                except Failure as how:
                    log.warning("a process that thinks about %s %s", thought.variant, how)
        raise BotFailed

    async def warm(self) -> None:
        """Have a process at hand before the first thought comes: starting one takes a while."""
        async with self._places:
            if self._all or self._closed.is_set():
                return
            try:
                self._free.append(await self._start())
            except Failure as how:
                log.warning("a process to think in %s", how)

    async def close(self) -> None:
        """End every process, and see it gone."""
        self._closed.set()
        for thinker in list(self._all):
            thinker.kill()
        for thinker in list(self._all):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(thinker.gone.wait(), GOING)

    async def _try(self, thought: Thought) -> str | None:
        thinker = await self._next()
        patience = thought.millis / 1000 + self._grace + (self._starting if thinker.fresh else 0)
        move = await thinker.think(thought, patience)
        self._free.append(thinker)
        return move

    async def _next(self) -> Thinker:
        while self._free:
            thinker = self._free.pop()
            if not thinker.failed:  # else it died while it had nothing to do
                return thinker
        return await self._start()

    async def _start(self) -> Thinker:
        if self._closed.is_set():
            raise Failure("was asked too late")
        thinker = await start(self._command)
        # Those that failed are kept until they are gone.
        self._all = {thinker, *(other for other in self._all if not other.gone.is_set())}
        if self._closed.is_set():
            thinker.kill()
        return thinker
