"""One timer for a moment that keeps changing: it rings when the moment has come. It mutates.

The moment mostly moves later, as with every answer: then the timer is left as it is, and when
it wakes too early it looks again.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.runtime.fairtime import FairTime


class Alarm:
    """Rings once for each moment it is set to, unless it is set anew or stopped before."""

    __slots__ = ("_ring", "_time", "_timer", "_wakes", "at")

    def __init__(self, ring: Callable[[], None], time: FairTime) -> None:
        self._ring, self._time = ring, time
        self._timer: asyncio.TimerHandle | None = None
        self._wakes: Micros = 0  # for which moment the timer was set
        self.at: Micros | None = None  # the moment at which to ring

    def set(self, at: Micros | None) -> None:
        """Ring at this moment and at no other; never if there is None."""
        self.at = at
        if at is not None and (self._timer is None or at < self._wakes):
            self._sleep(at)

    def stop(self) -> None:
        """Do not ring any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self.at = None, None

    def _sleep(self, at: Micros) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait = self._time.wait(at) / MICROS_A_SECOND
        self._timer, self._wakes = asyncio.get_running_loop().call_later(wait, self._wake), at

    def _wake(self) -> None:
        self._timer, at = None, self.at
        if at is not None and at > self._time.now():
            self._sleep(at)
        elif at is not None:
            self.at = None
            self._ring()


class NoAlarm:
    """Stands for the alarm of every connection that never needed one: it takes no memory."""

    __slots__ = ()

    at: Final = None

    def stop(self) -> None:
        """Do nothing: no alarm was set."""


NO_ALARM: Final[Alarm | NoAlarm] = NoAlarm()


def reset(
    alarm: Alarm | NoAlarm, at: Micros | None, ring: Callable[[], None], time: FairTime
) -> Alarm:
    """Set the alarm to another moment and return it; a new one if there was none yet."""
    alarm = Alarm(ring, time) if isinstance(alarm, NoAlarm) else alarm
    alarm.set(at)
    return alarm
