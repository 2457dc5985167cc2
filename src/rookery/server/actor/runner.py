"""The runner: takes what sessions ask to the hall, makes it safe, and tells them.

Everything that queued while the last records were being written is decided together;
the next batch is decided while the last is written; nothing is delivered before its
records are safe, and everything is delivered in the order it was decided. There is one
write under way at a time, in a thread of its own. Deciding itself is the clerk's.

When the log cannot be written, nothing more is decided or told, and no time passes for
anyone's clock; the same write is tried again until it succeeds, and then everything goes
on. No flag falls before the sockets were looked at once more: what lies there was in
time. Our own mistakes stop the server, loudly.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter_ns, thread_time_ns
from typing import Final

from rookery.core.events import Record
from rookery.core.ids import Micros, SessionId, Wall
from rookery.core.intents import AnyIntent
from rookery.core.manners import OWN
from rookery.core.messages import Notice, Reply
from rookery.core.network import FRONT, Doorway, home_of
from rookery.hall.batch import Batch, Wish
from rookery.hall.hall import Hall
from rookery.hall.tours.running.rounds import Solved
from rookery.server.actor.broadcast import Broadcaster, Subscriber
from rookery.server.actor.heartbeat import Heartbeat
from rookery.server.actor.intent_queue import CUT_OFF, HUNG_UP, Clerk, Decided, HeldWrites
from rookery.server.actor.log_writer import LogWatch, LogWriter, Writer, Written
from rookery.server.actor.timer import Timer
from rookery.server.fairtime import FairTime
from rookery.server.net.fair import SWITCHING, Later, Throttle
from rookery.store import Store, StoreFailed, StoreTaken

log = logging.getLogger(__name__)

NO_DISK: Final = (
    "The server cannot write its log and takes no moves; what you were told is safe, "
    "and no clock runs."
)
ONLOOKERS_WAIT: Final = 0.001  # seconds, while something is written
RETRY_AFTER: Final = 1.0  # seconds until a write that failed is tried again


Chore = Callable[[Micros, Wall], Batch]  # what follows from something that no session asks
Barrier = asyncio.Future[None]  # done once all that was decided before it is safe to tell


class HallRunner:
    """Stands between the connections, the hall and the store."""

    def __init__(
        self,
        hall: Hall,
        store: Store,
        time: FairTime,
        crashed: Callable[[BaseException], None],
        *,
        retry_after: float = RETRY_AFTER,
        wrote: Callable[[Sequence[Record]], None] = lambda _: None,
        clock: Callable[[], int] = thread_time_ns,
        elapsed: Callable[[], int] = perf_counter_ns,
        writer: Callable[[Store, Written], Writer] = LogWriter,
        leeway: Micros = 0,
    ) -> None:
        self._hall, self._time, self._crashed = hall, time, crashed
        self._retry_after, self._told = retry_after, [wrote]  # the latter are given safe records
        self._wished: Callable[[Wish], None] = lambda _: None  # hears of rounds to be paired
        self._loop, self._idle = asyncio.get_running_loop(), asyncio.Event()
        self._writer, self._leads = writer(store, self._written), store.leads
        store.when_taken(self._taken)
        self.throttle, self._go_on = Throttle(elapsed), Later(self._schedule)  # for floods
        self._asked = Clerk(hall, clock, self.throttle)
        self._broadcaster = told = Broadcaster(self._asked, elapsed)
        self._serving: asyncio.TimerHandle | None = None  # onlookers are told then
        hall.presence.unheard, self.heard = self.pending_since, hall.heard
        self.listen(lambda _: None, lambda: None)
        self._chores: deque[Chore] = deque()  # what is to be decided before what is asked
        self.on_delivered = hall.handed  # how turns get to the players whose they are
        self._decided, self._writing = list[Decided](), list[Decided]()  # the latter being written
        self._unsafe, self._passing = list[Barrier](), list[Barrier]()  # who wait for either
        self._busy = False  # a write is under way, or waits to be tried again
        self._held = HeldWrites(self._loop, partial(self._guarded, self._proceed))
        self._turning = self._handing = False  # about to decide; being sent to sockets
        # Nothing more is taken up; nothing more is decided and told; the log cannot be written.
        self._leaving = self._closing = self.failing = False
        self._heartbeat = beat = Heartbeat(time, self._no_clock_runs)
        self._watch = LogWatch(time, hall, self._probe if store.leased else None)
        self._timer = Timer(hall, time, beat, self._schedule, self._watch, leeway=leeway)
        self.after_poll, self.tell_of_standing = beat.after_poll, told.tell_of_standing
        self._idle.set()

    # -- what connections call

    def connect(
        self,
        session: SessionId,
        host: str,
        subscriber: Subscriber,
        dialect: str = OWN,
        door: Doorway = FRONT,
    ) -> None:
        """Let a new connection into the hall, which speaks this dialect and came by this door."""
        self._broadcaster.subscribers[session] = subscriber
        self._asked.connect(session, home_of(host))
        self._hall.connect(session, host, dialect, door)
        if no := self._hall.community.may_not_come(host, self._time.wall()):
            self._broadcaster.dismiss(session, Notice(no.code, no.sentence))
        elif self.failing:
            subscriber.tell(Notice("no_disk", NO_DISK))

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Queue what a session asks, which was read at `now`; `much`: more of it waits behind."""
        if self._leaving:
            return
        for intent in intents:
            self._asked.ask(session, intent, now, much=much)
        if not self._turning:
            self._schedule()

    def hang_up(self, session: SessionId, now: Micros, *, ours: bool = False) -> None:
        """Note that a connection is gone (`ours`: we lost it); what it asked is still decided."""
        if self._broadcaster.subscribers.pop(session, None) is not None:
            self._asked.ask(session, CUT_OFF if ours else HUNG_UP, now)
            self._schedule()

    def solved(self, wish: Wish, found: Solved) -> None:
        """Hand the hall the solution of something it wished for, as the pairing of a round."""
        self.decide(partial(self._hall.solved, wish, found))

    def decide(self, chore: Chore) -> None:
        """Have this chore decided before everything that sessions ask from now on."""
        self._chores.append(chore)
        self._schedule()

    def start_clocks(self, batch: Batch, now: Micros) -> None:
        """Start the clocks of these turns, because they have reached connections at an edge."""
        self._hall.handed(batch, now)
        self._arm()

    def listen(
        self, pending_since: Callable[[SessionId], Micros | None], rests: Callable[[], None]
    ) -> None:
        """Set who knows what a session said that nobody heard yet, and who to call when we rest."""
        self._pending_since, self._rests = pending_since, rests

    def is_busy(self) -> bool:
        """Whether something is about to be decided, being written, or on its way to be sent."""
        return self._busy or self._turning or self._handing

    def pending_since(self, session: SessionId) -> Micros | None:
        """When the session's oldest undecided words were read; None if all are decided."""
        asked = self._asked.since(session)
        return self._pending_since(session) if asked is None else asked

    def tell_of_records(self, told: Callable[[Sequence[Record]], None]) -> None:
        """Call this with all records that are safe, before anyone hears of them."""
        self._told.append(told)

    def tell_of_wishes(self, told: Callable[[Wish], None]) -> None:
        """Call this with each round that is to be paired, once what led to it is safe."""
        self._wished = told

    # -- what is decided at once, for requests that wait at a barrier until it is safe

    def decide_now(self, session: SessionId, intent: AnyIntent) -> Reply:
        """Decide this of a session without a subscriber; `safe` says when its reply may be told."""
        batch = self._now(partial(self._hall.receive, session, intent))
        replies = (one.message for one in batch.deliveries if one.session == session)
        reply = next(replies)
        assert isinstance(reply, Reply), "the first message after an intent is its reply"
        return reply

    def part_now(self, session: SessionId) -> None:
        """Let go of a session without a subscriber."""
        self._now(partial(self._hall.hang_up, session))

    def _now(self, decide: Chore) -> Batch:
        try:
            batch = decide(self._time.all_read(), self._time.wall())
        except Exception as mistake:
            self._crash(mistake)
            raise
        if batch != Batch(deliveries=batch.deliveries[:1]):  # a read changes nothing
            self._decided.append((None, batch))
            self._schedule()
        return batch

    def safe(self) -> Barrier | None:
        """What to await until all that is decided so far is safe to tell; None: it is so now."""
        if not (self._decided or self._busy) and self._leads():
            return None
        if not self._decided:
            self._decided.append((None, Batch()))  # told behind what is being written
        barrier: Barrier = self._loop.create_future()
        self._unsafe.append(barrier)
        self._schedule()
        return barrier

    @property
    def leaving(self) -> bool:
        """Whether nothing more is taken up."""
        return self._leaving or self._closing

    # -- the life of the runner

    def begin(self, first: Batch) -> None:
        """Write what the restart changed, and start to work."""
        self._decided.append((None, first))
        self._proceed()

    async def close(self, patience: float) -> bool:
        """Finish what was asked so far; return whether all of it was safe within the patience."""
        self._leaving = True
        try:
            async with asyncio.timeout(patience):
                await self._idle.wait()
        except TimeoutError:
            return False
        finally:
            self._closing = True
            self._heartbeat.stop()
            self._timer.stop()
            self._watch.stop()
            self.let_go()
        return True

    def let_go(self) -> None:
        """Let the write under way end, and begin no other: the store can be closed."""
        self._writer.let_go()

    # -- deciding

    def _schedule(self) -> None:
        if not self._turning and not self._closing:
            self._turning = True
            self._idle.clear()
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._turning = False
        self._guarded(self._decide_and_proceed)

    def _guarded(self, work: Callable[[], None]) -> None:
        if self._closing:
            return
        try:
            work()
        except Exception as mistake:  # noqa: BLE001 # our own mistake: stop, and say where
            self._crash(mistake)

    def _crash(self, mistake: BaseException) -> None:
        """Stop deciding and telling: what we know may be wrong, but what is written is not."""
        self._closing = True
        self._heartbeat.stop()
        self._crashed(mistake)

    def _taken(self, taken: StoreTaken) -> None:
        """Stop, because another process leads now. A thread of the store calls this."""
        if not self._closing:
            self._loop.call_soon_threadsafe(self._crash, taken)

    def _decide_and_proceed(self) -> None:
        more = self._decide()
        self._proceed()
        self._asked.pieces.end()
        if more:
            self._go_on(self._asked.pause)

    def _decide(self) -> bool:
        """Decide for as long as a turn of the loop lasts; return whether there is more."""
        if self.failing:
            return False  # it is kept, and decided when the log can be written again
        at = self._time.wall()
        while self._chores:
            self._decided.append((None, self._chores.popleft()(self._time.all_read(), at)))
        more = self._asked.decide(self._decided, at, busy=self._busy)
        if (ripe := self._timer.ripe(at, busy=bool(self._asked))) is not None:
            self._decided.append((None, self._hall.tick(ripe, at)))
        return more

    # -- writing and telling

    def _proceed(self) -> None:
        """Start the next write, or tell what needs none; then set the timer anew."""
        self._heartbeat.wake()  # before anybody hears of what is waited for from now on
        flood = self._asked.is_flood
        if not self._busy and self._decided and not self._held.waits(self._decided, flood=flood):
            self._writing, self._decided = self._decided, []
            self._passing, self._unsafe = self._unsafe, []
            alone = self._is_alone()
            records = [record for _, batch in self._writing for record in batch.records]
            self._asked.taken(written=bool(records))
            if records or not self._leads():  # then the store finds out, before anyone is told
                self._write(records, alone=alone)
            else:
                self._deliver()
        self._arm()
        self._rest()

    def _is_alone(self) -> bool:
        """Whether at most one thing beside floods is to be written, and nobody else waits."""
        waits = self._turning or self._broadcaster.is_due or len(self._writing) > 1
        return self._asked.is_alone if self._asked.shares else not (self._asked or waits)

    def _write(self, records: list[Record], *, alone: bool = False) -> None:
        if self._closing:
            return  # the write was to be tried again, and now we go
        self._busy = True
        self._idle.clear()
        self._watch.begin()
        self._writer.write(records, alone=alone)

    def _probe(self) -> None:
        """Ask a log that is elsewhere whether it is there."""
        if not self._busy:
            self._write([])

    def _written(self, records: list[Record], failure: BaseException | None) -> None:
        if isinstance(failure, StoreFailed):
            self._wait_for_disk(failure, records)
        elif failure is not None:
            self._crash(failure)
        else:
            for told in self._told if records else ():
                told(records)
            self._guarded(self._safe)

    def _safe(self) -> None:
        """Tell what was decided, because its records are on disk now, and begin the next write."""
        self._watch.answered()
        if self.failing:
            self.failing = False
            log.warning("the log can be written again")
            self._broadcaster.tell_all(
                Notice("resumed", "The server can write its log again; play on.")
            )
        self._busy = False
        self._deliver()
        self._proceed()
        self._asked.pieces.end()
        if self._asked:
            self._go_on(self._asked.pause)

    def _wait_for_disk(self, failure: StoreFailed, records: list[Record]) -> None:
        """Try the same write again in a while; nothing of it was written or told."""
        self._loop.call_later(self._retry_after, self._write, records)
        if not self.failing:
            self.failing = True
            self._watch.stand()
            log.error("%s Trying again every second.", failure)
            self._broadcaster.tell_all(Notice("no_disk", NO_DISK))

    def _deliver(self) -> None:
        """Tell players what was decided, then start their clocks, and tell onlookers later."""
        decided, self._writing = self._writing, []
        self._broadcaster.deliver(decided)
        for _, batch in decided:
            for wish in batch.wishes:
                self._wished(wish)
            self._broadcaster.dismiss_all(batch.dismissals)
        for barrier in self._passing:
            if not barrier.done():  # else nobody waits any more
                barrier.set_result(None)
        delivered = [batch for _, batch in decided if batch.turns or batch.records]
        if delivered:
            # A loop may keep what it is given to write until its turn is over.
            self._handing = True
            self._loop.call_soon(self._start_clocks, delivered)
            if self._time.should_poll():
                self._heartbeat.look()
        self._serve_onlookers()

    def _start_clocks(self, batches: list[Batch]) -> None:
        """Start the clocks, because what was told has been written to the sockets."""
        now = self._time.now()
        for batch in batches:
            self.on_delivered(batch, now)
        self._handing = False
        self._arm()
        if not self.is_busy():
            self._rests()

    def _serve(self) -> None:
        """Tell some of the onlookers; the loop looks at the sockets before the next."""
        self._serving = None
        self._guarded(partial(self._broadcaster.serve, calm=not (self._busy or self._asked)))
        self._serve_onlookers()
        self._rest()

    def _serve_onlookers(self) -> None:
        """Arrange to tell onlookers soon; while a write is under way, a little later."""
        SWITCHING.hurry(self, hurried=self._broadcaster.is_due)
        if self._serving is not None and self._broadcaster.is_due and not self._busy:
            self._serving.cancel()
            self._serving = None
        if self._broadcaster and self._serving is None and not self._closing:
            wait = max(ONLOOKERS_WAIT if self._busy else 0, self._broadcaster.rest())
            self._serving = self._loop.call_later(wait, self._serve)

    def _rest(self) -> None:
        """Let those go on who wait until everything was decided and told, if so it is."""
        if not (self._busy or self._decided or self._asked or self._broadcaster):
            self._idle.set()

    # -- the one timer

    def _arm(self) -> None:
        if self._handing:
            return  # clocks are about to start: then, at once
        if self._closing or self.failing:
            self._timer.stop()  # while the log cannot be written no flag falls
        else:
            self._timer.set(busy=bool(self._asked))
            self._watch.watch()

    def _no_clock_runs(self) -> bool:
        """Whether no clock runs or can start, and the hall waits for nothing."""
        return not self._hall.tables.unfinished() and self._hall.deadline() is None
