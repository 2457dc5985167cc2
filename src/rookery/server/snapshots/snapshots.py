"""Has a snapshot made every so often, by a process beside the server.

The process reads the log, as anybody may while a server writes to it, and keeps the snapshot
with it. Nobody waits for the process: it gets what processor others leave. If it dies or
fails, that is said in the server's log, and the next one is tried when it would be due. It
mutates, and lives in the event loop.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from rookery.core.events import Record
from rookery.server.config import IN_MEMORY
from rookery.server.snapshots.process import by_a_process
from rookery.server.snapshots.worker import Made
from rookery.server.workers import WorkerFailed

log = logging.getLogger(__name__)

# Records of the hall's own stream, each about 15 µs of the next start; half of a second at most.
EVERY: Final = 20_000

Maker = Callable[[str], Awaitable[Made]]  # of a snapshot of the log that is here


class CountedHall(Protocol):
    """A hall, which knows how many records are its own."""

    @property
    def own_records(self) -> int:
        """How many records its own stream has so far."""


class Snapshots:
    """Looks after the snapshot of the log here; `covered`: how many own records it reaches."""

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
        self._due = covered + every  # when the hall has so many own records, the next is made
        self._maker = make
        self._making: asyncio.Task[None] | None = None

    def follow(self, tell: Callable[[Callable[[Sequence[Record]], None]], None]) -> None:
        """Hear of records by `tell`; make a snapshot at once if it is time already."""
        tell(self.wrote)
        self.wrote()

    def wrote(self, _: Sequence[Record] = ()) -> None:
        """Make a snapshot, if there are enough new records."""
        if self._hall.own_records >= self._due and self._making is None and not self._over:
            self._making = asyncio.create_task(self._make())

    async def close(self) -> None:
        """Make no more; a snapshot that is half made is left, and nobody takes it for whole."""
        self._over = True
        if self._making is not None:
            self._making.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._making

    async def _make(self) -> None:
        own = self._hall.own_records  # the snapshot reaches so far, or nearly
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
