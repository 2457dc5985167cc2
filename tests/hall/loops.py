"""A made-up event loop, for the law of fair time: it looks, waits, works, and is kept waiting.

It turns like the two loops there are. uvloop's does what is to be done soon, then looks at
the sockets, and reads what it saw; asyncio's looks first, does what is to be done soon, and
then reads. Everything takes time; sometimes much. Nothing here is real: time is a number.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import takewhile
from random import Random

from rookery.server.fairtime import BEAT, FairTime

SHORT = 3_000  # microseconds that most work takes at most
LONG = 400_000  # and rarely


class Loop:
    """`arrive` says when something comes, and what is to be done with it."""

    def __init__(self, seed: int, *, looks_first: bool) -> None:
        self.chance = Random(seed)  # a schedule, the same on every run
        self.time = 1_000_000
        self.busy: list[tuple[int, int]] = []  # when it worked, or waited for a processor
        self.turns: list[int] = []  # when each began
        self._looks_first = looks_first
        self._idle = self._delayed = 0
        self._soon: list[Callable[[], object]] = []
        self._coming: list[tuple[int, int, Callable[[int], None]]] = []
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._n = 0
        self.fair = FairTime(lambda: self.time, lambda: self.time, metrics=self)
        self._beat()

    # -- what fair time asks

    def idle(self) -> int:
        """How long it has waited at its sockets."""
        return self._idle

    def delayed(self) -> int:
        """How long it has waited for a processor."""
        return self._delayed

    def soon(self, work: Callable[[], object]) -> None:
        """Do this in the next turn."""
        self._soon.append(work)

    # -- what the world does

    def arrive(self, at: int, read: Callable[[int], None]) -> None:
        """Something comes then; it is read when the loop gets to it, and told when it came."""
        self._n += 1
        heappush(self._coming, (at, self._n, read))

    def later(self, at: int, ring: Callable[[], None]) -> None:
        """A timer."""
        self._n += 1
        heappush(self._timers, (at, self._n, ring))

    def turn(self) -> None:
        """One turn."""
        self.turns.append(self.time)
        if self._looks_first:
            seen = self._look()
            self._do_soon()
            self._read(seen)
        else:
            self._do_soon()
            self._read(self._look())
        self._ring()

    def busy_since(self, since: int) -> int:
        """How long it was busy from then on."""
        spans = takewhile(lambda span: span[1] > since, reversed(self.busy))
        return sum(end - max(begin, since) for begin, end in spans)

    def _look(self) -> list[tuple[int, int, Callable[[int], None]]]:
        if not self._soon and not (self._coming and self._coming[0][0] <= self.time):
            moments = [queue[0][0] for queue in (self._coming, self._timers) if queue]
            before, until = self.time, max(self.time, min(moments))
            # Woken, it may not get a processor at once.
            delay = self._some() if self.chance.random() < 0.3 else 0
            self._delayed += delay
            self.time = until + delay
            self._idle += self.time - before
            self.busy.append((until, self.time))
        seen = []
        while self._coming and self._coming[0][0] <= self.time:
            seen.append(heappop(self._coming))
        return seen

    def _read(self, seen: list[tuple[int, int, Callable[[int], None]]]) -> None:
        for at, _, read in seen:
            read(at)
            self._work()

    def _do_soon(self) -> None:
        todo, self._soon = self._soon, []
        for work in todo:
            work()
            self._work()

    def _ring(self) -> None:
        while self._timers and self._timers[0][0] <= self.time:
            heappop(self._timers)[2]()
            self._work()

    def _work(self) -> None:
        before = self.time
        self.time += self._some()
        if self.chance.random() < 0.2:  # another process has its turn
            delay = self._some()
            self._delayed += delay
            self.time += delay
        self.busy.append((before, self.time))

    def _some(self) -> int:
        return self.chance.randrange(LONG if self.chance.random() < 0.01 else SHORT)

    def _beat(self) -> None:
        self.fair.beat()
        mark = self.fair.mark()
        self.soon(lambda: self.soon(lambda: self.fair.polled(mark)))
        self.later(self.time + BEAT, self._beat)
