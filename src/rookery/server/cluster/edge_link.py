"""The edge's end of the link: to its connections it is the hall, which is elsewhere.

    connections ── connect, ask ──▶ HallConnection ── frames up ──▶ NATS ──▶ hall
                ◀── tell, answered ──              ◀── frames down ──

Time is measured here: when a turn was written and when the answer was read go up with the
move. While there is no hall nothing is asked, and what connections ask meanwhile waits.

When a hall that is new to us announces itself, every connection is attached to it. A client whose
change the previous hall did not acknowledge is hung up on: whether it was made is in doubt, and
reconnecting shows it. What was only a question is asked again; and so is everything, if the
previous hall had stopped in good order.

The hall assigns the numbers of each dialect, and an edge has a copy. Until it is complete, and
while no hall is heard, the copy may be wrong: so connections whose dialect has numbers are held
then, and what they send counts from when it was read. A dialect whose clients must always be
answered sees to that itself, by asking the hall before it looks up a number.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Final

from msgspec.structs import replace

from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId, TableId
from rookery.core.intents import AnyIntent, Question
from rookery.core.manners import OWN
from rookery.core.messages import AnyMessage, Notice, Past, Shown, Welcome
from rookery.core.network import FRONT, SHOWN, TOLD_MAX, Attachment, Doorway
from rookery.dialects import LANGUAGES
from rookery.server.actor.broadcast import Subscriber
from rookery.server.actor.heartbeat import Heartbeat
from rookery.server.cluster import frames
from rookery.server.cluster.edge_copies import DirectoryCopy, TableCopies
from rookery.server.cluster.frames import BEAT_EVERY_S, IN_DOUBT, DownItem, FrameStream, UpItem
from rookery.server.cluster.http_forward import HttpForwarder
from rookery.server.cluster.nats import Broker, report
from rookery.server.cluster.outages import DEAF
from rookery.server.config import BotTerms
from rookery.server.fairtime import FairTime
from rookery.server.metrics import Histogram
from rookery.server.net.fair import FairQueue, Source

log = logging.getLogger(__name__)

HALL_QUIET_US: Final[Micros] = 400_000  # a hall that is silent for so long is asked nothing
HALL_AWAY_US: Final[Micros] = 1_500_000  # and after so long it is away
SPOKE_EVERY_US: Final[Micros] = MICROS_A_SECOND  # how often the hall learns that a client is alive
DELIVERY_BUDGET_NS: Final = 1_000_000  # of delivering, before the sockets are looked at
AWAY: Final = Notice("no_hall", "The server is coming back; please wait. No clock runs.")
BACK: Final = Notice("resumed", "The server is back; play on.")
NO_DISK: Final = "no_disk"  # of a notice: the hall cannot write its log

Asked = tuple[AnyIntent, Micros, bool]  # what is asked, when it was read, whether much follows


class EdgeSession:
    """One connection, as its edge knows it: what it is in the hall, asks, and waits for."""

    __slots__ = ("asked", "attachment", "opened", "spoke", "subscriber", "told", "waiting")

    def __init__(self, opened: frames.SessionOpened, subscriber: Subscriber) -> None:
        self.opened = opened
        self.subscriber = subscriber
        self.attachment = Attachment()  # what the connection is in the hall
        self.told: dict[TableId, int] = {}  # the last event it knows, by table
        self.asked: deque[Asked] = deque()  # sent to the hall, and not answered
        self.waiting: list[Asked] = []  # to be asked when there is a hall
        self.spoke: Micros = 0  # when the hall last heard that it is there

    def learn(self, message: AnyMessage) -> None:
        """Note what the connection knows of tables once it has this message."""
        if isinstance(message, Shown):
            self._know_at_least(message.line.table, message.line.n)
        elif isinstance(message, Past) and message.events:
            self._know_at_least(message.table, message.events[-1].n)
        elif isinstance(message, Welcome):
            for table in message.tables:
                self._know_at_least(table, SHOWN)

    def _know_at_least(self, table: TableId, n: int) -> None:
        if n > self.told.get(table, SHOWN - 1):
            self.know(table, n)

    def know(self, table: TableId, n: int) -> None:
        """Note that the connection knows this event, forgetting old tables."""
        if table not in self.told and len(self.told) >= TOLD_MAX:
            del self.told[next(iter(self.told))]
        self.told[table] = n

    @property
    def in_doubt(self) -> bool:
        """Whether the connection asked for a change that may have been done or not."""
        return not all(isinstance(intent, Question) for intent, _, _ in self.asked)

    def ask_again(self) -> None:
        """Let what was asked and not answered wait for the next hall."""
        self.waiting[:0] = self.asked
        self.asked.clear()

    def waited(self) -> list[frames.Intents]:
        """Return what waited for a hall, which counts as asked now."""
        self.asked += self.waiting
        waited, self.waiting = self.waiting, []
        session = self.opened.session
        return [frames.Intents(session, at, (one,), much) for one, at, much in waited]


class HallConnection:
    """The hall on another machine, over one broker; `name` is what this edge is called there."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        time: FairTime,
        *,
        clock: Callable[[], int] = perf_counter_ns,
        work: Callable[[], int] | None = None,
    ) -> None:
        self._broker, self._name = broker, name
        self._time, self._clock = time, clock
        self._loop = asyncio.get_running_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._heartbeat = Heartbeat(time)
        self.queue = FairQueue(clock, work)
        self.after_poll = self._heartbeat.after_poll
        self.directory = DirectoryCopy()
        self.http = HttpForwarder(lambda to, data: broker.send(f"web.up.{to}.{name}", data))
        # What the listener does for us: hang up on a session; hold it (True) or let it go on; and
        # its port's terms for house bots.
        self.dismiss: Callable[[SessionId, Notice | None], None] = lambda _, __: None
        self.hold: Callable[[SessionId, bool], None] = lambda _, __: None
        self.terms_of: Callable[[SessionId], BotTerms | None] = lambda _: None
        self._sessions: dict[SessionId, EdgeSession] = {}
        self.epoch = 0  # of the last hall we knew
        self._stream: FrameStream | None = None  # None while there is no hall
        self._streams = 0
        self._seen: Micros = 0  # the latest time of the hall's that came in this stream
        self._answered_us = False  # the hall has said something in this stream
        self._took = Histogram()  # from a question to its answer
        self.attached = 0  # how often a hall has answered us: we are attached then
        self._copies = TableCopies()
        self._numbers_complete = False  # the hall has sent all numbers
        self._up: list[UpItem] = []  # for the next frame
        self._down: deque[DownItem] = deque()  # accepted, and not delivered yet
        self._delivering = False
        self._heard = time.now()  # when the hall last said anything, or might have
        self._quiet = False  # that is a while ago
        self._away = False  # that is a long while ago
        self._troubled = False  # the hall has said that it cannot write its log

    # -- the broker

    def open(self) -> None:
        """Begin to look for the hall, and to beat."""
        self._tasks = [self._loop.create_task(work) for work in (self._find(), self._beat())]
        for task in self._tasks:
            task.add_done_callback(report)

    async def close(self) -> None:
        """Tell the hall that all connections are gone, and go."""
        for task in self._tasks:
            task.cancel()
        for session in list(self._sessions):
            self.hang_up(session, 0)
        self._flush()
        self._heartbeat.stop()
        await self._broker.say_all()
        await self._broker.close()

    def samples(self) -> dict[str, float]:
        """How the link to the hall is, for Prometheus."""
        label = f'hall="{self._broker.hall}"'
        return {
            f"rookery_edge_has_hall{{{label}}}": 0 if self.away else 1,
            f"rookery_edge_attached_total{{{label}}}": self.attached,
        } | self._took.samples("rookery_answer_seconds", label)

    async def _find(self) -> None:
        """Connect to the broker, however long that takes, and listen for a hall."""
        broker, name = self._broker, self._name
        await broker.open()
        await broker.subscribe("lead", lambda _, data: self.follow(frames.read_leader(data)))
        await broker.subscribe(f"down.{name}", lambda _, data: self.receive(data))
        await broker.subscribe(f"web.down.{name}", lambda _, data: self.http.receive(data))
        broker.send("hello", b"")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            self.beat()

    # -- what connections call

    def connect(
        self,
        session: SessionId,
        host: str,
        subscriber: Subscriber,
        dialect: str = OWN,
        door: Doorway = FRONT,
        *,
        source: Source | None = None,  # noqa: ARG002 # the hall decides
    ) -> None:
        """Tell the hall of a new connection, which speaks this dialect and came by this door."""
        terms = self.terms_of(session)
        opened = frames.SessionOpened(session, host, dialect, door, terms, None)
        self._sessions[session] = one = EdgeSession(opened, subscriber)
        if not self.directory.sure:
            self._hold(one)
        self._put(opened)
        if self._away:
            subscriber.tell(AWAY)

    def heard(self, session: SessionId, now: Micros) -> None:
        """Note that the session is alive; the hall learns of that once a second."""
        one = self._sessions.get(session)
        if one is not None and now - one.spoke >= SPOKE_EVERY_US:
            one.spoke = now
            self._put(frames.SessionSpoke(session))

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Ask the hall these things, read at `now`; they wait while there is no hall."""
        one = self._sessions.get(session)
        if one is None:
            return
        asked = [(intent, now, much) for intent in intents]
        if self._stream is None or self._quiet:
            one.waiting += asked
        else:
            one.asked += asked
            one.spoke = now
            self._put(frames.Intents(session, now, tuple(intents), much))

    def hang_up(self, session: SessionId, now: Micros) -> None:  # noqa: ARG002 # as a link does
        """Tell the hall that a connection is gone; what it asked is still dealt with."""
        if self._sessions.pop(session, None) is not None:
            self._put(frames.SessionClosed(session))

    def listen(self, pending_since: Callable[[SessionId], Micros | None]) -> None:
        """Do nothing: nothing is decided here, so nobody waits for us."""

    # -- sending

    def _put(self, item: UpItem) -> None:
        """Put this item into the next frame; where there is no hall, attaching says it all."""
        if self._stream is None:
            return
        if not self._up:
            self._loop.call_soon(self._flush)
        self._up.append(item)

    def _flush(self) -> None:
        items, self._up = self._up, []
        if items and self._stream is not None:
            self._send(self._stream.send(items))

    def _send(self, data: bytes) -> None:
        self._broker.send(f"up.{self.epoch}.{self._name}", data)

    def _stamps(self) -> tuple[Micros, ...]:
        """What the hall needs to know whether it hears us: see `outages`."""
        return self._time.now(), DEAF if self._quiet else self._seen

    # -- which hall there is, and whether it is heard

    @property
    def away(self) -> bool:
        """Whether there is no hall now."""
        return self._away or self._stream is None

    def beat(self) -> None:
        """Send the hall a heartbeat; notice how long it has been silent."""
        silent = self._time.now() - self._heard
        self._quiet = self._away or silent > HALL_QUIET_US
        if self._stream is not None:
            self._send(self._stream.heartbeat())
        if not self._away and silent > HALL_AWAY_US:
            self._set_away(away=True)
        self._changed()
        self.http.beat()

    def _changed(self) -> None:
        """Let HTTP ask the hall there is, and hold connections unless the numbers are sure."""
        self.http.set_hall(None if self.away else self.epoch, quiet=self._quiet)
        sure = self._numbers_complete and not self._quiet
        if sure != self.directory.sure:
            self.directory.sure = sure
            for one in list(self._sessions.values()):
                self._hold(one)

    def _hold(self, one: EdgeSession) -> None:
        manners = LANGUAGES[one.opened.dialect]
        if manners.numbers and not manners.prompt:
            self.hold(one.opened.session, not self.directory.sure)

    def _set_away(self, *, away: bool) -> None:
        self._away = away
        log.warning("the hall is away" if away else "the hall is there")
        self._time.stand() if away else self._time.go_on()
        self._tell_all(AWAY if away else BACK)

    def _tell_all(self, notice: Notice) -> None:
        for one in list(self._sessions.values()):
            one.subscriber.tell(notice)
            one.subscriber.flush()

    def follow(self, leader: frames.Leader) -> None:
        """Attach to a hall that says it leads, if it came after ours.

        Or to any other, if ours is away: clocks on walls may be set back.
        """
        if leader.version != frames.VERSION:
            log.error("the hall is of another version of Rookery; it is left alone")
        elif leader.epoch > self.epoch or (self._away and leader.epoch != self.epoch):
            self.epoch = leader.epoch
            self._attach()

    def _attach(self) -> None:
        """Begin a new stream with all connections, and what they were before."""
        self._down.clear()
        self._up.clear()
        self._streams += 1
        self._answered_us = False
        self._numbers_complete = False
        self._seen = 0
        self._heard, self._quiet = self._time.now(), False
        self._stream = FrameStream(self._time.wall() + self._streams, self._stamps)
        self._copies = TableCopies()
        self._changed()
        items: list[UpItem] = []
        for session, one in list(self._sessions.items()):
            if one.in_doubt:
                del self._sessions[session]
                self.dismiss(session, IN_DOUBT)
                continue
            one.ask_again()
            before = replace(one.attachment, told=one.told)
            one.told = dict(one.told)
            items.append(replace(one.opened, before=before))
        for one in self._sessions.values():
            items += one.waited()
        log.info(
            "attaching %d connections to the hall of epoch %d", len(self._sessions), self.epoch
        )
        self._send(self._stream.send(items))

    def _part(self) -> None:
        """Let what was not answered wait for the next hall: ours has stopped in good order."""
        self._stream = None
        self._numbers_complete = False
        for one in self._sessions.values():
            one.ask_again()
        self._changed()

    # -- what comes down from the hall

    def receive(self, data: bytes) -> None:
        """Take a frame that came down from the hall."""
        frame, stream = frames.read_down(data), self._stream
        if stream is None or frame.stream != stream.stream:
            return
        self._heard = self._time.now()
        self._seen = max(self._seen, frame.at)
        if frame.kind == frames.RESET and not stream.none_acked:
            log.warning("the hall gave this edge up; attaching again")
            self._attach()  # before what waited is asked: it was not sent, and is in no doubt
            return
        if self._quiet:
            self._ask_what_waited()
        if frame.kind == frames.RESET:  # the broker has lost our first frame
            for lost in stream.unacked():
                self._send(lost)
        else:
            self._accept(frame, stream)
        self._changed()

    def _accept(self, frame: frames.DownFrame, stream: FrameStream) -> None:
        if not self._answered_us:
            self._answered_us = True
            self.attached += 1
            if self._troubled and not self._away:  # the hall before could not write its log
                self._tell_all(BACK)
            self._troubled = False
        accepted = stream.accept(frame)
        if frame.kind == frames.PING:
            self._send(stream.ping())
        for reply in stream.replies(frame, accepted):
            self._send(reply)
        if accepted:
            if stream.first_accepted:
                self.directory.clear()
            self._down.extend(frame.items)
            if not self._delivering:
                self._deliver()
        if self._away and self._stream is not None:
            self._set_away(away=False)

    def _ask_what_waited(self) -> None:
        """Ask the hall what waited while it was not heard."""
        self._quiet = False
        for one in self._sessions.values():
            for item in one.waited():
                self._put(item)

    def _deliver(self) -> None:
        """Deliver what came, for a while; the rest after a look at the sockets."""
        until = self._clock() + DELIVERY_BUDGET_NS
        to_flush: dict[SessionId, Subscriber] = {}
        turns: list[frames.TurnFor] = []
        while self._down:
            self._take(self._down.popleft(), to_flush, turns)
            if self._clock() > until:
                break
        for subscriber in to_flush.values():
            subscriber.flush()
        if turns:
            # A loop may keep what it is given to write until its turn is over.
            self._loop.call_soon(self._delivered, turns)
        if to_flush and self._time.should_poll():
            self._heartbeat.look()
        self._delivering = bool(self._down)
        if self._delivering:
            self._loop.call_soon(self._deliver)

    def _delivered(self, turns: list[frames.TurnFor]) -> None:
        now = self._time.now()
        for turn in turns:
            self._put(frames.TurnDelivered(turn.session, turn.table, turn.seat, turn.n, now))

    def _take(
        self, item: DownItem, to_flush: dict[SessionId, Subscriber], turns: list[frames.TurnFor]
    ) -> None:
        match item:
            case frames.NewsFor():
                self._tell_news(item, to_flush)
            case frames.MessageFor(session, message):
                if isinstance(message, Notice) and message.code == NO_DISK:
                    self._troubled = True
                self._tell(session, message, to_flush)
            case frames.TableFor(session, line, policy, seat, to_act, left, view):
                # The view is of the game's own kind, as it was read.
                shown = Shown(line, policy, seat, to_act, left, view)  # type: ignore[arg-type]
                self._tell(session, shown, to_flush)
            case frames.IntentAnswered(session):
                if (asker := self._sessions.get(session)) is not None:
                    _, read, _ = asker.asked.popleft()
                    self._took.add(self._heard - read)
                    asker.subscriber.answered()
            case frames.TurnFor():
                turns.append(item)
            case frames.TableEvents(table, first, events):
                self._copies.follow(table, first, events)
            case frames.TableDropped(table):
                self._copies.drop(table)
            case _:
                self._take_state(item)

    def _take_state(self, item: frames.StateItem) -> None:
        """Take an item that is for the edge itself, and for no client."""
        match item:
            case frames.NumberGiven():
                self.directory.take(item)
            case frames.NumbersComplete():
                self._numbers_complete = True
                self._changed()
            case frames.SessionState(session, is_now):
                if (one := self._sessions.get(session)) is not None:
                    one.attachment = is_now
            case frames.SessionDismissed(session):
                if self._sessions.pop(session, None) is not None:
                    self._put(frames.SessionClosed(session))
                    self.dismiss(session, None)
            case frames.LeaderStopping():
                self._part()

    def _tell_news(self, item: frames.NewsFor, to_flush: dict[SessionId, Subscriber]) -> None:
        news = self._copies.news(item)
        if news is None:
            return
        for session in item.sessions:
            if (one := self._sessions.get(session)) is not None:
                one.know(item.table, item.n)
                one.subscriber.tell(news)
                to_flush[session] = one.subscriber

    def _tell(
        self, session: SessionId, message: AnyMessage, to_flush: dict[SessionId, Subscriber]
    ) -> None:
        if (one := self._sessions.get(session)) is not None:
            one.learn(message)
            one.subscriber.tell(message)
            to_flush[session] = one.subscriber
