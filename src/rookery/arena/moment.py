"""The time a hall in the arena is told: that of the log, and then as the clock goes.

A process that was stopped for a while (Ctrl-Z, say) was not there to read any answer, so
that while is taken out. It mutates.
"""

from collections.abc import Callable
from typing import Final

from rookery.core.ids import Micros

BEAT: Final[Micros] = 200_000  # the clock is asked at least so often while we are there
STALL: Final[Micros] = 5 * BEAT  # a gap this long is not a busy machine


class Moment:
    """Counts on from `first` by a monotonic clock."""

    def __init__(self, monotonic: Callable[[], Micros], first: Micros) -> None:
        self._monotonic = monotonic
        self._seen = monotonic()
        self._offset = first - self._seen

    def now(self) -> Micros:
        """The time; it never goes back."""
        seen = self._monotonic()
        if seen - self._seen > STALL:
            self._offset -= seen - self._seen - BEAT
        self._seen = seen
        return seen + self._offset
