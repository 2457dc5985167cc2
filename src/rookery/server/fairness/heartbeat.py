"""The heartbeat: tells fair time that the loop turns, and when it has looked at its sockets.

Where no clock can start unnoticed and nobody sleeps until some fair moment, be it a flag, a grace
or a time-out of a dialect, the heart beats once a second: no one can be charged for anything, and
a server at which nobody plays should cost next to nothing. The heartbeat mutates, and lives in
the event loop from when it is made until it is stopped.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from rookery.core.ids import MICROS_A_SECOND
from rookery.runtime.fairtime import BEAT, FairTime

RESTING: Final = 20  # times the usual while between two beats


class Heartbeat:
    """Beats regularly, and slowly while nothing is awaited and `may_rest` says so."""

    def __init__(self, time: FairTime, may_rest: Callable[[], bool] = lambda: False) -> None:
        self._time, self._may_rest = time, may_rest
        self._loop = asyncio.get_running_loop()
        self._stopped = self._rests = False
        time.rouse = self.wake
        self._beat()

    def stop(self) -> None:
        """Beat no more."""
        self._stopped = True

    def after_a_look(self, work: Callable[[], None]) -> None:
        """Do this once the loop has read everything that lies at the sockets now."""
        # The loop looks, at the latest, between these two: the first may be done before it
        # looks, or before it reads what it saw.
        self._loop.call_soon(self._loop.call_soon, work)

    def look(self) -> None:
        """Tell fair time, after the next look at the sockets, that all until now was read."""
        self.after_a_look(partial(self._time.looked, self._time.mark()))

    def wake(self) -> None:
        """Beat at the usual rate again, at once, if there is no reason to rest any more."""
        if self._rests and not self._can_rest():
            self._next.cancel()
            self._beat()

    def _can_rest(self) -> bool:
        return self._may_rest() and not self._time.is_awaited()

    def _beat(self) -> None:
        if not self._stopped:
            self._rests = self._can_rest()
            slower = RESTING if self._rests else 1
            self._time.beat(slower)
            self.look()
            self._next = self._loop.call_later(slower * BEAT / MICROS_A_SECOND, self._beat)
