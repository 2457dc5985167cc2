"""The runner's one timer: it rings when a flag may fall, or something was arranged for then.

When it has rung, the loop looks at the sockets once more before the hall is told how late it
is: an answer that lies there was in time.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros, Wall
from rookery.hall.hall import Hall
from rookery.server.actor.heartbeat import Heartbeat
from rookery.server.actor.log_writer import LogWatch
from rookery.server.fairtime import FairTime

# A flag falls when all has been decided that was read before it. While others ask so much that
# this never happens, it falls this long after its time, once all said at its table is decided.
FLAGS_WAIT: Final[Micros] = 250_000
FLAGS_AGAIN: Final[Micros] = 5_000  # between two looks at flags, while anything waits
LOOK_UP: Final[Micros] = 1_000_000  # how long to trust that nobody has set the wall clock


class Timer:
    """Rings for a hall, and calls `decide` then."""

    def __init__(
        self,
        hall: Hall,
        time: FairTime,
        beat: Heartbeat,
        decide: Callable[[], None],
        watch: LogWatch,
        *,
        leeway: Micros = 0,
    ) -> None:
        self._hall, self._time, self._heartbeat, self._decide = hall, time, beat, decide
        self._heard_until = watch.heard_until  # up to which what follows could be kept
        self._leeway = leeway  # how long what was said in time may be on its way to us
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._at: tuple[Micros | None, Wall | None] | None = None
        self._looking = False  # at the sockets, once more
        self._ripe: Micros | None = None  # all that came by then is read: no answer is a late one

    def set(self, *, busy: bool) -> None:
        """Ring when the hall next has to know the time; a little later if `busy`: things wait."""
        deadline, appointment = self._hall.deadline(), self._hall.appointment()
        if (deadline, appointment) == self._at and self._handle is not None:
            return
        self.stop()
        self._at = deadline, appointment
        waits = [] if deadline is None else [self._time.wait(deadline + self._leeway)]
        if appointment is not None:
            waits.append(min(max(0, appointment - self._time.wall()), LOOK_UP))
        if busy or (deadline is not None and deadline > self._heard_until()):
            waits = [max(wait, FLAGS_AGAIN) for wait in waits]
        if waits:
            self._handle = self._loop.call_later(min(waits) / MICROS_A_SECOND, self._rings)

    def stop(self) -> None:
        """Do not ring any more."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle, self._at = None, None

    def ripe(self, at: Wall, *, busy: bool) -> Micros | None:
        """Return the time to tell the hall, if a flag or an appointment is due; else None.

        Flags fall only once everything that was there before has been decided.
        """
        now = self._now()
        if busy and not self._is_due(now - FLAGS_WAIT, Wall(at - FLAGS_WAIT)):
            return None
        ripe, self._ripe = self._ripe, None
        if ripe is not None and self._is_due(ripe, at):
            return ripe
        if self._is_due(now, at):
            self._look()
        return None

    def _now(self) -> Micros:
        """The moment up to which flags may fall now."""
        return min(self._time.now() - self._leeway, self._heard_until())

    def _is_due(self, now: Micros, at: Wall) -> bool:
        deadline, appointment = self._hall.deadline(), self._hall.appointment()
        late = deadline is not None and deadline <= now
        return late or (appointment is not None and appointment <= at)

    def _rings(self) -> None:
        self._handle, self._at = None, None
        self._look()

    def _look(self) -> None:
        """Look at the sockets once more before a flag falls: the answer may be there."""
        if not self._looking:
            self._looking = True
            now = self._now()
            self._heartbeat.after_poll(partial(self._have_looked, now))

    def _have_looked(self, now: Micros) -> None:
        self._looking = False
        self._ripe = now
        self._decide()
