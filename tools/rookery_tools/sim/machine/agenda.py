"""The agenda: what happens when, in a time of its own.

Time is whole nanoseconds from the beginning of the world. It goes on only by work that takes
time, or by a jump to the next entry. Entries that are due at the same time are done in the
order they were put down.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

Nanos = int
MICRO: Final[Nanos] = 1_000
MILLI: Final[Nanos] = 1_000_000
SECOND: Final[Nanos] = 1_000_000_000
NEVER: Final[Nanos] = 1 << 62

Work = Callable[[], None]


class WorldAgenda:
    """The work that is to be done outside the server, by its time."""

    def __init__(self) -> None:
        self.now: Nanos = 0
        self.due: list[tuple[Nanos, int, Work]] = []  # a heap
        self._put = 0

    def at(self, when: Nanos, work: Work) -> None:
        """Put down work for this moment, or for now where that is past."""
        self._put += 1
        heappush(self.due, (max(when, self.now), self._put, work))

    def after(self, wait: Nanos, work: Work) -> None:
        """Put down work for this many nanoseconds from now."""
        self.at(self.now + wait, work)

    def run_due(self) -> None:
        """Do all that is due by now."""
        due = self.due
        while due and due[0][0] <= self.now:
            heappop(due)[2]()
