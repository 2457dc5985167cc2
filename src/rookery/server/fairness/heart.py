"""The heart: tells fair time that the loop turns, and when it has looked at its sockets.

It mutates, and lives in the event loop, from when it is made until it is stopped.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from rookery.core.ids import MICROS_A_SECOND
from rookery.runtime.fairtime import BEAT, FairTime


class Heart:
    """Beats."""

    def __init__(self, time: FairTime) -> None:
        self._time = time
        self._loop = asyncio.get_running_loop()
        self._stopped = False
        self._beat()

    def stop(self) -> None:
        """Beat no more."""
        self._stopped = True

    def after_a_look(self, work: Callable[[], None]) -> None:
        """Do this once all has been read that lies at the sockets by now."""
        # The loop looks, at the latest, between these two: the first may be done before it
        # looks, or before it reads what it saw.
        self._loop.call_soon(self._loop.call_soon, work)

    def look(self) -> None:
        """Find out up to when all that came has been read."""
        self.after_a_look(partial(self._time.looked, self._time.mark()))

    def _beat(self) -> None:
        if not self._stopped:
            self._time.beat()
            self.look()
            self._loop.call_later(BEAT / MICROS_A_SECOND, self._beat)
