"""The runner: the actor that owns the hall. It decides, makes safe, and delivers.

A session's intent is decided in its source's turn (`net/fair`), and nowhere else: never while
something is delivered, and not while the log fails. What cannot be decided now waits at its
source, with the time at which it was read. What was decided in one turn of the loop, and while
the last batch was being written, is one batch: its records are written together, in a thread of
their own, one write at a time.

*Nothing is told before it is safe*: a batch is delivered when its records are on disk, whole, in
the order in which it was decided. Then, one turn of the loop later, when what was told has been
written to the sockets, its clocks start.

When the log cannot be written, nothing more is decided or delivered, and no time passes for
anyone's clock; the same write is tried again until it succeeds. No flag falls before the sockets
were polled once more: what lies there was in time. Our own mistakes stop the server, loudly.
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
from rookery.core.intents import (
    AnyIntent,
    EnterRoom,
    LeaveRoom,
    Play,
    Question,
    Reclaim,
    TakeUp,
)
from rookery.core.manners import OWN
from rookery.core.messages import Notice, Reply
from rookery.core.network import FRONT, Doorway, home_of
from rookery.hall.batch import Batch, Wish
from rookery.hall.hall import Hall
from rookery.hall.tours.running.rounds import Solved
from rookery.server.actor.broadcast import Broadcaster, Decided, Subscriber
from rookery.server.actor.heartbeat import Heartbeat
from rookery.server.actor.log_writer import LogWatch, LogWriter, Writer, Written
from rookery.server.actor.timer import Timer
from rookery.server.fairtime import FairTime
from rookery.server.net.fair import MOVES_AT_ONCE, FairQueue, HungUp, Rank, Source
from rookery.store import Store, StoreFailed, StoreTaken

log = logging.getLogger(__name__)

NO_DISK: Final = (
    "The server cannot write its log and takes no moves; what you were told is safe, "
    "and no clock runs."
)
COMPANY_S: Final = 0.002  # that what bulk sources change waits to be written with an act
RETRY_AFTER: Final = 1.0  # seconds until a write that failed is tried again
SENDING_NS: Final = 10_000  # that each delivery to a spectator takes about
# Spectators whose news of an act costs many times what it cost to decide: while they are behind,
# the next act of that session waits for those of others.
WATCHED: Final = 100
# Many may be told of a session that comes or goes, and no clock waits for it. All of these are
# of one kind, so that a player who comes back finds that it has gone.
COMING_AND_GOING: Final = EnterRoom | LeaveRoom | Reclaim | TakeUp | HungUp


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
        self.queue = queue = FairQueue(elapsed, clock, self._decide_held)
        self._sources: dict[SessionId, Source] = {}
        self._holding: dict[Source, None] = {}  # sources that hold what is to be decided
        self._acts, self._waits = 0, False  # of interactive sources in the next batch, or awaited
        self._broadcaster = told = Broadcaster(queue, self._charge, self._rest)
        hall.presence.unheard, self.heard = self.pending_since, hall.heard
        self.listen(lambda _: None)
        self._chores: deque[Chore] = deque()  # what is to be decided before what is asked
        self.on_delivered = hall.handed  # how turns get to the players whose they are
        self._decided, self._writing = list[Decided](), list[Decided]()  # the latter being written
        self._unsafe, self._passing = list[Barrier](), list[Barrier]()  # who wait for either
        # A write is under way or to be tried again; about to proceed; being sent to sockets.
        self._busy = self._turning = self._handing = False
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
        *,
        source: Source | None = None,
    ) -> None:
        """Let a new connection into the hall, which speaks this dialect and came by this door.

        `source` has its turns, in which it asks; if there is none, one is made that only decides.
        """
        self._broadcaster.subscribers[session] = subscriber
        source = Source(home_of(host)) if source is None else source
        self._sources[session], source.session = source, session
        self._hall.connect(session, host, dialect, door)
        if no := self._hall.community.may_not_come(host, self._time.wall()):
            self._broadcaster.dismiss(session, Notice(no.code, no.sentence))
        elif self.failing:
            subscriber.tell(Notice("no_disk", NO_DISK))

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Queue what a session asks, which was read at `now`; `much`: more of it waits behind."""
        source = self._sources.get(session)
        if source is None or self._leaving:
            return
        is_its_turn = self.queue.current is source
        for intent in intents:
            if is_its_turn and not source.held and self._may_decide(source, intent):
                self._receive(source, intent, now)
            else:
                self._hold(source, intent, now, much=much)

    def hang_up(self, session: SessionId, now: Micros, *, ours: bool = False) -> None:
        """Note that a connection is gone (`ours`: we lost it); what it asked is still decided."""
        if self._broadcaster.subscribers.pop(session, None) is not None:
            self._hold(self._sources[session], HungUp(ours), now)

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

    def listen(self, pending_since: Callable[[SessionId], Micros | None]) -> None:
        """Set who knows when a session's oldest bytes that were not processed yet were read."""
        self._pending_since = pending_since

    def pending_since(self, session: SessionId) -> Micros | None:
        """When the session's oldest undecided words were read; None if all are decided."""
        source = self._sources.get(session)
        return source.held[0][1] if source and source.held else self._pending_since(session)

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
        """Decide what no session asked, then write and deliver."""
        if not self.failing:
            at = self._time.wall()
            self._do_chores(at)
            if (ripe := self._timer.ripe(at, busy=bool(self._holding))) is not None:
                self._decided.append((None, self._hall.tick(ripe, at)))
        self._proceed()

    def _do_chores(self, at: Wall) -> None:
        while self._chores:
            self._decided.append((None, self._chores.popleft()(self._time.all_read(), at)))

    def _may_decide(self, source: Source, intent: AnyIntent | HungUp) -> bool:
        """Whether this may be decided now, in its source's turn."""
        if self.failing or self._closing:
            return False
        return source.is_bulk or not self._goes_behind(source, intent)

    def _goes_behind(self, source: Source, intent: AnyIntent | HungUp) -> bool:
        """Whether others who play go before this where there is not time for all.

        Where spectators are behind, so does the next act of a session that many of them watch.
        """
        if isinstance(intent, Question):
            return self.queue.is_pressed or self.queue.acted_lately()
        if isinstance(intent, COMING_AND_GOING):
            return self.queue.is_pressed
        return source.is_watched and self._broadcaster.is_behind

    def _hold(
        self, source: Source, intent: AnyIntent | HungUp, now: Micros, *, much: bool = False
    ) -> None:
        """Leave this at its source until its next turn."""
        source.held.append((intent, now))
        self._holding[source] = None
        is_move = isinstance(intent, Play) and source.moves < MOVES_AT_ONCE
        if not is_move:
            source.moves = MOVES_AT_ONCE
        if self.queue.current is not source and not self.failing:
            if not source.waits:
                source.is_bulk = (much and not is_move) or self._goes_behind(source, intent)
            self.queue.wait(source)

    def _decide_held(self, source: Source, until: int) -> bool:
        """Decide what a source holds, in its turn; return whether it holds more to be decided."""
        held = source.held
        while held and self._may_decide(source, held[0][0]):
            intent, now = held.pop(0)
            self._receive(source, intent, now)
            if self.queue.clock() >= until:
                break
        if not held:
            self._holding.pop(source, None)
        return bool(held) and not self.failing

    def _receive(self, source: Source, intent: AnyIntent | HungUp, now: Micros) -> None:
        """Have the hall decide what was read at `now`."""
        session, at = source.session, self._time.wall()
        try:
            if self._chores:
                self._do_chores(at)
            if isinstance(intent, HungUp):
                batch = self._hall.hang_up(session, now, at, ours=intent.ours)
                self._decided.append((None, batch))
                del self._sources[session]
                self.queue.leave(source)
            else:
                batch = self._hall.receive(session, intent, now, at)
                self._decided.append((session, batch))
        except Exception as mistake:  # noqa: BLE001 # our own mistake: stop, and say where
            self._crash(mistake)
            return
        if isinstance(intent, Play) and source.moves < MOVES_AT_ONCE:
            source.moves += 1
        else:
            source.moves = MOVES_AT_ONCE
        source.is_watched = batch.onlookers >= WATCHED
        if not (source.is_bulk or isinstance(intent, Question | COMING_AND_GOING)):
            self._acts += 1
            self.queue.acted()
        if batch.onlookers and self.queue:
            self.queue.charge(source, 0, SENDING_NS * batch.onlookers)
        if not self._turning:
            self._schedule()

    def _charge(self, session: SessionId, spent: int) -> None:
        """Charge a session for the time that an answer to it took."""
        if (source := self._sources.get(session)) is not None:
            self.queue.charge(source, spent)

    # -- writing and telling

    def _proceed(self) -> None:
        """Start the next write, or tell what needs none; then set the timer anew."""
        self._heartbeat.wake()  # before anybody hears of what is waited for from now on
        if not self._busy and self._decided and not self._waits_for_company():
            self._writing, self._decided = self._decided, []
            self._passing, self._unsafe = self._unsafe, []
            # Where at most one act is written and none waits, nobody waits for anything else.
            alone, self._acts = self._acts <= 1 and not self.queue.waits(Rank.INTERACTIVE), 0
            records = [record for _, batch in self._writing for record in batch.records]
            if records or not self._leads():  # then the store finds out, before anyone is told
                self._write(records, alone=alone)
            else:
                self._deliver()
        self._arm()
        self._rest()

    def _waits_for_company(self) -> bool:
        """Whether what was decided is to be written with the next act of others who play.

        A write makes everybody wait for the disk, so what bulk sources alone have changed waits
        for company, but not for long.
        """
        was, self._waits = self._waits, False
        if not self._acts and self.queue.acted_lately() and self._is_bulk_written():
            self._waits = True
            if not was:
                self._loop.call_later(COMPANY_S, self._guarded, self._end_waiting)
        return self._waits

    def _end_waiting(self) -> None:
        """Write what found no company."""
        if self._waits:
            self._acts = 1
            self._proceed()

    def _is_bulk_written(self) -> bool:
        """Whether sessions asked for all that was decided, and something is to be written."""
        asked = all(asker is not None for asker, _ in self._decided)
        return asked and any(batch.records for _, batch in self._decided)

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
            self.failing = self.queue.is_held = False
            log.warning("the log can be written again")
            self._broadcaster.tell_all(
                Notice("resumed", "The server can write its log again; play on.")
            )
            for source in self._holding:
                self.queue.wait(source)
        self._busy = False
        self._deliver()
        self._proceed()

    def _wait_for_disk(self, failure: StoreFailed, records: list[Record]) -> None:
        """Try the same write again in a while; nothing of it was written or told."""
        self._loop.call_later(self._retry_after, self._write, records)
        if not self.failing:
            self.failing = self.queue.is_held = True
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

    def _start_clocks(self, batches: list[Batch]) -> None:
        """Start the clocks, because what was told has been written to the sockets."""
        now = self._time.now()
        for batch in batches:
            self.on_delivered(batch, now)
        self._handing = False
        self._arm()

    def _rest(self) -> None:
        """Let those go on who wait until everything was decided and told, if so it is."""
        if not (self._busy or self._decided or self._holding or self._broadcaster):
            self._idle.set()

    # -- the one timer

    def _arm(self) -> None:
        if self._handing:
            return  # clocks are about to start: then, at once
        if self._closing or self.failing:
            self._timer.stop()  # while the log cannot be written no flag falls
        else:
            self._timer.set(busy=bool(self._holding))
            self._watch.watch()

    def _no_clock_runs(self) -> bool:
        """Whether no clock runs or can start, and the hall waits for nothing."""
        return not self._hall.tables.unfinished() and self._hall.deadline() is None
