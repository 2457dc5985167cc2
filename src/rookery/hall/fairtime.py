"""Fair time: it stands still while the server or a match was not there to read an answer.

The hall is told this time. It begins at the wall clock's and goes on with the monotonic
one, minus every stretch in which the event loop did not turn: a long decision, a stopped
process, a machine that slept. An answer that waited in a socket all that while is read
as if it had come when the server went away, so a stall costs nobody a second. It
mutates: a beat every so often says that the loop is alive.
"""

from collections.abc import Callable
from typing import Final

from rookery.core.ids import Micros

BEAT: Final[Micros] = 50_000  # how often the loop says that it is alive
STALL: Final[Micros] = 3 * BEAT  # a gap this long is no jitter


class FairTime:
    """A clock for the hall, made from the monotonic clock and the wall clock at the start."""

    def __init__(
        self,
        monotonic: Callable[[], Micros],
        wall: Micros,
        *,
        beat: Micros = BEAT,
        stall: Micros = STALL,
    ) -> None:
        self._monotonic = monotonic
        self._beat, self._stall = beat, stall
        self._last_beat = monotonic()
        self._offset = wall - self._last_beat
        self._told = wall  # the latest time anyone was told
        self.stalled: Micros = 0  # how long the server was away, all in all

    def now(self) -> Micros:
        """The time, as the hall counts it; never goes back."""
        self._told = max(self._told, self._settle() + self._offset)
        return self._told

    def beat(self) -> None:
        """The loop has turned."""
        self._last_beat = self._settle()

    def _settle(self) -> Micros:
        """The monotonic time; what was lost since the last beat is taken out of the offset."""
        now = self._monotonic()
        gap = now - self._last_beat
        if gap > self._stall:
            lost = gap - self._beat
            self._offset -= lost
            self.stalled += lost
            self._last_beat = now
        return now
