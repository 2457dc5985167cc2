"""The keeper's one timer: it rings when a flag may fall, or something was arranged for."""

import asyncio
from collections.abc import Callable
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros, Wall
from rookery.runtime.fairtime import FairTime

FLAGS_AGAIN: Final[Micros] = 5_000  # until flags are looked at again, while anything waits
LOOK_UP: Final[Micros] = 1_000_000  # how long to trust that nobody sets the clock on the wall


class Timer:
    """Set anew whenever something else is due next; it mutates, and lives in the event loop."""

    def __init__(self, time: FairTime, ring: Callable[[], None]) -> None:
        self._time = time
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._at: tuple[Micros | None, Wall | None] | None = None

    def set(self, deadline: Micros | None, appointment: Wall | None, *, busy: bool) -> None:
        """Ring then; a little later where there is something to be decided first."""
        if (deadline, appointment) == self._at and self._handle is not None:
            return
        self.stop()
        self._at = deadline, appointment
        waits = [] if deadline is None else [self._time.wait(deadline)]
        if appointment is not None:
            waits.append(min(max(0, appointment - self._time.wall()), LOOK_UP))
        if busy:
            waits = [max(wait, FLAGS_AGAIN) for wait in waits]
        if waits:
            self._handle = self._loop.call_later(min(waits) / MICROS_A_SECOND, self._rings)

    def stop(self) -> None:
        """Do not ring."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle, self._at = None, None

    def _rings(self) -> None:
        self._handle, self._at = None, None
        self._ring()
