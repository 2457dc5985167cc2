"""Fair queueing: who is next is decided by the time each has taken, hosts first.

Start-time fair queueing on two levels. We count how much time every host has taken, and every
flow of a host: a connection, or what stands for one. Next is the host that has taken least,
and of its flows the one that has taken least. A newcomer begins where those are who are being
served: so a flow that asks little is always near the front, and a host with 500 connections
gets no more than a host with one. Nothing here reads a clock: the caller who serves a flow
says how long that took, however many things were done. It mutates.
"""

from heapq import heappop, heappush
from itertools import count
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

# How far a newcomer may be ahead of its share, in nanoseconds, and be first all the same: one who
# asks little twice in a row does not wait for all others in between.
CREDIT: Final = 1_000_000
HOSTS_KEPT: Final = 1_000  # hosts remembered at least; only what one still owes is worth it


Place: TypeAlias = tuple[int, int, T]  # where one is, when it came, and who it is


class Flow:
    """A connection, or what stands for one, that is served in turns. It mutates."""

    __slots__ = ("home", "place", "start", "waits")

    def __init__(self, home: "Home") -> None:
        self.home = home  # the host it is from
        self.start = self.place = home.now  # where it is in its host's time, and in the queue
        self.waits = False


class Home:
    """A host with its flows, and how much time it has taken. It mutates."""

    __slots__ = ("flows", "last", "now", "place", "queue", "start", "waits")

    def __init__(self, start: int) -> None:
        self.start = self.place = start
        self.now = 0  # the place of its flow that was served last
        self.last = 0  # the place of its flow that has taken most
        self.flows = 0  # how many it has
        self.queue: list[Place[Flow]] = []
        self.waits = False


class Shares:
    """All hosts with their flows, and what each has taken. It mutates."""

    def __init__(self) -> None:
        self._homes: dict[str, Home] = {}
        self._queue: list[Place[Home]] = []
        self._order = count()
        self._now = 0  # the place of the host that was served last
        self._last = 0  # the place of the host that has taken most
        self._waiting = 0
        self._purge_at = HOSTS_KEPT

    def __bool__(self) -> bool:
        """Whether anyone waits."""
        return self._waiting > 0

    def __len__(self) -> int:
        """How many hosts are known."""
        return len(self._homes)

    def flow(self, host: str) -> Flow:
        """Return a new flow of this host."""
        home = self._homes.get(host)
        if home is None:
            if len(self._homes) >= self._purge_at:
                self._purge()
            home = self._homes[host] = Home(self._now)
        home.flows += 1
        return Flow(home)

    def leave(self, flow: Flow) -> None:
        """Forget a flow that is gone; its host still owes what the flow took."""
        flow.home.flows -= 1

    def is_first(self, flow: Flow) -> bool:
        """Whether this flow, which does not wait, would be next if it did."""
        if not self._waiting:
            return True
        home = flow.home
        if not home.queue:
            return max(home.start - CREDIT, self._now) <= self._queue[0][0]
        return max(flow.start - CREDIT, home.now) <= home.queue[0][0]

    def wait(self, flow: Flow) -> None:
        """Put the flow into the queue, unless it waits already."""
        if flow.waits:
            return
        flow.waits = True
        home = flow.home
        if not self._waiting:
            self._now = self._last  # nobody waited: nobody owes anything
        if not home.queue:
            home.now = home.last
        flow.start = max(flow.start, home.now)
        flow.place = max(flow.start - CREDIT, home.now)
        if not home.waits:
            home.start = max(home.start, self._now)
            home.place = max(home.start - CREDIT, self._now)
        self._push(flow)

    def again(self, flow: Flow) -> None:
        """Put the flow back: it was served and wants another turn, or it was passed over."""
        if not flow.waits:
            flow.waits = True
            flow.place = flow.start
            if not flow.home.waits:
                flow.home.place = flow.home.start
            self._push(flow)

    def _push(self, flow: Flow) -> None:
        home = flow.home
        self._waiting += 1
        heappush(home.queue, (flow.place, next(self._order), flow))
        if not home.waits:
            home.waits = True
            heappush(self._queue, (home.place, next(self._order), home))

    def next(self) -> Flow | None:
        """Take the flow whose turn it is out of the queue; None if nobody waits."""
        while self._queue:
            place, order, home = heappop(self._queue)
            if place != home.place:  # the host was charged since
                heappush(self._queue, (home.place, order, home))
                continue
            self._now = place
            flow = self._first(home)
            self._waiting -= 1
            home.waits = bool(home.queue)
            if home.waits:
                home.place = home.start
                heappush(self._queue, (home.place, next(self._order), home))
            return flow
        return None

    def charge(self, flow: Flow, spent: int) -> None:
        """Charge the flow and its host for this time, in any unit that is always the same."""
        home = flow.home
        flow.start = max(flow.start, home.now) + spent
        flow.place += spent
        home.last = max(home.last, flow.start)
        home.start = max(home.start, self._now) + spent
        home.place += spent
        self._last = max(self._last, home.start)

    def _first(self, home: Home) -> Flow:
        while True:
            place, order, flow = heappop(home.queue)
            if place == flow.place:
                home.now = place
                flow.waits = False
                return flow
            heappush(home.queue, (flow.place, order, flow))

    def _purge(self) -> None:
        """Forget hosts that have no flows and owe nothing."""
        now = self._now if self._waiting else self._last
        self._homes = {
            host: home for host, home in self._homes.items() if home.flows or home.start > now
        }
        self._purge_at = max(HOSTS_KEPT, 2 * len(self._homes))
