"""Has a snapshot made every so often, by a process beside the server.

The process reads the log, as anybody may while a server writes to it, and keeps what it makes
with it. Nobody waits for it: it gets what processor others leave. If it dies or fails, that is
said in the server's log, and the next one is tried when it would be due. It mutates, and lives
in the event loop.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from rookery.core.events import Record
from rookery.runtime.worker import WorkerFailed
from rookery.server.config import IN_MEMORY
from rookery.server.snapshots.process import by_a_process
from rookery.server.snapshots.worker import Made

log = logging.getLogger(__name__)

# Records of the hall's own stream, each about 15 µs of the next start; half of a second at most.
EVERY: Final = 20_000

Maker = Callable[[str], Awaitable[Made]]  # of a snapshot of the log that is here


class CountedHall(Protocol):
    """A hall, which knows how many records are its own."""

    @property
    def own_records(self) -> int:
        """Of its own stream, so far."""


class Snapshots:
    """Looks after the snapshot of the log here, which covers so many of the hall's own records."""

    def __init__(
        self,
        data: str,
        hall: CountedHall,
        covered: int,
        every: int = EVERY,
        make: Maker = by_a_process,
    ) -> None:
        self._data = data
        self._hall = hall
        self._every = every
        self._over = data == IN_MEMORY  # nothing is made any more
        self._due = covered + every  # when so many are there, the next is made
        self._maker = make
        self._making: asyncio.Task[None] | None = None

    def follow(self, tell: Callable[[Callable[[Sequence[Record]], None]], None]) -> None:
        """Be told of what is written; what was before may be enough for a snapshot."""
        tell(self.wrote)
        self.wrote()

    def wrote(self, _: Sequence[Record] = ()) -> None:
        """Something was written: see whether it is time for a snapshot."""
        if self._hall.own_records >= self._due and self._making is None and not self._over:
            self._making = asyncio.create_task(self._make())

    async def close(self) -> None:
        """Make no more; what is half made is left, and nobody takes it for a whole one."""
        self._over = True
        if self._making is not None:
            self._making.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._making

    async def _make(self) -> None:
        own = self._hall.own_records  # what it makes reaches so far, or nearly
        try:
            made = await self._maker(self._data)
            if made.why:
                log.warning("no snapshot could be made: %s", made.why)
            else:
                log.info("made a snapshot up to record %d", made.seq)
        except WorkerFailed as how:
            log.warning("a process that makes a snapshot %s", how)
        self._due = own + self._every
        self._making = None
