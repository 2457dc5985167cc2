"""One timer for a moment that keeps changing: it rings when the moment is there. It mutates."""

import asyncio
from collections.abc import Callable

from rookery.core.ids import MICROS_A_SECOND, Micros


class Alarm:
    """Rings once for each moment it is set to; that is its moment until it is stopped."""

    __slots__ = ("_at", "_ring", "_timer")

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._at: Micros | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def at(self) -> Micros | None:
        """The moment it is set to."""
        return self._at

    def set(self, at: Micros | None, wait: Micros) -> None:
        """Ring then, which is so far off, and at no other time; never where there is no moment."""
        self.stop()
        self._at = at
        if at is not None:
            self._timer = asyncio.get_running_loop().call_later(wait / MICROS_A_SECOND, self._ring)

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._at = None, None
