"""Watches whether the log answers: while it does not, nobody's clock runs.

A log that fails says so at once. One that hangs says nothing: a write that takes longer than
`SILENT` counts as one that hangs, time stands, and what has passed since the log last answered is
left out of all clocks. A log on another machine is asked five times a second whether it is there
while anything is waited for, so that it is missed soon, and no flag falls for a moment later than
its last answer: nothing of that could be kept or told. It lives in the event loop.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from rookery.core.ids import Micros
from rookery.hall.hall import Hall
from rookery.runtime.fairtime import FairTime

SILENT: Final[Micros] = 250_000  # a write takes milliseconds
LOOK_S: Final = 0.1  # between two looks at the write under way
PROBE: Final[Micros] = 200_000  # between two questions to a log that is elsewhere


class LogWatch:
    """What is known of whether the log answers.

    `probe` asks a log elsewhere; it is None where the log is on this machine.
    """

    def __init__(self, time: FairTime, hall: Hall, probe: Callable[[], None] | None) -> None:
        self._time, self._hall, self._probe = time, hall, probe
        self._loop = asyncio.get_running_loop()
        self._heard = time.now()  # when the log last answered
        self._began: Micros | None = None  # the write under way
        self._standing = False
        self._look: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Note that something is being written."""
        if self._began is None:
            self._began = self._time.now()
            if self._probe is None:
                self._heard = self._began
        self.watch()

    def answered(self) -> None:
        """Note that it was written: time passes again."""
        if self._standing:
            self._standing = False
            self._time.go_on()
        self._began, self._heard = None, self._time.now()

    def stand(self) -> None:
        """Let no time pass until the log answers, and leave out what has since it last did."""
        if not self._standing:
            self._standing = True
            now = self._time.now()
            self._time.stand()
            self._hall.leave_out(self._heard, now)

    def heard_until(self) -> Micros:
        """The moment up to which the log is known to have been there."""
        if self._began is None and self._probe is None:
            return self._time.now()
        return self._heard

    def watch(self) -> None:
        """Look again in a while, if anything is being written or waited for."""
        if self._look is None and (self._began is not None or self._probes()):
            self._look = self._loop.call_later(LOOK_S, self._look_at_it)

    def stop(self) -> None:
        """Watch no longer."""
        if self._look is not None:
            self._look.cancel()

    def _probes(self) -> bool:
        return self._probe is not None and self._hall.deadline() is not None

    def _look_at_it(self) -> None:
        self._look = None
        now = self._time.now()
        if self._began is not None:
            if now - self._began >= SILENT:
                self.stand()
        elif self._probe is not None and now - self._heard >= PROBE:
            self._probe()
        self.watch()
