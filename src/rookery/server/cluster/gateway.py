"""A hall's side of its edges: every edge, its connections, and what comes up from them.

    NATS ── frames up ──▶ EdgeGateway ── connect, ask ──▶ runner ──▶ hall
         ◀── frames down ── EdgePeer ◀── RemoteSession.tell ──

To the runner each connection at an edge is a subscriber like any other (`RemoteSession`); its
messages are put into frames for its edge (`EdgePeer`). An edge gets every event of a table once,
before any news of it; so for a thousand spectators we send one event and a list of sessions.

Time is measured at the edge: a turn counts from when the edge has written it, and a move from then
on by the edge's own clock; nobody is charged for the way of either. No flag falls for a player
whose edge has been silent for a moment (`outages`). When that lasts, the edge's connections are
lost, and as after a restart no clock runs for those players until they are back, or could have
been: an edge that died cannot be told from one that is cut off.

An edge that dies cannot say so, and its clients call another edge at once. Most of them are
recognised by their host and by their seats being empty, which the hall would notice only after a
while. So a client from a host with connections at another edge is held until that edge has
answered a ping, some milliseconds later; and an edge that does not answer for a second is lost,
with all its connections, as if it had been silent for long.

The hall announces itself when it has restored the log, and regularly for edges that start later.
When it stops in good order it says so last, after everything is answered.
"""

import asyncio
import logging
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from starlette.types import ASGIApp

from rookery.core.events import HALL_STREAM, Freed, Numbered, PlayerNamed, Record, table_events
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, SessionId, TableId, Wall
from rookery.core.intents import AnyIntent, TurnTold
from rookery.core.messages import AnyMessage, News, Shown
from rookery.core.network import Attachment, home_of
from rookery.hall.batch import Batch, Dismissal, Stood, TurnGiven
from rookery.hall.hall import Hall
from rookery.hall.people.numbers import PLAYER
from rookery.server.actor.runner import HallRunner
from rookery.server.cluster import frames
from rookery.server.cluster.frames import (
    BEAT_EVERY_S,
    IN_DOUBT,
    DownItem,
    FrameStream,
    Leader,
    UpItem,
    encode,
)
from rookery.server.cluster.http_forward import HttpResponder
from rookery.server.cluster.nats import Broker, NatsClient, report
from rookery.server.cluster.outages import DeliveredTurn, EdgeOutages, Outage
from rookery.server.config import BotTerms, Settings
from rookery.server.fairtime import FairTime
from rookery.server.net.fair import FairQueue, RequestTurns
from rookery.server.net.listener import Listener
from rookery.server.web.app import make_app
from rookery.server.web.guard import guard_of
from rookery.server.web.routes import AppState
from rookery.store import Store

log = logging.getLogger(__name__)

EDGE_LOST_US: Final[Micros] = 3_000_000  # an edge that is silent for so long is gone
PING_TIMEOUT_US: Final[Micros] = MICROS_A_SECOND  # so is one that does not answer a ping,
PING_SILENCE_US: Final[Micros] = PING_TIMEOUT_US // 2  # if it has not beaten meanwhile either
EDGE_TABLES_MAX: Final = 50_000  # of which an edge has a copy; the least recent is dropped
FORGET_STEP: Final = 20  # of those looked at, at every beat
SESSIONS_AN_ITEM_MAX: Final = 100  # that one item is for: an edge sends to all of them in one go
FIRST_SESSION: Final = 1 << 41  # of an edge; no connection of our own has so high a number
ANNOUNCE_EVERY_BEATS: Final = 5  # for edges that do not know us yet

HostKey = tuple[str, str]  # a host, and the language that is spoken from there


class RemoteSession:
    """A connection at an edge, as the runner knows it."""

    writes: ClassVar[bool] = False  # only whole frames are written, for all of an edge

    __slots__ = (
        *("attachment", "held", "host", "in_doubt", "number"),
        *("peer", "session", "turns", "waits"),
    )

    def __init__(self, peer: "EdgePeer", number: SessionId, session: SessionId) -> None:
        self.peer = peer
        self.number = number  # what its edge calls it
        self.session = session  # what the hall calls it
        self.attachment = Attachment()  # what it is in the hall, as its edge knows it
        self.host: HostKey | None = None  # where that is all that its client is known by
        self.in_doubt = False  # it cannot be what it was, and so we hang up on it
        self.waits = 0  # for so many other edges to answer a ping
        self.held: list[frames.Intents] = []  # what it has asked meanwhile
        self.turns: dict[TableId, DeliveredTurn] = {}  # the last one of each table

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the next frame for the edge."""
        if type(message) is News:
            self.peer.put_news(self, message)
        elif isinstance(message, Shown):
            seat, to_act, left = message.seat, message.to_act, message.left
            shown = (message.line, message.policy, seat, to_act, left, message.view)
            self.peer.put(frames.TableFor(self.number, *shown))
        elif not isinstance(message, News):
            self.peer.put(frames.MessageFor(self.number, message))

    def flush(self) -> None:
        """Do nothing: frames are sent when the loop has done what it is at."""

    def close(self) -> None:
        """Have the edge hang up on the connection."""
        self.peer.put(frames.SessionDismissed(self.number))

    def answered(self) -> None:
        """Tell the edge that one thing the connection asked has been dealt with."""
        self.peer.put(frames.IntentAnswered(self.number))

    def read_at(self, intent: AnyIntent, at: Micros, now: Micros, out: Micros) -> Micros:
        """Return the hall's time for what the edge read at `at`, by its own clock."""
        outages = self.peer.outages
        turn = self.turns.get(getattr(intent, "table", None) or TableId(0))
        if turn is None:
            return outages.heard_until(now)
        return turn.answered_at(outages.counted(at), out)

    def leave_out(self, outage: Outage) -> None:
        """Let no turn count that time in which the edge was not heard."""
        self.turns = {table: turn.without(outage) for table, turn in self.turns.items()}


class HeldArrival(Struct, frozen=True):
    """A client that is held until an edge has answered a ping."""

    remote: RemoteSession
    since: Micros
    ping: int  # the number of that ping


class EdgePeer:
    """One edge: its stream of frames, its connections, and the tables of which it has a copy."""

    def __init__(
        self,
        name: str,
        stream: FrameStream,
        hall: Hall,
        outages: EdgeOutages,
        *,
        soon: Callable[[], object],
    ) -> None:
        """`soon` arranges for the next frame to be sent."""
        self.name = name
        self.stream = stream
        self.outages = outages
        self.last_heard: Micros = 0  # when it last said anything
        self.remotes: dict[SessionId, RemoteSession] = {}  # by what the edge calls them
        self.hosts: Counter[HostKey] = Counter()  # of connections that are known by their host
        self.arrivals: deque[HeldArrival] = deque()  # who waits for this edge to answer a ping
        self.pings = self.pongs = 0
        self._hall = hall
        self._soon = soon
        self._items: list[DownItem] = []
        self._known: OrderedDict[TableId, int] = OrderedDict()  # how many events of a table it has
        self._last: tuple[News, frames.NewsFor] | None = None

    def put(self, item: DownItem) -> None:
        """Put this item into the next frame."""
        if not self._items:
            self._soon()
        self._items.append(item)
        self._last = None

    def next_frame(self) -> bytes | None:
        """Return the next frame; None if there is nothing to send."""
        if not self._items:
            return None
        items, self._items = self._items, []
        self._last = None
        return self.stream.send(items)

    def put_news(self, remote: RemoteSession, news: News) -> None:
        """Put news of an event for this connection into the next frame, once for many."""
        last = self._last
        if last is not None and last[0] is news and len(last[1].sessions) < SESSIONS_AN_ITEM_MAX:
            last[1].sessions.append(remote.number)
            return
        happened, mine = news.happened, self._hall.presence.players_of(remote.session)
        players = enumerate(news.scene.players) if mine else ()
        seats = tuple(Seat(at) for at, player in players if player in mine)
        table, n = happened.table, happened.n
        self._put_events(table, n)
        item = frames.NewsFor(table, n, happened.at, seats, happened.left, [remote.number])
        self.put(item)
        self._last = (news, item)

    def _put_events(self, table: TableId, n: int) -> None:
        """Send the edge all events of this table up to `n` that it has not."""
        known = self._known.get(table, 0)
        if known < n:
            past = self._hall.attaching.past(table)[known:n]
            self.put(frames.TableEvents(table, known + 1, tuple(table_events(past))))
            self._known[table] = n
        self._known.move_to_end(table)
        if len(self._known) > EDGE_TABLES_MAX:
            self.put(frames.TableDropped(self._known.popitem(last=False)[0]))

    def drop_some(self) -> None:
        """Let the edge drop tables that the hall no longer has at hand.

        Each call looks at a few tables, the least recent first; one that is still at hand is
        looked at again when all others have been.
        """
        for _ in range(min(FORGET_STEP, len(self._known))):
            table = next(iter(self._known))
            if self._hall.attaching.is_at_hand(table):
                self._known.move_to_end(table)
            else:
                del self._known[table]
                self.put(frames.TableDropped(table))


class EdgeGateway:
    """All edges of one hall, over one broker."""

    def __init__(
        self,
        runner: HallRunner,
        hall: Hall,
        time: FairTime,
        broker: Broker,
        *,
        epoch: int,
        deaf: float,
        terms: dict[SessionId, BotTerms],
    ) -> None:
        """Become the runner's way to edges.

        After `deaf` seconds without a sign of the broker we cannot be heard either. What the port
        of an edge says of house bots is kept in `terms`, beside that of our own ports.
        """
        self.leader = Leader(epoch)  # what we announce to edges
        self._runner = runner
        self._hall = hall
        self._time = time
        self._broker = broker
        self._terms = terms
        self._loop = asyncio.get_running_loop()
        self._peers: dict[str, EdgePeer] = {}
        self._remotes: dict[SessionId, RemoteSession] = {}
        self._sessions = count(FIRST_SESSION)
        self._reachable_since: Micros = 0  # since when edges can reach us
        self._deaf_beats = round(deaf / BEAT_EVERY_S)
        self._unheard_beats = 0  # since we last heard our own announcement
        self._http: HttpResponder | None = None  # answers HTTP of edges, once there is a broker
        self._tasks: list[asyncio.Task[None]] = []
        self._found = False  # we hear what edges say
        runner.on_delivered = self._deliver_turns
        hall.presence.reachable_until = self._reachable_until
        hall.presence.cut_off = self.pending_since
        hall.attaching.watch_all()
        runner.tell_of_standing(self._tell_of_standing)
        runner.tell_of_records(self._tell_of_numbers)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self._peers)

    def samples(self) -> dict[str, float]:
        """Whether this hall leads, its epoch and its edges, for Prometheus."""
        return {"rookery_leads": 1, "rookery_epoch": self.leader.epoch, "rookery_edges": len(self)}

    # -- the broker

    def open(self, app: ASGIApp, listener: Listener) -> None:
        """Call the broker until it is there, and announce the hall to edges."""

        def pending_since(session: SessionId) -> Micros | None:
            waits = self.pending_since(session)
            return listener.pending_since(session) if waits is None else waits

        self._runner.listen(pending_since)
        self._tasks = [
            self._loop.create_task(work) for work in (self._find(app, listener.queue), self._beat())
        ]
        for task in self._tasks:
            task.add_done_callback(report)

    async def _find(self, app: ASGIApp, queue: FairQueue) -> None:
        async def in_turn(host: str, work: Any) -> None:  # Any: as ASGI has it
            turns = RequestTurns(queue, home_of(host))
            try:
                await turns.run(work)
            finally:
                turns.leave()

        def answer(edge: str, data: bytes) -> None:
            broker.send(f"web.down.{edge}", data)

        broker, epoch = self._broker, self.leader.epoch
        await broker.open(self._reconnected)
        self._http = HttpResponder(app, answer, in_turn)
        await asyncio.gather(  # all wait for the broker at the same time
            broker.subscribe(f"up.{epoch}.*", self.receive),
            broker.subscribe("lead", lambda _, __: self._heard_ourselves()),
            broker.subscribe("hello", lambda _, __: self._announce()),
            broker.subscribe(f"web.up.{epoch}.*", self._http.receive),
        )
        self._announce()
        self._found = True

    async def _beat(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            beats += 1
            self._unheard_beats += 1
            if self._found and self._broker.connected:
                self.beat()
                if not beats % ANNOUNCE_EVERY_BEATS:
                    self._announce()

    def _announce(self) -> None:
        self._broker.send("lead", encode(self.leader))

    def _reconnected(self) -> None:
        """Give all edges time again, because none of them could reach us for a while."""
        self._reachable_since = self._time.now()
        self._announce()

    def _heard_ourselves(self) -> None:
        self._unheard_beats = 0

    def is_deaf(self) -> bool:
        """Whether the broker has been silent for too long: then nobody can hear us either.

        The broker brings us our own announcements. It is counted by our own beats, so that a
        process which was stopped does not count what it slept through.
        """
        return self._unheard_beats >= self._deaf_beats

    async def stop(self) -> None:
        """Tell edges that all is answered and the hall stops; then another may lead."""
        for task in self._tasks:
            task.cancel()
        if self._http is not None:
            await self._http.finish()
        self.say_stopping()
        if not self.is_deaf():
            await self._broker.say_all()

    def say_stopping(self) -> None:
        """Tell edges that we stop in good order: what we did not answer was not done."""
        for peer in self._peers.values():
            peer.put(frames.LeaderStopping())
            self._flush(peer)

    async def close(self) -> None:
        """Hang up on the broker."""
        await self._broker.close()

    # -- what comes up from edges

    def receive(self, edge: str, data: bytes) -> None:
        """Take a frame that came up from an edge."""
        frame = frames.read_up(data)
        peer = self._peers.get(edge)
        if peer is None or peer.stream.stream != frame.stream:
            if frame.kind != frames.DATA or frame.n != 1:
                self._send(edge, frames.reset(frame.stream))
                return
            self._lose(edge)
            peer = self._begin(edge, frame.stream)
        peer.last_heard = self._time.now()
        accepted = peer.stream.accept(frame)
        if accepted is not None:
            self._hear(peer, frame)
        if frame.kind == frames.PING:
            self._pong(peer)
        for reply in peer.stream.replies(frame, accepted):
            self._send(edge, reply)
        for item in frame.items if accepted else ():
            self._take(peer, item)

    def _hear(self, peer: EdgePeer, frame: frames.UpFrame) -> None:
        """Note that we have all that an edge sent; leave out the outage that this ends, if any."""
        now, out = self._time.now(), self._time.left_out()
        over = peer.outages.take(frame.at, frame.seen, now, out)
        if over is None:
            return
        log.info(
            "edge %s is heard again after %.2f s; no clock ran for its %d connections",
            peer.name,
            (over.until - over.since) / MICROS_A_SECOND,
            len(peer.remotes),
        )
        for remote in peer.remotes.values():
            remote.leave_out(over)
        sessions = (remote.session for remote in peer.remotes.values())
        self._hall.leave_out(over.since, over.until, sessions)
        others = (one.outages for one in self._peers.values() if one is not peer)
        silence = max((one.heard_until(now) for one in others), default=0)
        self._hall.nobody_came(max(over.since, silence), now)

    def _reachable_until(self, now: Micros) -> Micros:
        """The moment up to which somebody who is away could have come back, by some edge."""
        return max((one.outages.heard_until(now) for one in self._peers.values()), default=now)

    def pending_since(self, session: SessionId) -> Micros | None:
        """When this session's edge was last heard, if that is a while ago."""
        remote = self._remotes.get(session)
        if remote is None or not remote.peer.outages.is_away(self._time.now()):
            return None
        return remote.peer.outages.heard

    def _begin(self, edge: str, stream: int) -> EdgePeer:
        peer = self._peers[edge] = EdgePeer(
            edge,
            FrameStream(stream, lambda: (self._time.now(),)),
            self._hall,
            EdgeOutages(self._time.now(), self._time.left_out()),
            soon=lambda: self._loop.call_soon(self._loop.call_soon, self._flush, peer),
        )
        log.info("edge %s is there", edge)
        for given in self._hall.attaching.numbers():
            peer.put(self._number(given))
        peer.put(frames.NumbersComplete())
        return peer

    def _take(self, peer: EdgePeer, item: UpItem) -> None:
        if isinstance(item, frames.SessionOpened):
            self._connect(peer, item)
            return
        remote = peer.remotes.get(item.session)
        if remote is None:
            return
        match item:
            case frames.Intents():
                if remote.waits:
                    remote.held.append(item)
                else:
                    self._ask(remote, item)
            case frames.TurnDelivered(_, table, seat, n, at):
                now, at = self._time.now(), peer.outages.counted(at)
                remote.turns[table] = DeliveredTurn(at, now, self._time.left_out())
                self._runner.start_clocks(Batch(turns=(TurnGiven(table, seat, n),)), now)
            case frames.SessionSpoke():
                self._hall.heard(remote.session, self._time.now())
            case frames.SessionClosed():
                del peer.remotes[item.session]
                # If we hung up, the client may come back as after any restart.
                self._hang_up(remote, ours=remote.in_doubt)

    def _ask(self, remote: RemoteSession, asked: frames.Intents) -> None:
        now, out, at = self._time.now(), self._time.left_out(), asked.at
        for intent in asked.intents:
            read = remote.read_at(intent, at, now, out)
            if isinstance(intent, TurnTold):
                counted = remote.peer.outages.counted(at)
                remote.turns[intent.table] = DeliveredTurn(counted, now, out)
                read = now
            self._runner.ask(remote.session, (intent,), read, much=asked.much)

    def _ask_held(self, remote: RemoteSession) -> None:
        """Let the runner have what a client asked while it was held."""
        held, remote.held = remote.held, []
        for asked in held:
            self._ask(remote, asked)

    def _connect(self, peer: EdgePeer, opened: frames.SessionOpened) -> None:
        session = SessionId(next(self._sessions))
        remote = RemoteSession(peer, opened.session, session)
        self._remotes[session] = peer.remotes[opened.session] = remote
        if opened.terms is not None:
            self._terms[session] = opened.terms
        self._runner.connect(session, opened.host, remote, opened.dialect, opened.door)
        if not self._hall.presence.manners(session).tokens:
            remote.host = (opened.host, opened.dialect)
            peer.hosts[remote.host] += 1
            if opened.before is None:
                self._hold(remote, remote.host)
        if opened.before is not None:
            self._runner.decide(partial(self._attach, remote, opened.before))

    def _attach(self, remote: RemoteSession, before: Attachment, now: Micros, at: Wall) -> Batch:
        # Sessions of these players in a stream that ended: that we lost them waits to be decided.
        were = map(self._hall.presence.session_of, before.players)
        lost = [one for one in were if one and one >= FIRST_SESSION and one not in self._remotes]
        batch = self._hall.attach(remote.session, before, now, at, lost)
        if self._hall.attaching.is_again(remote.session, before):
            return batch
        # We hang up once it is sure that we lead: a hall that woke up late knows nobody.
        log.info("a connection at edge %s cannot be what it was", remote.peer.name)
        remote.in_doubt = True
        self._hall.presence.show_out(remote.session)
        return replace(batch, dismissals=(*batch.dismissals, Dismissal(remote.session, IN_DOUBT)))

    def _hang_up(self, remote: RemoteSession, *, ours: bool) -> None:
        del self._remotes[remote.session]
        if remote.host is not None:
            remote.peer.hosts[remote.host] -= 1
            if not remote.peer.hosts[remote.host]:
                del remote.peer.hosts[remote.host]
        self._ask_held(remote)
        self._terms.pop(remote.session, None)
        self._runner.hang_up(remote.session, self._time.now(), ours=ours)

    # -- clients that may have been at another edge

    def _hold(self, remote: RemoteSession, host: HostKey) -> None:
        """Hold a client until other edges with connections of its host have answered a ping."""
        for peer in self._peers.values():
            if peer is not remote.peer and peer.hosts[host]:
                peer.pings += 1
                remote.waits += 1
                peer.arrivals.append(HeldArrival(remote, self._time.now(), peer.pings))
                self._send(peer.name, peer.stream.ping())

    def _pong(self, peer: EdgePeer) -> None:
        """Let the clients in that waited for this answer."""
        peer.pongs += 1
        while peer.arrivals and peer.arrivals[0].ping <= peer.pongs:
            self._let_in(peer)

    def _let_in(self, peer: EdgePeer) -> None:
        remote = peer.arrivals.popleft().remote
        remote.waits -= 1
        if not remote.waits:
            self._ask_held(remote)

    # -- what goes down to edges

    def _send(self, edge: str, data: bytes) -> None:
        self._broker.send(f"down.{edge}", data)

    def _flush(self, peer: EdgePeer) -> None:
        if self._peers.get(peer.name) is peer and (data := peer.next_frame()) is not None:
            self._send(peer.name, data)

    def _deliver_turns(self, batch: Batch, now: Micros) -> None:
        """Give edges the turns that are theirs, and start the clocks of the others."""
        if batch.turns and self._remotes:
            here = tuple(turn for turn in batch.turns if not self._send_turn(turn))
            batch = Batch(batch.records, (), here)
        self._hall.handed(batch, now)

    def _send_turn(self, turn: TurnGiven) -> bool:
        """Send a turn to the edge of its player; return False if the player is at none."""
        session = self._hall.attaching.session_at(turn.table, turn.seat)
        remote = None if session is None else self._remotes.get(session)
        if remote is None:
            return False
        remote.peer.put(frames.TurnFor(remote.number, turn.table, turn.seat, turn.n))
        return True

    def _tell_of_standing(self, standing: Sequence[Stood]) -> None:
        """Send edges what their connections have become: the next hall learns it from them."""
        for stood in standing:
            remote = self._remotes.get(stood.session)
            if remote is not None and stood.is_now != remote.attachment:
                remote.attachment = stood.is_now
                remote.peer.put(frames.SessionState(remote.number, stood.is_now))

    def _tell_of_numbers(self, records: Sequence[Record]) -> None:
        """Send every edge new numbers and names, before any message that needs them."""
        for record in records:
            if record.stream != HALL_STREAM or not self._peers:
                continue
            match record.event:
                case Numbered():
                    item = self._number(record.event)
                case Freed(dialect, kind, number):
                    item = frames.NumberGiven(dialect, kind, number, 0)
                case PlayerNamed(player, name):
                    item = frames.NumberGiven("", PLAYER, 0, player, name)
                case _:
                    continue
            for peer in self._peers.values():
                peer.put(item)

    def _number(self, given: Numbered) -> frames.NumberGiven:
        name = self._hall.directory.name_of(PlayerId(given.thing)) if given.kind == PLAYER else ""
        return frames.NumberGiven(given.dialect, given.kind, given.number, given.thing, name or "")

    # -- which edges there are

    def beat(self) -> None:
        """Send edges a heartbeat, and give up those that have been silent for long."""
        for edge, peer in list(self._peers.items()):
            if self._is_dead(peer, self._time.now()) or peer.stream.is_full:
                self._lose(edge)
            else:
                peer.drop_some()
                self._send(edge, peer.stream.heartbeat())

    def _is_dead(self, peer: EdgePeer, now: Micros) -> bool:
        """Whether an edge has been silent for too long, or owed an answer and gave none.

        If it lives, the clients that have waited long enough for its answer are let in.
        """
        silent = now - max(peer.last_heard, self._reachable_since)
        while peer.arrivals and now - peer.arrivals[0].since > PING_TIMEOUT_US:
            if silent > PING_SILENCE_US:
                return True
            self._let_in(peer)  # only the ping was lost, or the answer
        return silent > EDGE_LOST_US

    def _lose(self, edge: str) -> None:
        """Give the edge up, with all its connections; it may be dead, or only cut off."""
        peer = self._peers.pop(edge, None)
        if peer is not None:
            log.warning("edge %s is gone, with %d connections", edge, len(peer.remotes))
            for remote in peer.remotes.values():
                self._hang_up(remote, ours=True)
            while peer.arrivals:
                self._let_in(peer)


def open_gateway(  # noqa: PLR0917 # all that a hall has
    settings: Settings,
    store: Store,
    runner: HallRunner,
    listener: Listener,
    web: AppState,
    knows: Callable[[str], bool],
    client: Callable[[], NatsClient],
) -> EdgeGateway | None:
    """Open the gateway of this hall; None without a broker. Raises Mistake.

    `knows` recognises the organiser's token.
    """
    if not settings.nats:
        return None
    gateway = EdgeGateway(
        runner,
        web.hall,
        listener.time,
        Broker(settings.nats, settings.hall, client),
        # A hall that comes later has a higher epoch.
        epoch=store.epoch if store.leased else listener.time.wall(),
        deaf=settings.deaf,
        terms=listener.terms,
    )
    # Each edge checks which names a page is called by.
    guard = guard_of(web.hall, listener.time, knows)
    gateway.open(make_app(replace(web, guard=guard)), listener)
    return gateway
