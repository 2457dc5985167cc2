"""Whose turn it is: one fair queue for all that the event loop does for others.

A source is a connection, a session at an edge, a house bot, the requests of an HTTP client, or
the broadcast to spectators. In its turn it processes what it has read and decides what it asks,
for at most `QUANTUM_NS`; then others have theirs. A turn of the loop serves sources for
`BUDGET_NS` and polls its sockets again.

Who is next, in this order:

1. *Interactive before bulk.* A source that asks one thing and waits for the answer goes before
   one that asks for more while it waits, asks questions, or broadcasts. Bulk sources have a part
   of the time all the same, so that nobody waits for ever.
2. *Within each, hosts first.* Next is the host that has taken the least time, and of its sources
   the one that has: a host with 500 connections gets no more than a host with one. Newcomers
   begin where those are who are being served, so that a source that asks little is near the
   front. This is fq_codel's scheduling with start tags in place of rounds: a turn can cost
   twenty quanta, which deficit round robin would pay back by walking through everybody.

One rule slows floods down: while an interactive source has decided something in the last 5 ms, a
bulk turn is followed by a rest of three times its length. So a move meets one bulk turn at most,
and mostly none, and the thread that writes the log finds the interpreter free.

A source that nobody has time for, or whose hall cannot decide now, holds its intents itself, each
with the time at which it was read. Nothing here reads a clock but to count what a turn took.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from time import perf_counter_ns
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from rookery.core.ids import Micros, SessionId
from rookery.core.intents import AnyIntent

BUDGET_NS: Final = 4_000_000  # of serving sources, in one turn of the loop
QUANTUM_NS: Final = 250_000  # that a source is served for, before the next
LATELY_NS: Final = 5_000_000  # ago
# That a request is charged for at most: a list of tables takes as long where many play.
REQUEST_MAX_NS: Final = 1_000_000
RESTS: Final = 3  # times as long as a bulk turn took
# Moves that a source may ask for at once without counting as bulk.
MOVES_AT_ONCE: Final = 32
BULK_PART: Final = 5  # one nanosecond in so many is for bulk sources
OWED_NS: Final = 500_000  # that bulk sources are owed before one goes first
OWED_MAX_NS: Final = 5_000_000
# How far a newcomer may be ahead of its share and be first all the same: one that asks little
# twice in a row does not wait for all others in between.
CREDIT_NS: Final = 1_000_000
HOSTS_KEPT: Final = 1_000  # hosts remembered at least; only what one still owes is worth it
NANOS_A_SECOND: Final = 1e9

T = TypeVar("T")
Hear = Callable[[int], bool]  # process what was read until then; whether there is more


class HungUp(Struct, frozen=True):
    """Stands in an intent's place: the connection is gone; `ours`: we lost it."""

    ours: bool = False


Held: TypeAlias = tuple[AnyIntent | HungUp, Micros]  # what is asked, and when it was read


# -- who is next, of hosts and of what is of one host


Place: TypeAlias = tuple[int, int, T]  # where one is, when it came, and who it is


class Flow:
    """What waits for turns, and how much time it has taken."""

    __slots__ = ("has_credit", "host", "place", "start", "waits")

    def __init__(self, host: "HostQueue") -> None:
        self.host = host
        self.has_credit = False  # it waits for its first turn since it had nothing more to do
        self.start = self.place = host.now  # where it is in its host's time, and in the queue
        self.waits = False


class HostQueue:
    """A host with its flows, and how much time it has taken."""

    __slots__ = ("flows", "last", "now", "place", "queue", "start", "waits")

    def __init__(self, start: int) -> None:
        self.start = self.place = start
        self.now = 0  # the place of its flow that was served last
        self.last = 0  # the place of its flow that has taken most
        self.flows = 0  # how many it has
        self.queue: list[Place[Flow]] = []
        self.waits = False


class Turns:
    """All hosts with their flows, in the order of what each has taken."""

    def __init__(self) -> None:
        self._hosts: dict[str, HostQueue] = {}
        self._queue: list[Place[HostQueue]] = []
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
        return len(self._hosts)

    def flow(self, name: str) -> Flow:
        """Return a new flow of this host."""
        host = self._hosts.get(name)
        if host is None:
            if len(self._hosts) >= self._purge_at:
                self._purge()
            host = self._hosts[name] = HostQueue(self._now)
        host.flows += 1
        return Flow(host)

    def leave(self, flow: Flow) -> None:
        """Forget a flow that is gone; its host still owes what the flow took."""
        flow.host.flows -= 1

    def is_first(self, flow: Flow) -> bool:
        """Whether this flow, which does not wait, would be next if it did."""
        if not self._waiting:
            return True
        host = flow.host
        if not host.queue:
            return max(host.start - CREDIT_NS, self._now) <= self._queue[0][0]
        return max(flow.start - CREDIT_NS, host.now) <= host.queue[0][0]

    def wait(self, flow: Flow) -> None:
        """Put the flow into the queue, unless it waits already."""
        if flow.waits:
            return
        flow.waits = flow.has_credit = True
        host = flow.host
        if not self._waiting:
            self._now = self._last  # nobody waited: nobody owes anything
        if not host.queue:
            host.now = host.last
        flow.start = max(flow.start, host.now)
        flow.place = max(flow.start - CREDIT_NS, host.now)
        if not host.waits:
            host.start = max(host.start, self._now)
            host.place = max(host.start - CREDIT_NS, self._now)
        self._push(flow)

    def again(self, flow: Flow) -> None:
        """Put the flow back: it was served and wants another turn."""
        if not flow.waits:
            flow.waits = True
            flow.place = flow.start
            if not flow.host.waits:
                flow.host.place = flow.host.start
            self._push(flow)

    def _push(self, flow: Flow) -> None:
        host = flow.host
        self._waiting += 1
        heappush(host.queue, (flow.place, next(self._order), flow))
        if not host.waits:
            host.waits = True
            heappush(self._queue, (host.place, next(self._order), host))

    def next(self) -> Flow | None:
        """Take the flow whose turn it is out of the queue; None if nobody waits."""
        while self._queue:
            place, order, host = heappop(self._queue)
            if place != host.place:  # the host was charged since
                heappush(self._queue, (host.place, order, host))
                continue
            self._now = place
            flow = _first(host)
            flow.has_credit = False
            self._waiting -= 1
            host.waits = bool(host.queue)
            if host.waits:
                host.place = host.start
                heappush(self._queue, (host.place, next(self._order), host))
            return flow
        return None

    def charge(self, flow: Flow, spent: int) -> None:
        """Charge the flow and its host for this time, in any unit that is always the same."""
        host = flow.host
        flow.start = max(flow.start, host.now) + spent
        host.last = max(host.last, flow.start)
        host.start = max(host.start, self._now) + spent
        self._last = max(self._last, host.start)
        if flow.has_credit:
            # Charged before its turn, for what it was sent, it keeps its place. Of two who entered
            # and then joined a game at once the second sat down first, because sending to the first
            # had taken longer.
            flow.place = max(flow.place, flow.start - CREDIT_NS)
            host.place = max(host.place, host.start - CREDIT_NS)
        else:
            flow.place += spent
            host.place += spent

    def _purge(self) -> None:
        """Forget hosts that have no flows and owe nothing."""
        now = self._now if self._waiting else self._last
        self._hosts = {
            name: host for name, host in self._hosts.items() if host.flows or host.start > now
        }
        self._purge_at = max(HOSTS_KEPT, 2 * len(self._hosts))


def _first(host: HostQueue) -> Flow:
    """Take out the flow of this host whose turn it is."""
    while True:
        place, order, flow = heappop(host.queue)
        if place == flow.place:
            host.now = place
            flow.waits = False
            return flow
        heappush(host.queue, (flow.place, order, flow))  # it was charged since


# -- the queue


class Rank(IntEnum):
    """Which sources go first."""

    INTERACTIVE = 0  # asks one thing, and waits for the answer
    BULK = 1  # asks for more while it waits, only asks questions, or broadcasts


Flows: TypeAlias = tuple[Flow | None, ...]  # one a rank
NO_FLOWS: Final[Flows] = (None, None)  # of all that never waited


class Source:
    """What is served in turns, with the intents that it holds until one of them.

    `later`: its turn only lets it begin, and it is charged for what it does then. It is charged
    nothing if others pay for what it does (`is_charged`).
    """

    __slots__ = (
        "flows", "hear", "held", "host", "is_bulk", "is_charged", "is_watched", "later", "moves",
        "rank", "session", "waits",
    )  # fmt: skip

    def __init__(
        self, host: str, hear: Hear | None = None, *, later: bool = False, is_charged: bool = True
    ) -> None:
        self.host = host
        self.hear = hear
        self.later, self.is_charged = later, is_charged
        self.session = SessionId(0)  # in the hall
        self.held: list[Held] = []  # few: a connection is read no more beyond `PENDING_MAX`
        self.is_bulk = True  # also before its first byte: some connect again for each request
        self.is_watched = False  # many were told of what it did last
        self.moves = 0  # decided since it last had nothing more
        # One for each rank in which it ever waited. A dict would cost an idle session 200 bytes.
        self.flows = NO_FLOWS
        self.rank: Rank | None = None  # that of its last turn
        self.waits = False


class FairQueue:
    """Serves all sources.

    `decide` decides what a source holds, until then, and returns whether it holds more that can
    be decided.

    By `clock` a turn of the loop ends. What a source owes is counted by `work`, where that is
    another clock: while the process stood still nobody took anything, and a source that was
    charged for that would wait as long for each of 300 others. Reading `work` is dear, so it is
    read only if somebody waits.
    """

    def __init__(
        self,
        clock: Callable[[], int] = perf_counter_ns,
        work: Callable[[], int] | None = None,
        decide: Callable[[Source, int], bool] = lambda *_: False,
    ) -> None:
        self.clock = clock
        self.work = work or clock
        self._decide = decide
        self.is_held = False  # nothing can be decided now
        self.current: Source | None = None  # whose turn it is
        self._turns = (Turns(), Turns())
        self._waiting: dict[Flow, Source] = {}
        self._owed = 0  # nanoseconds, to bulk sources
        self._acted = -LATELY_NS  # when an interactive source last decided something
        self._rests_until = 0  # no bulk source is served before
        self._spent = 0  # in this turn of the loop
        self._is_short = False  # the last turn of the loop was too short for all
        self._called = False  # the loop is going to call `_turn`
        self._resting: asyncio.TimerHandle | None = None  # until then bulk sources wait

    def __bool__(self) -> bool:
        """Whether any source waits."""
        return bool(self._waiting)

    def waits(self, rank: Rank) -> bool:
        """Whether a source of this rank waits."""
        return bool(self._turns[rank])

    @property
    def is_pressed(self) -> bool:
        """Whether there is not time for all who ask.

        Else a crowd that asks at once is answered at once, and for as long nobody else is served.
        """
        return self._is_short or self._spent >= QUANTUM_NS or self.waits(Rank.BULK)

    @property
    def is_free(self) -> bool:
        """Whether nobody waits, no bulk source rests, and this turn has time left."""
        return not self._waiting and self._spent < BUDGET_NS and not self.rest()

    def acted(self) -> None:
        """Note that an interactive source has decided something that is no question."""
        self._acted = self.clock()

    def acted_lately(self) -> bool:
        """Whether one has in the last few milliseconds."""
        return self.clock() - self._acted < LATELY_NS

    def rest(self) -> int:
        """Nanoseconds until a bulk source may be served; 0 if it may now."""
        until = self._rests_until
        return max(0, until - self.clock()) if until else 0

    def leave(self, source: Source) -> None:
        """Forget a source that is gone; its host still owes what it took."""
        for turns, flow in zip(self._turns, source.flows, strict=True):
            if flow is not None:
                turns.leave(flow)
        source.flows = NO_FLOWS

    def ask(self, source: Source) -> None:
        """Serve a source that has something to process: at once, or in turn."""
        if source.waits:
            return
        if self.is_free if source.is_bulk else self._spent < BUDGET_NS and self._is_first(source):
            self._serve(source)
        else:
            self.wait(source)

    def _is_first(self, source: Source) -> bool:
        """Whether this interactive source would be next; sets its rank for that."""
        if not self._waiting:
            source.rank = None if source.flows[Rank.INTERACTIVE] is None else Rank.INTERACTIVE
            return True
        source.rank = Rank.INTERACTIVE
        flow = self._flow(source, Rank.INTERACTIVE)
        return self._turns[Rank.INTERACTIVE].is_first(flow) and not self._is_bulk_due()

    def begin(self, source: Source) -> int | None:
        """Return the clock's time if the caller may serve this source now; None: it must wait.

        Nearly always it may. The caller then processes what it has just read and calls `end`.
        This comes to the same as `ask`, which is for what already waits in a connection.
        """
        if source.waits or source.is_bulk or source.held or self._waiting:
            return None
        if self._spent >= BUDGET_NS:
            return None
        self.current = source
        return self.clock()

    def end(self, source: Source, began: int) -> None:
        """Count the time since `began`, in which the caller served this source."""
        self.current = None
        spent = self.clock() - began
        self._spent += spent
        if self._waiting:  # somebody has begun to wait
            source.rank = None if source.flows[Rank.INTERACTIVE] is None else Rank.INTERACTIVE
            self._charge(source, spent)
        self._settle(source, more=False)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget

    def wait(self, source: Source) -> None:
        """Put a source that has something to process into the queue."""
        self._put(source)
        if not source.is_bulk and self._resting is not None:
            self._resting.cancel()
            self._resting = None
            self._called = False
        self._call()

    def _put(self, source: Source, *, again: bool = False) -> None:
        if source.waits:
            return
        source.waits = True
        rank = Rank.BULK if source.is_bulk else Rank.INTERACTIVE
        flow, turns = self._flow(source, rank), self._turns[rank]
        self._waiting[flow] = source
        turns.again(flow) if again and source.rank is rank else turns.wait(flow)

    def charge(self, source: Source, spent: int, later: int = 0) -> None:
        """Charge a source for work that was done outside its turn.

        `later` is what its turn will cost at another time. The source and its host owe that too,
        but nobody else waited for it, so bulk sources are owed no part of it. To come into a room
        of 480 costs 0.2 ms now and 5 later: a move waited up to 12 ms for those who were owed of
        that.
        """
        self._charge(source, spent, later)
        self._spent += spent
        if source.is_bulk or source.rank is Rank.BULK:
            self._rest_after(spent)
        self._call()

    def _charge(self, source: Source, spent: int, later: int = 0) -> None:
        rank = source.rank
        if rank is None:
            return
        if rank is Rank.BULK:
            self._owed = max(0, self._owed - spent)
        elif self._turns[Rank.BULK]:
            self._owed = min(OWED_MAX_NS, self._owed + spent // (BULK_PART - 1))
        if (flow := source.flows[rank]) is not None and source.is_charged:  # it may have left
            self._turns[rank].charge(flow, spent + later)

    def _flow(self, source: Source, rank: Rank) -> Flow:
        flow = source.flows[rank]
        if flow is None:
            flow = self._turns[rank].flow(source.host)
            source.flows = (*source.flows[:rank], flow, *source.flows[rank + 1 :])
        return flow

    def _rest_after(self, spent: int) -> None:
        if self.acted_lately():
            self._rests_until = self.clock() + RESTS * spent

    def _is_bulk_due(self) -> bool:
        """Whether bulk sources wait that are owed enough to go before all others."""
        return self._owed >= OWED_NS and bool(self._turns[Rank.BULK])

    def _next(self) -> Source | None:
        """Take out the source whose turn it is; None if none waits that may be served now."""
        if self._is_bulk_due() or not self._turns[Rank.INTERACTIVE]:
            rank = Rank.BULK
            if not self._is_bulk_due() and self.rest():
                return None
        else:
            rank = Rank.INTERACTIVE
        flow = self._turns[rank].next()
        if flow is None:
            return None
        source = self._waiting.pop(flow)
        source.rank, source.waits = rank, False
        return source

    def _serve(self, source: Source) -> None:
        """Serve this source for a moment; it waits for another turn if it has more."""
        others, bulk = bool(self._waiting), source.is_bulk
        worked = self.work() if others else 0
        began = self.clock()
        self.current = source
        try:
            more = self._process(source, began + QUANTUM_NS)
        finally:
            self.current = None
        spent = self.clock() - began
        self._spent += spent
        if bulk and not source.later:
            self._rest_after(spent)
        if more or self._waiting:
            self._charge(source, self.work() - worked if others else spent)
        self._settle(source, more=more)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget

    def _process(self, source: Source, until: int) -> bool:
        """Decide what the source holds, then process what it has read; whether there is more."""
        if source.held and self._decide(source, until):
            return True
        return source.hear is not None and source.hear(until)

    def _settle(self, source: Source, *, more: bool) -> None:
        """Let a source that was served wait again, if it has more to do."""
        more = more or (bool(source.held) and not self.is_held)
        if not more:
            source.is_bulk, source.moves = source.later, 0
            return
        # A player at many tables answers all that moved, and is not taken for a flood.
        source.is_bulk = not 0 < source.moves < MOVES_AT_ONCE
        self._put(source, again=True)

    def _call(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._called = True  # nobody else need call us
        self._resting = None
        self._spent = 0
        while self._waiting and self._spent < BUDGET_NS and (source := self._next()) is not None:
            self._serve(source)
            if source.waits or source.later:
                break  # the sockets are polled before anybody has a second turn
            if source.rank is Rank.BULK and self._spent >= QUANTUM_NS:
                break
        self._called = False
        self._is_short = bool(self._waiting)
        if not self._waiting:
            if self._spent:
                self._call()
            return
        if not self._turns[Rank.INTERACTIVE] and (rest := self.rest()):
            self._called = True
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(rest / NANOS_A_SECOND, self._turn)
            self._spent = 0
            return
        self._call()


class RequestTurns:
    """Lets an HTTP client's requests begin in that client's turns, and charges it for them."""

    def __init__(self, queue: FairQueue, host: str) -> None:
        self._queue = queue
        self._source = Source(host, self._begin, later=True)
        self._granted: deque[asyncio.Future[None]] = deque()

    def leave(self) -> None:
        """Give up the place among the sources: no more requests will come."""
        self._queue.leave(self._source)

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this work for a request, once it is the client's turn."""
        try:
            if (turn := self._turn()) is not None:
                await turn
        except BaseException:
            work.close()
            raise
        began = self._queue.clock()
        try:
            await work
        finally:
            # Nearly always nothing was waited for, and this is what it cost. Else others have
            # worked meanwhile.
            self._queue.charge(self._source, min(self._queue.clock() - began, REQUEST_MAX_NS))

    def _turn(self) -> "asyncio.Future[None] | None":
        """Return what to wait for before a request begins; None if it may begin now."""
        if self._queue.is_free and not self._granted:
            return None
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._granted.append(granted)
        self._queue.wait(self._source)
        return granted

    def _begin(self, _: int) -> bool:
        while self._granted:
            granted = self._granted.popleft()
            if not granted.done():  # else the task that waited has been cancelled
                granted.set_result(None)
                break
        return bool(self._granted)
