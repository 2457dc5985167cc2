"""The edge's end of a link: to connections it is the hall, which is elsewhere.

    connections ── connect, ask ──▶ EdgeLink ── frames up ──▶ NATS ──▶ hall
                ◀── tell, answered ──        ◀── frames down ──

Time is measured here: when a turn was written and when the answer was read go up with the
move. While there is no hall nothing is asked, and what connections say meanwhile waits.

When a hall that is new to us announces itself, every connection is attached to it. We hang up on
a client whose wish the hall before did not answer: that is in doubt, and coming back tells the
truth. What was only a question is asked again; and so is everything, if the hall before had
stopped in good order.

The hall says what a dialect's numbers mean, and an edge has a copy of that. Before a hall has said
all of it, and while no hall is heard, the copy may be wrong: so connections whose dialect has
numbers are not heard then, and what they say counts from when it was read. A dialect whose clients
must always be answered sees to that itself, by asking the hall before it looks up a number.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from typing import Final

from msgspec.structs import replace

from rookery.core import intents
from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.manners import OWN
from rookery.core.messages import AnyMessage, Notice, Past, Shown, Welcome
from rookery.core.network import FRONT, SHOWN, TOLD_MAX, Attachment, Doorway
from rookery.dialects import LANGUAGES
from rookery.server.actor.broadcast import Subscriber
from rookery.server.actor.heartbeat import Heartbeat
from rookery.server.cluster import frames
from rookery.server.cluster.edge_copies import Copies, DirectoryCopy
from rookery.server.cluster.frames import (
    IN_DOUBT,
    DownItem,
    FrameStream,
    Intents,
    Lead,
    SessionOpened,
    UpItem,
    read_lead,
)
from rookery.server.cluster.http_forward import HttpForwarder
from rookery.server.cluster.nats import Broker, report
from rookery.server.cluster.outages import DEAF
from rookery.server.config import BotTerms, Settings
from rookery.server.environment import THIS_MACHINE, Environment
from rookery.server.fairtime import FairTime
from rookery.server.metrics import Histogram
from rookery.server.net.fair import Throttle
from rookery.server.web.routes import BODY_MAX

log = logging.getLogger(__name__)

Question = tuple[AnyIntent, Micros, bool]  # what is asked, when it was read, whether much follows


class EdgeSession:
    """One connection, as its edge knows it. It mutates."""

    __slots__ = ("asked", "came", "is_now", "spoke", "subscriber", "told", "waiting")

    def __init__(self, came: SessionOpened, subscriber: Subscriber) -> None:
        self.came = came
        self.subscriber = subscriber
        self.is_now = Attachment()  # what the connection is in the hall
        self.told: dict[TableId, int] = {}  # the last event it was told of, by table
        self.asked: deque[Question] = deque()  # sent to the hall, and not answered
        self.waiting: list[Question] = []  # to be asked when there is a hall
        self.spoke: Micros = 0  # when the hall last heard that it is there

    def know(self, table: TableId, n: int) -> None:
        """Note that the connection has been told of this event, forgetting old tables."""
        if table not in self.told and len(self.told) >= TOLD_MAX:
            del self.told[next(iter(self.told))]
        self.told[table] = n

    @property
    def in_doubt(self) -> bool:
        """Whether the connection asked for a change that may have been done or not."""
        return not all(isinstance(intent, intents.Question) for intent, _, _ in self.asked)

    def ask_again(self) -> None:
        """Let what was asked and not answered wait for the next hall."""
        self.waiting[:0] = self.asked
        self.asked.clear()

    def waited(self) -> list[Intents]:
        """Return what waited for a hall, which counts as asked now."""
        self.asked += self.waiting
        waited, self.waiting = self.waiting, []
        return [Intents(self.came.session, at, (one,), much) for one, at, much in waited]


class Certainty:
    """Whether the edge's copy is what its hall says; only then are dialects with numbers heard.

    It mutates, and the link owns it.
    """

    def __init__(self, callers: Mapping[SessionId, EdgeSession], directory: DirectoryCopy) -> None:
        # Holds a session back (True), or lets it go on (False).
        self.hold: Callable[[SessionId, bool], None] = lambda _, __: None
        self._callers = callers
        self._directory = directory
        self._whole = False  # the hall has said what all numbers mean
        self._hears = True  # the hall is heard, so changes would reach us

    def came(self, session: SessionId) -> None:
        """Hold a new connection back, if the copy is not sure."""
        if not self._directory.sure:
            self._hold(session, self._callers[session])

    def know(self) -> None:
        """Note that the hall has said what all numbers mean."""
        self._whole = True
        self._settle()

    def doubt(self) -> None:
        """Note that a hall will say all numbers again: another one, or the same anew."""
        self._whole = False
        self._settle()

    def hear(self, *, well: bool) -> None:
        """Note whether the hall is heard `well`."""
        self._hears = well
        self._settle()

    def _settle(self) -> None:
        sure = self._whole and self._hears
        if sure != self._directory.sure:
            self._directory.sure = sure
            for session, caller in list(self._callers.items()):
                self._hold(session, caller)

    def _hold(self, session: SessionId, caller: EdgeSession) -> None:
        manners = LANGUAGES[caller.came.dialect]
        if manners.numbers and not manners.prompt:
            self.hold(session, not self._directory.sure)


SPOKE_EVERY_US: Final[Micros] = MICROS_A_SECOND  # how often the hall hears of a client
DELIVERY_BUDGET_NS: Final = 1_000_000  # of delivering before the sockets are looked at
HALL_QUIET_US: Final[Micros] = 400_000  # a hall that is silent for so long is asked nothing
HALL_AWAY_US: Final[Micros] = 1_500_000  # and after so long it is away
AWAY: Final = Notice("no_hall", "The server is coming back; please wait. No clock runs.")
BACK: Final = Notice("resumed", "The server is back; play on.")
NO_DISK: Final = "no_disk"  # of a notice: the hall cannot write its log


class EdgeLink:
    """A hall on another machine; `send` gives the broker a frame for the hall of an epoch."""

    def __init__(
        self,
        time: FairTime,
        send: Callable[[int, bytes], None],
        *,
        clock: Callable[[], int] = perf_counter_ns,
    ) -> None:
        self._time = time
        self._send = send
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._heartbeat = Heartbeat(time)
        self.throttle = Throttle(clock)  # nobody plays here, as far as we know
        self.after_poll = self._heartbeat.after_poll
        self.directory = DirectoryCopy()
        # Hangs up on a session; and says what its port's terms for the house's bots are.
        self.dismiss: Callable[[SessionId, Notice | None], None] = lambda _, __: None
        self.terms_of: Callable[[SessionId], BotTerms | None] = lambda _: None
        self._callers: dict[SessionId, EdgeSession] = {}
        self.certainty = Certainty(self._callers, self.directory)
        self.epoch = 0  # of the last hall we knew
        self._stream: FrameStream | None = None  # None while there is no hall
        self._streams = 0
        self._seen: Micros = 0  # the latest time of the hall's that came in this stream
        self._answered_us = False  # the hall has said something in this stream
        self.took = Histogram()  # from a question to its answer
        self.attached = 0  # how often a hall has answered us: we are attached then
        self._copies = Copies()
        self._up: list[UpItem] = []  # for the next frame
        self._down: deque[DownItem] = deque()  # taken, and not told yet
        self._serving = False
        self._heard = time.now()  # when the hall last said anything, or might have
        self.quiet = False  # that is a while ago
        self._away = False  # that is a long while ago
        self._troubled = False  # the hall has said that it cannot write its log

    # -- what connections call

    def connect(
        self,
        session: SessionId,
        host: str,
        subscriber: Subscriber,
        dialect: str = OWN,
        door: Doorway = FRONT,
    ) -> None:
        """Tell the hall of a new connection, which speaks this dialect and came by this door."""
        came = frames.SessionOpened(session, host, dialect, door, self.terms_of(session), None)
        self._callers[session] = EdgeSession(came, subscriber)
        self.certainty.came(session)
        if self._stream is not None:
            self._put(came)
        if self._away:
            subscriber.tell(AWAY)

    def heard(self, session: SessionId, now: Micros) -> None:
        """Note that the session said something; the hall hears of that once a second."""
        caller = self._callers.get(session)
        if caller is not None and now - caller.spoke >= SPOKE_EVERY_US:
            caller.spoke = now
            if self._stream is not None:
                self._put(frames.SessionSpoke(session))

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Ask the hall these things, read at `now`; they wait while there is no hall."""
        caller = self._callers.get(session)
        if caller is None:
            return
        asked = [(intent, now, much) for intent in intents]
        if self._stream is None or self.quiet:
            caller.waiting += asked
        else:
            caller.asked += asked
            caller.spoke = now
            self._put(frames.Intents(session, now, tuple(intents), much))

    def hang_up(self, session: SessionId, now: Micros) -> None:  # noqa: ARG002 # as a link does
        """Tell the hall that a connection is gone; what it asked is still dealt with."""
        if self._callers.pop(session, None) is not None and self._stream is not None:
            self._put(frames.SessionClosed(session))

    def listen(
        self, pending_since: Callable[[SessionId], Micros | None], rests: Callable[[], None]
    ) -> None:
        """Do nothing: nothing is decided here, so nobody waits for us."""

    def is_busy(self) -> bool:
        """Never: nothing is decided or written here."""
        return False

    @property
    def away(self) -> bool:
        """Whether there is no hall now."""
        return self._away or self._stream is None

    # -- sending

    def _put(self, item: UpItem) -> None:
        if not self._up:
            self._loop.call_soon(self._flush)
        self._up.append(item)

    def _flush(self) -> None:
        items, self._up = self._up, []
        if items and self._stream is not None:
            self._send(self.epoch, self._stream.send(items))

    def beat(self) -> None:
        """Tell the hall that we are there; notice how long it has been silent."""
        silent = self._time.now() - self._heard
        self.quiet = self._away or silent > HALL_QUIET_US
        if (stream := self._stream) is not None:
            self._send(self.epoch, stream.heartbeat())
        self.certainty.hear(well=not self.quiet)
        if not self._away and silent > HALL_AWAY_US:
            self._set_away(away=True)

    def close(self) -> None:
        """Tell the hall that all connections are gone, and stop."""
        for session in list(self._callers):
            self.hang_up(session, 0)
        self._flush()
        self._heartbeat.stop()

    def _calm(self) -> None:
        """Tell everyone to play on, if the hall before this one could not write its log."""
        if self._troubled and not self._away:
            for caller in list(self._callers.values()):
                caller.subscriber.tell(BACK)
                caller.subscriber.flush()
        self._troubled = False

    def _set_away(self, *, away: bool) -> None:
        self._away = away
        log.warning("the hall is away" if away else "the hall is there")
        self._time.stand() if away else self._time.go_on()
        for caller in list(self._callers.values()):
            caller.subscriber.tell(AWAY if away else BACK)
            caller.subscriber.flush()

    # -- which hall there is

    def led(self, lead: Lead) -> None:
        """Attach to a hall that says it leads, if it came after ours.

        Or to any other, if ours is away: clocks on walls may be set back.
        """
        if lead.version != frames.VERSION:
            log.error("the hall is of another version of Rookery; it is left alone")
        elif lead.epoch > self.epoch or (self._away and lead.epoch != self.epoch):
            self.epoch = lead.epoch
            self._attach()

    def _attach(self) -> None:
        """Begin a new stream: tell the hall of all connections, and what they were before."""
        self._down.clear()
        self._up.clear()
        self._streams += 1
        self._answered_us = False
        self.certainty.doubt()
        self._seen = 0
        self._stream = FrameStream(self._time.wall() + self._streams, self._stamps)
        self._copies = Copies()
        items: list[UpItem] = []
        for session, caller in list(self._callers.items()):
            if caller.in_doubt:
                del self._callers[session]
                self.dismiss(session, IN_DOUBT)
                continue
            caller.ask_again()
            before = replace(caller.is_now, told=caller.told)
            caller.told = dict(caller.told)
            items.append(replace(caller.came, before=before))
        for caller in self._callers.values():
            items += caller.waited()
        self._heard, self.quiet = self._time.now(), False
        log.info("attaching %d connections to the hall of epoch %d", len(self._callers), self.epoch)
        self._send(self.epoch, self._stream.send(items))

    def _stamps(self) -> tuple[Micros, ...]:
        """What the hall needs to know whether it hears us: see `outages`."""
        return self._time.now(), DEAF if self.quiet else self._seen

    def _parted(self) -> None:
        """Let what was not answered wait for the next hall: ours went in good order."""
        self._stream = None
        self.certainty.doubt()
        for caller in self._callers.values():
            caller.ask_again()

    # -- hearing the hall

    def receive(self, said: bytes) -> None:
        """Take a frame that came down from the hall."""
        frame, stream = frames.read_down(said), self._stream
        if stream is None or frame.stream != stream.stream:
            return
        self._heard = self._time.now()
        self._seen = max(self._seen, frame.at)
        if self.quiet:
            self._go_on()
        if frame.kind == frames.RESET and stream.none_acked:
            self._reply(frame.kind, stream)
            return
        if frame.kind == frames.RESET:
            log.warning("the hall gave this edge up; attaching anew")
            self._attach()
            return
        if not self._answered_us:
            self._answered_us = True
            self.attached += 1
            self._calm()
        taken = stream.accept(frame)
        self._reply(frame.kind, stream)
        if taken is None:
            self._send(self.epoch, stream.heartbeat(missing=True))
        elif taken:
            if stream.first_accepted:
                self.directory.clear()
            self._down.extend(frame.items)
            if not self._serving:
                self._serve()
        if self._away and self._stream is not None:
            self._set_away(away=False)

    def _reply(self, kind: int, stream: FrameStream) -> None:
        """Send the hall the frames that it misses, or a sign of life, if it asks for that."""
        if kind == frames.PING:
            self._send(self.epoch, stream.ping())
        elif kind in (frames.NACK, frames.RESET):
            for kept in stream.unacked():
                self._send(self.epoch, kept)

    def _go_on(self) -> None:
        """Ask the hall what waited, because it is heard again."""
        self.quiet = False
        self.certainty.hear(well=True)
        for caller in self._callers.values():
            for item in caller.waited():
                self._put(item)

    def _serve(self) -> None:
        """Tell connections what came, for a while; the rest after a look at the sockets."""
        until = self._clock() + DELIVERY_BUDGET_NS
        told: dict[SessionId, Subscriber] = {}
        turns: list[frames.TurnFor] = []
        down = self._down
        while down:
            self._take(down.popleft(), told, turns)
            if self._clock() > until:
                break
        for subscriber in told.values():
            subscriber.flush()
        if turns:
            # A loop may keep what it is given to write until its turn is over.
            self._loop.call_soon(self._handed, turns)
        if told and self._time.should_look():
            self._heartbeat.look()
        self._serving = bool(self._down)
        if self._serving:
            self._loop.call_soon(self._serve)

    def _handed(self, turns: list[frames.TurnFor]) -> None:
        now = self._time.now()
        if self._stream is not None:
            for turn in turns:
                self._put(frames.TurnDelivered(turn.session, turn.table, turn.seat, turn.n, now))

    def _take(
        self, item: DownItem, told: dict[SessionId, Subscriber], turns: list[frames.TurnFor]
    ) -> None:
        match item:
            case frames.NewsFor():
                self._happens(item, told)
            case frames.MessageFor(session, message):
                self._learn(session, message)
                self._tell(session, message, told)
            case frames.IntentAnswered(session):
                self._answered(session)
            case frames.TurnFor():
                turns.append(item)
            case frames.TableEvents(table, first, events):
                self._copies.follow(table, first, events)
            case frames.TableFor(session):
                # The view is of the game's own kind, as it was read.
                self._know(session, item.line.table, item.line.n)
                shown = Shown(item.line, item.policy, item.seat, item.to_act, item.left, item.view)  # type: ignore[arg-type]
                self._tell(session, shown, told)
            case _:
                self._mind(item)

    def _mind(self, item: frames.Unsaid) -> None:
        """Take an item that is for the edge itself, and told to no client in words."""
        match item:
            case frames.NumberGiven():
                self.directory.take(item)
            case frames.NumbersComplete():
                self.certainty.know()
            case frames.SessionState(session, is_now):
                if (caller := self._callers.get(session)) is not None:
                    caller.is_now = is_now
            case frames.SessionDismissed(session):
                if self._callers.pop(session, None) is not None:
                    self._put(frames.SessionClosed(session))
                    self.dismiss(session, None)
            case frames.TableDropped(table):
                self._copies.forget(table)
            case frames.LeaderStopping():
                self._parted()

    def _happens(self, happens: frames.NewsFor, told: dict[SessionId, Subscriber]) -> None:
        news = self._copies.news(happens)
        if news is None:
            return
        table, n, callers = happens.table, happens.n, self._callers
        for session in happens.sessions:
            caller = callers.get(session)
            if caller is not None:
                caller.know(table, n)
                caller.subscriber.tell(news)
                told[session] = caller.subscriber

    def _learn(self, session: SessionId, message: AnyMessage) -> None:
        """Note what a connection knows of tables once it is told this."""
        if isinstance(message, Past) and message.events:
            self._know(session, message.table, message.events[-1].n)
        elif isinstance(message, Notice):
            self._troubled = self._troubled or message.code == NO_DISK
        elif isinstance(message, Welcome):
            for table in message.tables:
                self._know(session, table, SHOWN)

    def _know(self, session: SessionId, table: TableId, n: int) -> None:
        caller = self._callers.get(session)
        if caller is not None and n > caller.told.get(table, SHOWN - 1):
            caller.know(table, n)

    def _tell(
        self, session: SessionId, message: AnyMessage, told: dict[SessionId, Subscriber]
    ) -> None:
        caller = self._callers.get(session)
        if caller is not None:
            caller.subscriber.tell(message)
            told[session] = caller.subscriber

    def _answered(self, session: SessionId) -> None:
        caller = self._callers.get(session)
        if caller is not None:
            _, read, _ = caller.asked.popleft()
            self.took.add(self._heard - read)
            caller.subscriber.answered()


BEAT_EVERY_S: Final = 0.1  # seconds between telling the hall that we are there


class HallConnection:
    """The near end of everything between this process and its hall."""

    def __init__(
        self, settings: Settings, time: FairTime, machine: Environment = THIS_MACHINE
    ) -> None:
        self._hall = settings.hall
        self._name = f"{machine.seed():x}"  # of this process, to the hall
        self._broker = Broker(settings.nats, settings.hall, machine.carrying)
        self.link = EdgeLink(time, self._up, clock=machine.elapsed)
        self.directory = self.link.directory
        self.asking = HttpForwarder(self._ask, most=BODY_MAX)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to look for the hall, and to beat."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(work) for work in (self._find(), self._beat())]
        for task in self._tasks:
            task.add_done_callback(report)

    async def close(self) -> None:
        """Tell the hall that all connections are gone, and go."""
        for task in self._tasks:
            task.cancel()
        self.link.close()
        await self._broker.say_all()
        await self._broker.close()

    def samples(self) -> dict[str, float]:
        """How the link to the hall is, for Prometheus."""
        mark = f'{{hall="{self._hall}"}}'
        return {
            f"rookery_edge_has_hall{mark}": 0 if self.link.away else 1,
            f"rookery_edge_attached_total{mark}": self.link.attached,
        } | self.link.took.samples("rookery_answer_seconds", f'hall="{self._hall}"')

    async def _find(self) -> None:
        """Connect to the broker, however long that takes, and listen for a hall."""
        await self._broker.open()
        await self._broker.hear("lead", self._led)
        await self._broker.hear(f"down.{self._name}", self._receive)
        await self._broker.hear(f"web.down.{self._name}", lambda _, said: self.asking.receive(said))
        self._broker.send("hello", b"")

    async def _beat(self) -> None:
        """Tell the hall every so often that we are there, and notice if it is silent."""
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            self.link.beat()
            self._mind()
            self.asking.beat()

    def _led(self, _: str, said: bytes) -> None:
        self.link.led(read_lead(said))
        self._mind()

    def _receive(self, _: str, said: bytes) -> None:
        self.link.receive(said)
        self._mind()

    def _mind(self) -> None:
        """Let HTTP ask the hall that the link knows, and no other."""
        link = self.link
        self.asking.mind(None if link.away else link.epoch, quiet=link.quiet)

    def _up(self, epoch: int, said: bytes) -> None:
        self._broker.send(f"up.{epoch}.{self._name}", said)

    def _ask(self, epoch: int, said: bytes) -> None:
        self._broker.send(f"web.up.{epoch}.{self._name}", said)
