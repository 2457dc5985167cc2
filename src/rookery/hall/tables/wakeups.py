"""When to look at which table or tour again: a heap of moments, each a hint and no more.

A moment that is no longer needed (the flag did not fall because the move came) is looked at, found
empty, and forgotten; nothing need be taken out of the middle. When most of the heap is such, it is
swept: a clock of a year must not keep a moment for a year.
"""

from heapq import heapify, heappop, heappush
from typing import Final, Generic, TypeVar

from rookery.core.ids import Micros, TableId, TourId

K = TypeVar("K", TableId, TourId)

SPARE: Final = 64  # moments without sense that are not worth sweeping


def earlier(one: Micros | None, other: Micros | None) -> Micros | None:
    """The earlier of two moments; None stands for no moment."""
    return other if one is None or (other is not None and other < one) else one


class Wakeups(Generic[K]):
    """The moments at which tables (or tours) are to be looked at."""

    def __init__(self) -> None:
        self._heap: list[tuple[Micros, K]] = []
        self._set: dict[K, Micros] = {}  # the earliest moment in the heap for each table

    def look(self, table: K, when: Micros) -> None:
        """Remember to look at this table at `when`, unless it will be looked at earlier."""
        known = self._set.get(table)
        if known is None or when < known:
            self._set[table] = when
            heappush(self._heap, (when, table))
            self._sweep()

    def deadline(self) -> Micros | None:
        """The earliest moment at which any table is to be looked at, or None."""
        while self._heap:
            when, table = self._heap[0]
            if self._set.get(table) == when:
                return when
            heappop(self._heap)
        return None

    def due(self, now: Micros) -> list[K]:
        """The tables to look at now; each must be asked again when to look next."""
        found = []
        while (when := self.deadline()) is not None and when <= now:
            _, table = heappop(self._heap)
            del self._set[table]
            found.append(table)
        return found

    def forget(self, table: K) -> None:
        """Forget when to look at this table."""
        self._set.pop(table, None)
        self._sweep()

    def __len__(self) -> int:
        return len(self._heap)

    def _sweep(self) -> None:
        if len(self._heap) > 2 * len(self._set) + SPARE:
            self._heap = [(when, table) for table, when in self._set.items()]
            heapify(self._heap)
