"""The scheduler: hears every source for a moment, and then others.

One for all kinds of connections. A source is heard at once if nobody waits who has taken less
and this turn of the event loop has time left. Else the source waits, and is heard in the
order of `precedence`: who says little first. A turn of the loop hears for a small budget of
time and then looks at the sockets again, so a source who says little waits for about one
budget, whatever others say. A source with more to say than one moment also waits while the
hall decides, writes and tells what others asked, but not for long.
"""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from itertools import count
from threading import Lock
from time import perf_counter_ns
from typing import Any, Final, Generic, TypeAlias, TypeVar

# -- shares
# Fair queueing: who is next is decided by the time each has taken, hosts first.
#
# Start-time fair queueing on two levels. We count how much time every host has taken, and every
# flow of a host: a connection, or what stands for one. Next is the host that has taken least,
# and of its flows the one that has taken least. A newcomer begins where those are who are being
# served: so a flow that asks little is always near the front, and a host with 500 connections
# gets no more than a host with one. Nothing here reads a clock: the caller who serves a flow
# says how long that took, however many things were done.

T = TypeVar("T")

# How far a newcomer may be ahead of its share, in nanoseconds, and be first all the same: one who
# asks little twice in a row does not wait for all others in between.
CREDIT: Final = 1_000_000
HOSTS_KEPT: Final = 1_000  # hosts remembered at least; only what one still owes is worth it


Place: TypeAlias = tuple[int, int, T]  # where one is, when it came, and who it is


class Flow:
    """A connection, or what stands for one, that is served in turns."""

    __slots__ = ("home", "place", "start", "waits")

    def __init__(self, home: "Home") -> None:
        self.home = home  # the host it is from
        self.start = self.place = home.now  # where it is in its host's time, and in the queue
        self.waits = False


class Home:
    """A host with its flows, and how much time it has taken."""

    __slots__ = ("flows", "last", "now", "place", "queue", "start", "waits")

    def __init__(self, start: int) -> None:
        self.start = self.place = start
        self.now = 0  # the place of its flow that was served last
        self.last = 0  # the place of its flow that has taken most
        self.flows = 0  # how many it has
        self.queue: list[Place[Flow]] = []
        self.waits = False


class Shares:
    """All hosts with their flows, and what each has taken."""

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


# -- precedence
# Three queues, one behind the other: acts first, then small requests, then floods.
#
# A player asks one thing and waits for the answer; a program that floods asks the next before.
# So each kind has a queue, and within a queue the order is that of `shares`. A queue is served
# when nobody waits in those before it, and when it is owed time: one nanosecond in `PART` of
# what those have, whatever they ask.

PART: Final = 5  # one in so many nanoseconds is for those who wait behind others
OWED: Final = 500_000  # nanoseconds that a queue is owed before it goes first
OWED_MAX: Final = 5_000_000


class Rank(IntEnum):
    """The queue in which a claim waits; lower goes first."""

    ACT = 0  # its request changes something, be it a move: there may be a clock
    LITTLE = 1  # it asks one thing
    MUCH = 2  # it asks for more while it waits


RANKS: Final = tuple(Rank)  # to walk through an enumeration itself takes four times as long


Flows: TypeAlias = tuple[Flow | None, ...]  # one a rank
NO_FLOWS: Final[Flows] = (None,) * len(RANKS)  # of all who never waited


class Claim:
    """A session or source that waits for turns, in one of the queues."""

    __slots__ = ("flows", "home", "rank", "waits")

    def __init__(self, home: str) -> None:
        self.home = home
        # One for each queue in which it ever waited. A dict would cost an idle session 200 bytes.
        self.flows = NO_FLOWS
        self.rank: Rank | None = None  # that of its last turn
        self.waits = False


C = TypeVar("C", bound=Claim)


class Precedence(Generic[C]):
    """Everyone who waits for a turn, in all three queues."""

    def __init__(self) -> None:
        self._queues: Final = {rank: Shares() for rank in Rank}
        self.claims: dict[Flow, C] = {}  # of those who wait
        self._owed = dict.fromkeys(Rank, 0)  # nanoseconds, to those of this rank

    def __bool__(self) -> bool:
        """Whether anyone waits."""
        return bool(self.claims)

    def waits(self, rank: Rank) -> bool:
        """Whether anyone of this rank waits."""
        return bool(self._queues[rank])

    def leave(self, claim: C) -> None:
        """Forget a claim that wants no more turns; its host still owes what the claim took."""
        for rank, flow in zip(RANKS, claim.flows, strict=True):
            if flow is not None:
                self._queues[rank].leave(flow)

    def is_first(self, claim: C) -> bool:
        """Whether this claim, as one of rank LITTLE, would be next; sets its rank for that."""
        if not self.claims:
            claim.rank = None if claim.flows[Rank.LITTLE] is None else Rank.LITTLE
            return True
        claim.rank = Rank.LITTLE
        first = self._queues[Rank.LITTLE].is_first(self._flow(claim, Rank.LITTLE))
        return first and self._overdue() is None

    def wait(self, claim: C, rank: Rank) -> None:
        """Put the claim into the queue of this rank, unless it waits already."""
        if not claim.waits:
            claim.waits = True
            flow = self._flow(claim, rank)
            self.claims[flow] = claim
            self._queues[rank].wait(flow)

    def _flow(self, claim: C, rank: Rank) -> Flow:
        flow = claim.flows[rank]
        if flow is None:
            flow = self._queues[rank].flow(claim.home)
            claim.flows = (*claim.flows[:rank], flow, *claim.flows[rank + 1 :])
        return flow

    def again(self, claim: C) -> None:
        """Put the claim back, after a turn of it or instead of one, as one who wants much."""
        if claim.rank is not Rank.MUCH:
            self.wait(claim, Rank.MUCH)
        elif not claim.waits:
            claim.waits = True
            flow = self._flow(claim, Rank.MUCH)
            self.claims[flow] = claim
            self._queues[Rank.MUCH].again(flow)

    def next(self, last: Rank = Rank.MUCH) -> C | None:
        """Return the next claim of rank `last` or before, or one owed a turn; None if none is."""
        rank = self._overdue()
        if rank is None:
            rank = next((one for one in RANKS if self._queues[one]), Rank.MUCH)
            if rank > last:
                return None
        flow = self._queues[rank].next()
        if flow is None:
            return None
        claim = self.claims.pop(flow)
        claim.rank, claim.waits = rank, False
        return claim

    def _overdue(self) -> Rank | None:
        """The first rank that waits and is owed enough time to go first; None if none is."""
        for rank, owed in self._owed.items():
            if owed >= OWED and self._queues[rank]:
                return rank
        return None

    def charge(self, claim: C, spent: int, later: int = 0) -> None:
        """Charge the claim for the nanoseconds of its last turn; the ranks behind are owed some.

        `later` is what its turn will cost at another time. The claim and its host owe that too, but
        nobody else waited for it, so those behind are owed no part of it. Who comes into a room of
        480 costs 0.2 ms now and 5 later: a move waited up to 12 ms for those who were owed of that.
        """
        rank = claim.rank
        if rank is None:
            return
        self._queues[rank].charge(self._flow(claim, rank), spent + later)
        self._owed[rank] = max(0, self._owed[rank] - spent)
        for behind in RANKS:
            if behind > rank and self._queues[behind]:
                owed = self._owed[behind] + spent // (PART - 1)
                self._owed[behind] = min(OWED_MAX, owed)


# -- throttle
# The throttle: when there is time to serve floods, while others play.
#
# Work for clients that flood is done in pieces, by the scheduler (which hears) and by the clerk
# (which decides). While others have played lately, whichever of the two has done a piece rests
# for several times as long as the piece took, and the other rests once as long. So there is one
# piece in a turn of the loop, and a move that comes meanwhile waits for that one at most, and
# mostly for none. Against a flood that lasts the rests are longer still, so that most moves meet
# no piece at all. Where nobody plays there is no rest. One clock measures everything here.

# A worker rests so many times as long as a piece took. Hearing rests less: a request over HTTP
# takes several pieces, with a rest after each, and honest readers make them.
RESTS: Final = 3
RESTS_OF_HEARING: Final = 2
# A flood that lasts has one in so many nanoseconds. A while at its beginning does not count, which
# is for those who open a page or look something up.
SHARE: Final = 16
BURST: Final = 25_000_000  # nanoseconds of pieces
LATELY: Final = 5_000_000  # nanoseconds ago
NANOS: Final = 1e9  # in a second


class Throttle:
    """Knows whether anyone has played lately, and until when floods rest after the last piece."""

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self.clock = clock
        self.until = 0  # nobody begins another piece before
        self._played = -LATELY  # when somebody last played
        self._left = BURST  # nanoseconds of pieces until the rests get longer
        self._seen = clock()  # when `_left` was worked out
        self._long = False  # rests are longer, until half of `BURST` is left again

    def played(self) -> None:
        """Note that somebody who does one thing at a time has played now."""
        self._played = self.clock()

    def lately(self) -> bool:
        """Whether somebody has played in the last few milliseconds."""
        return self.clock() - self._played < LATELY

    def is_long(self, spent: int) -> bool:
        """Count a piece of so many nanoseconds; return whether the flood has lasted long."""
        now = self.clock()
        self._left = max(0, min(BURST, self._left + (now - self._seen) // SHARE) - spent)
        self._seen = now
        self._long = self._left < BURST // 2 if self._long else not self._left
        return self._long


class Pieces:
    """The pieces of work for floods that one worker does: the scheduler, or the clerk."""

    def __init__(self, throttle: Throttle, rests: int = RESTS) -> None:
        self.throttle = throttle
        self._rests = rests
        self._until = 0  # this worker rests until then
        self._began: int | None = None  # when the piece under way began

    def begin(self) -> None:
        """Note that a piece of work begins, unless one is under way."""
        if self._began is None:
            self._began = self.throttle.clock()

    def end(self) -> None:
        """End the piece under way, if there is one, and rest for as long as it deserves."""
        if self._began is not None:
            self.took(self.throttle.clock() - self._began)
            self._began = None

    def took(self, spent: int) -> None:
        """Rest after a piece that took so many nanoseconds, if others have played lately."""
        throttle = self.throttle
        if throttle.lately():
            now, rests = throttle.clock(), SHARE if throttle.is_long(spent) else self._rests
            self._until, throttle.until = now + rests * spent, now + spent

    def pause(self) -> int:
        """Nanoseconds until the next piece may begin; 0 if it may now."""
        until = max(self._until, self.throttle.until)
        return max(0, until - self.throttle.clock()) if until else 0


class Later:
    """Does some work after a pause, and only once if several ask for it meanwhile."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waits = False

    def __call__(self, pause: int) -> None:
        """Do the work in so many nanoseconds; at once if the pause is 0."""
        if not pause:
            self._work()
        elif not self._waits:
            self._waits = True
            asyncio.get_running_loop().call_later(pause / NANOS, self._do)

    def _do(self) -> None:
        self._waits = False
        self._work()


# -- thread switching
# How soon another thread goes on while one computes.
#
# A thread of Python computes for 5 ms before another has a turn, and the thread that writes the
# log needs several turns for one commit: while much is asked, a move would wait for all of them.
# So while any part of the server is in a hurry, threads change fifty times as often. Doing that
# always would cost a sixth of a move's CPU.

HURRIED: Final = 0.0001  # seconds that a thread computes before another goes on


class ThreadSwitching:
    """Lets threads change often while any part of the server is in a hurry."""

    def __init__(self) -> None:
        self._usual = sys.getswitchinterval()
        self._hurried: set[object] = set()
        self._lock = Lock()

    @property
    def hurried(self) -> bool:
        """Whether any part of the server is in a hurry."""
        return bool(self._hurried)

    def hurry(self, who: object, *, hurried: bool) -> None:
        """Note that `who`, a part of the server, is in a hurry, or is no longer."""
        if (who in self._hurried) is hurried:
            return
        with self._lock:
            if hurried:
                self._hurried.add(who)
            else:
                self._hurried.discard(who)
            sys.setswitchinterval(HURRIED if self._hurried else self._usual)

    def calm(self) -> None:
        """Forget all who are in a hurry, because the server has stopped."""
        for who in list(self._hurried):
            self.hurry(who, hurried=False)


SWITCHING: Final = ThreadSwitching()  # of this process: the interpreter has one


# -- the queue

BUDGET: Final = 4_000_000  # nanoseconds of hearing sources, in one turn of the loop
QUANTUM: Final = 250_000  # nanoseconds that a source is heard for, before the next
REST: Final = 1_000_000  # nanoseconds that a source who says much waits for a busy hall
# Nanoseconds that a request is charged for at most: a list of tables takes as long where many play.
REQUEST_MAX: Final = 1_000_000

Hear = Callable[[int], bool]  # until then; whether there is more to hear


class Source(Claim):
    """A connection, or the work for one, that is heard in turns."""

    __slots__ = ("hear", "is_bulk", "later")

    def __init__(self, home: str, hear: Hear, *, later: bool = False) -> None:
        super().__init__(home)
        self.hear = hear
        self.later = later  # its turn only lets it begin, and its work is done right after
        self.is_bulk = True  # also before its first word: some connect anew for each word


class FairQueue:
    """Hears all sources, of all kinds of connections.

    `busy` says whether the hall has something to decide or to write. By `clock` a turn of the
    loop ends. What a source owes is counted by `work`, where that is another clock: while the
    process stood still nobody took anything, and a source who was charged for that would wait
    as long for each of 300 others. Reading `work` is dear, so we do it only if somebody waits.
    """

    def __init__(
        self,
        clock: Callable[[], int] = perf_counter_ns,
        busy: Callable[[], bool] = lambda: False,
        work: Callable[[], int] | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        self.clock = clock
        self.work = work or clock
        self._busy = busy
        self._pieces = Pieces(throttle or Throttle(clock), RESTS_OF_HEARING)
        self._order: Precedence[Source] = Precedence()
        self._spent = 0  # in this turn of the loop
        self._called = False  # the loop is going to call `_turn`
        self._resting: asyncio.TimerHandle | None = None  # until then who says much waits

    def leave(self, source: Source) -> None:
        """Forget a source who will say no more."""
        self._order.leave(source)

    @property
    def free(self) -> bool:
        """Whether nobody waits, the hall has nothing to do, and this turn has time left."""
        idle = not self._order and not self._busy()
        return idle and self._spent < BUDGET and not self._pieces.pause()

    def played_lately(self) -> bool:
        """Whether the hall has had something to decide or to write just now."""
        return self._busy() or self._pieces.throttle.lately()

    def ask(self, source: Source) -> None:
        """Hear a source who has something to say: at once, or in turn."""
        if source.waits:
            return
        if source.is_bulk:
            at_once = self.free
        else:
            at_once = self._spent < BUDGET and self._order.is_first(source)
        if at_once:
            self._give(source)
        else:
            self.wait(source)

    def begin(self, source: Source) -> int | None:
        """Return the clock's time if the caller may hear this source now; None: it must wait.

        Nearly always it may. The caller then hears the source by itself and calls `heard`. This
        comes to the same as `ask`, which is for what already waits in a connection.
        """
        waits = source.waits or source.is_bulk or self._order.claims
        return None if waits or self._spent >= BUDGET else self.clock()

    def heard(self, source: Source, began: int) -> None:
        """Count the time since `began`, in which the caller heard this source by itself."""
        spent = self.clock() - began
        self._spent += spent
        if self._order.claims:  # somebody has begun to wait
            source.rank = None if source.flows[Rank.LITTLE] is None else Rank.LITTLE
            self._order.charge(source, spent)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget

    def wait(self, source: Source) -> None:
        """Put a source who has something to say into the queue, to be heard in turn."""
        self._order.wait(source, Rank.MUCH if source.is_bulk else Rank.LITTLE)
        if source.is_bulk:
            SWITCHING.hurry(self, hurried=True)
        else:
            self._go_on()
        self._call()

    def charge(self, source: Source, spent: int) -> None:
        """Charge a source for so many nanoseconds of work."""
        self._order.charge(source, spent)
        self._spent += spent
        self._pieces.took(spent)
        self._call()

    def wake(self) -> None:
        """Hear those who waited for the hall, because the hall has nothing more to do."""
        if not self._pieces.pause():
            self._go_on()

    def _go_on(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
            self._called = False
            self._call()

    def _give(self, source: Source) -> bool:
        """Hear this source for a moment; return whether there is more to hear."""
        others, much = bool(self._order), source.is_bulk
        worked = self.work() if others else 0
        began = self.clock()
        more = source.hear(began + QUANTUM)
        spent = self.clock() - began
        self._spent += spent
        if much and not source.later:
            self._pieces.took(spent)
        source.is_bulk = more or source.later
        if more or self._order:
            self._order.charge(source, self.work() - worked if others else spent)
        if more:
            self._order.again(source)
            SWITCHING.hurry(self, hurried=True)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget
        return more

    def _call(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self, *, rested: bool = False) -> None:
        self._called = True  # nobody else need call us
        self._resting = None
        self._spent = 0
        if not self._order:  # nearly always, and at a single table once a move
            self._called = False
            SWITCHING.hurry(self, hurried=False)
            return
        more = False
        while not more and self._spent < BUDGET:
            rests = self._pause(rested=rested) > 0
            source = self._order.next(Rank.LITTLE if rests else Rank.MUCH)
            if source is None:
                break
            more = self._give(source)
            if source.later:
                break
        self._called = False
        if not self._order.waits(Rank.MUCH):
            SWITCHING.hurry(self, hurried=False)
        elif not self._order.waits(Rank.LITTLE) and (pause := self._pause()):
            self._called = True
            # A source who has rested for others who play still waits for a busy hall, but once.
            turn = partial(self._turn, rested=rested or not self._pieces.pause())
            self._resting = asyncio.get_running_loop().call_later(pause / 1e9, turn)
            self._spent = 0
            return
        if self._order or self._spent:
            self._call()

    def _pause(self, *, rested: bool = False) -> int:
        """Nanoseconds that who says much must wait; `rested`: they waited for the hall already."""
        return self._pieces.pause() or (REST if not rested and self._busy() else 0)


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
            self._queue.charge(self._source, min(self._queue.clock() - began, REQUEST_MAX))

    def _turn(self) -> "asyncio.Future[None] | None":
        """Return what to wait for before a request begins; None if it may begin now."""
        if self._queue.free and not self._granted:
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
