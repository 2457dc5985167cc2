"""A hall's side of its edges: every edge, its connections, and what comes up from them.

    NATS ── frames up ──▶ EdgeGateway ── connect, ask ──▶ runner
         ◀── frames down ── EdgePeer ◀── RemoteSession.tell ──

To the runner each connection at an edge is a subscriber like any other (`RemoteSession`); what it
is told is put into frames for its edge (`EdgePeer`). An edge gets every event of a table once,
before it tells anyone of it; so for a thousand onlookers we send one event and a list of who they
are.

Time is measured at the edge: a turn counts from when its edge had written it, and a move from then
on by the edge's own clock; nobody is charged for how long either was on its way. No flag falls at
an edge of which nothing has been heard for a moment (`outages`). When that lasts, its connections
are gone, and as after a restart no clock runs for them until they are back, or could have been:
nothing tells an edge that died from one that is cut off.

An edge that dies tells nobody so, and its clients call another edge at once. Most of them are known
by where they come from and by their seats being empty, which the hall would see only after a while.
So a client that comes from a host with connections at another edge is heard once that edge has
answered a ping, some milliseconds later; and an edge that does not answer for a second is gone,
with all its connections, as if it had been silent for long (`HeldArrivals`).

The hall announces itself when it has taken up the log, and every so often for edges that come
later. When the hall goes in good order it says so last, after everything is answered.
"""

import asyncio
import logging
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from starlette.types import ASGIApp

from rookery.core.clock import left_out
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
from rookery.server.cluster.frames import IN_DOUBT, DownItem, FrameStream, Lead, UpItem, encode
from rookery.server.cluster.http_forward import HttpResponder
from rookery.server.cluster.nats import Broker, Carrying, report
from rookery.server.cluster.outages import EdgeOutages, Outage
from rookery.server.config import BotTerms, Settings
from rookery.server.fairtime import FairTime
from rookery.server.net.fair import Paced
from rookery.server.net.listener import Listener
from rookery.server.web.app import make_app
from rookery.server.web.guard import guard_of
from rookery.server.web.routes import AppState
from rookery.store import Leased, Store

log = logging.getLogger(__name__)

EDGE_TABLES_MAX: Final = 50_000  # of which an edge has a copy; the one told of longest ago goes
FORGET_STEP: Final = 20  # of those that we look at, at every beat
SESSIONS_AN_ITEM_MAX: Final = 100  # sessions that one item is for: an edge tells them in one go


Home = tuple[str, str]  # a host, and what is spoken from there


class RemoteSession:
    """A connection at an edge, as the runner knows it."""

    writes: ClassVar[bool] = False  # only whole frames are, for all of an edge

    __slots__ = (
        "attachment",
        "clocks",
        "doubtful",
        "held",
        "home",
        "number",
        "peer",
        "session",
        "waits",
    )

    def __init__(self, peer: "EdgePeer", number: SessionId, session: SessionId) -> None:
        self.peer = peer
        self.number = number  # what its edge calls it
        self.session = session  # what the hall calls it
        self.attachment = Attachment()  # what it is in the hall, as its edge knows it
        self.home: Home = ("", "")
        self.doubtful = False  # it cannot be what it was, and so we hang up on it
        self.waits = 0  # for signs of life of so many other edges
        self.held: list[frames.Intents] = []  # what it has asked meanwhile
        # By table: when its last turn was handed over, by the clock of the edge without outages
        # and by ours, and what had been left out of ours by then.
        self.clocks: dict[TableId, tuple[Micros, Micros, Micros]] = {}

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the next frame for the edge."""
        if type(message) is News:
            self.peer.happens(self, message)
        elif isinstance(message, Shown):
            shown = message
            self.peer.put(
                frames.TableFor(
                    self.number,
                    shown.line,
                    shown.policy,
                    shown.seat,
                    shown.to_act,
                    shown.left,
                    shown.view,
                )
            )
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

    def asks(self, intent: AnyIntent, at: Micros, now: Micros, out: Micros) -> Micros:
        """Return the hall's time for what the edge read at `at`, by its own clock.

        Time that our clock left out since the turn, as while nothing could be written, is free,
        and so are outages of the edge.
        """
        outages = self.peer.outages
        handed = self.clocks.get(getattr(intent, "table", None) or TableId(0))
        if handed is None:
            return outages.heard_until(now)
        return handed[1] + max(0, outages.counted(at) - handed[0] - (out - handed[2]))

    def leave_out(self, outage: Outage) -> None:
        """Let no turn count that time in which the edge was not heard."""
        self.clocks = {
            table: (
                at,
                left_out(here, outage.since, outage.until),
                left_out(out, outage.left_out, outage.left_out_after),
            )
            for table, (at, here, out) in self.clocks.items()
        }


class EdgePeer:
    """One edge; `soon` arranges for its next frame to be sent."""

    def __init__(
        self,
        edge: str,
        stream: FrameStream,
        hall: Hall,
        soon: Callable[[], object],
        outages: EdgeOutages,
    ) -> None:
        self.edge = edge
        self.stream = stream
        self.there: Micros = 0  # when it last said anything
        self.outages = outages
        self.remotes: dict[SessionId, RemoteSession] = {}  # by what the edge calls them
        self.homes: Counter[Home] = Counter()  # of connections that are known by their host
        self.signs = self.answered = 0  # of life, that were asked for and given
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

    def happens(self, remote: RemoteSession, news: News) -> None:
        """Put news of an event for this connection into the next frame, once for many."""
        last = self._last
        if last is not None and last[0] is news and len(last[1].sessions) < SESSIONS_AN_ITEM_MAX:
            last[1].sessions.append(remote.number)
            return
        happened = news.happened
        table, n = happened.table, happened.n
        self._bring(table, n)
        seats = self._seats(remote, news)
        item = frames.NewsFor(table, n, happened.at, seats, happened.left, [remote.number])
        self.put(item)
        self._last = (news, item)

    def _bring(self, table: TableId, n: int) -> None:
        """Send the edge all events of this table up to `n` that it has not."""
        known = self._known.get(table, 0)
        if known < n:
            past = self._hall.attaching.past(table)[known:n]
            self.put(frames.TableEvents(table, known + 1, tuple(table_events(past))))
            self._known[table] = n
        self._known.move_to_end(table)
        if len(self._known) > EDGE_TABLES_MAX:
            self.put(frames.TableDropped(self._known.popitem(last=False)[0]))

    def forget_some(self) -> None:
        """Let the edge forget tables that the hall no longer has at hand.

        It is called again and again. Each time it looks at a few tables, those told of longest ago
        first; one that is still at hand is looked at again when all others have been.
        """
        for _ in range(min(FORGET_STEP, len(self._known))):
            table = next(iter(self._known))
            if self._hall.attaching.is_at_hand(table):
                self._known.move_to_end(table)
            else:
                del self._known[table]
                self.put(frames.TableDropped(table))

    def _seats(self, remote: RemoteSession, news: News) -> tuple[Seat, ...]:
        mine = self._hall.presence.players_of(remote.session)
        if not mine:
            return ()
        return tuple(Seat(at) for at, player in enumerate(news.scene.players) if player in mine)


PING_TIMEOUT_US: Final[Micros] = MICROS_A_SECOND  # with an edge that was asked for a sign of life
PING_SILENCE_US: Final[Micros] = PING_TIMEOUT_US // 2  # an edge that lives has beaten more often


class Newcomer(Struct, frozen=True):
    """A client that waits for a sign of life of one edge."""

    remote: RemoteSession
    since: Micros
    sign: int  # the number of the sign of life it waits for


class HeldArrivals:
    """All who wait; `ask` asks an edge for a sign of life, `enter` lets a client be heard."""

    def __init__(
        self, ask: Callable[[EdgePeer], None], enter: Callable[[RemoteSession], None]
    ) -> None:
        self._ask = ask
        self._enter = enter
        self._waiting: dict[str, deque[Newcomer]] = {}  # by the edge they wait for

    def came(
        self, remote: RemoteSession, home: Home, others: Iterable[EdgePeer], now: Micros
    ) -> None:
        """Hold a client that may have been at one of these edges, and ask for signs of life."""
        for other in others:
            if other is not remote.peer and other.homes[home]:
                other.signs += 1
                remote.waits += 1
                waiting = self._waiting.setdefault(other.edge, deque())
                waiting.append(Newcomer(remote, now, other.signs))
                self._ask(other)

    def answered(self, peer: EdgePeer) -> None:
        """Let clients in who waited for this sign of life."""
        peer.answered += 1
        waiting = self._waiting.get(peer.edge, ())
        while waiting and waiting[0].sign <= peer.answered:
            self._let_in(peer.edge)

    def lost(self, edge: str) -> None:
        """Let everyone in who waited for this edge, because it is gone."""
        while edge in self._waiting:
            self._let_in(edge)

    def is_dead(self, peer: EdgePeer, now: Micros, silent: Micros) -> bool:
        """Whether this edge, silent for so long, owed a sign of life and gave none.

        If it is not dead, clients who have waited for its sign long enough are let in.
        """
        waiting = self._waiting.get(peer.edge, ())
        while waiting and now - waiting[0].since > PING_TIMEOUT_US:
            if silent > PING_SILENCE_US:
                return True
            self._let_in(peer.edge)  # only the question was lost, or the answer
        return False

    def _let_in(self, edge: str) -> None:
        waiting = self._waiting[edge]
        remote = waiting.popleft().remote
        if not waiting:
            del self._waiting[edge]
        remote.waits -= 1
        if not remote.waits:
            self._enter(remote)


# Sessions of edges count up from here; no door of ours comes so far.
FIRST_REMOTE_SESSION: Final = 1 << 41
EDGE_LOST_US: Final[Micros] = 3_000_000  # an edge that is silent for so long is gone


class EdgeGateway:
    """All edges of one hall; `send` gives the broker a frame for the edge of that name."""

    def __init__(
        self,
        runner: HallRunner,
        hall: Hall,
        time: FairTime,
        send: Callable[[str, bytes], None],
        *,
        epoch: int,
    ) -> None:
        self.epoch = epoch
        self._runner = runner
        self._hall = hall
        self._time = time
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._peers: dict[str, EdgePeer] = {}
        self._remotes: dict[SessionId, RemoteSession] = {}
        self._sessions = count(FIRST_REMOTE_SESSION)
        self._arrivals = HeldArrivals(lambda peer: send(peer.edge, peer.stream.ping()), self._enter)
        self._hears: Micros = 0  # since when we can hear edges
        self.terms: dict[SessionId, BotTerms] = {}  # of sessions that came by a port with its own
        runner.on_delivered = self._hand
        hall.presence.reachable_until = self._reachable_until
        hall.presence.cut_off = self.pending_since
        hall.attaching.watch_all()
        runner.tell_of_standing(self._stood)
        runner.tell_of_records(self._wrote)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self._peers)

    @property
    def lead(self) -> Lead:
        """What we announce to edges: that we lead, and our epoch."""
        return Lead(self.epoch)

    def pending_since(self, session: SessionId) -> Micros | None:
        """When this session's edge was last heard, if that is a while ago; else None."""
        remote = self._remotes.get(session)
        if remote is None or not remote.peer.outages.is_away(self._time.now()):
            return None
        return remote.peer.outages.heard

    # -- hearing edges

    def receive(self, edge: str, said: bytes) -> None:
        """Take a frame that came up from an edge."""
        frame = frames.read_up(said)
        peer = self._peers.get(edge)
        if peer is None or peer.stream.stream != frame.stream:
            begins = frame.kind == frames.DATA and frame.n == 1
            if not begins:
                self._send(edge, frames.encode((frame.stream, frames.RESET, 0, 0, ())))
                return
            self._lose(edge)
            peer = self._begin(edge, frame.stream)
        peer.there = self._time.now()
        taken = peer.stream.accept(frame)
        if taken is not None:
            self._hear(peer, frame)
        if frame.kind == frames.PING:
            self._arrivals.answered(peer)
        elif frame.kind == frames.NACK:
            for kept in peer.stream.unacked():
                self._send(edge, kept)
        if taken is None:
            self._send(edge, peer.stream.heartbeat(missing=True))
        elif taken:
            for item in frame.items:
                self._take(peer, item)

    def _hear(self, peer: EdgePeer, frame: frames.UpFrame) -> None:
        """Note that we know all that an edge has said; leave out the outage that this ends."""
        now, out = self._time.now(), self._time.left_out()
        over = peer.outages.take(frame.at, frame.seen, now, out)
        if over is None:
            return
        log.info(
            "edge %s is heard again after %.2f s; no clock ran for its %d connections",
            peer.edge,
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

    def _begin(self, edge: str, stream: int) -> EdgePeer:
        soon = partial(self._loop.call_soon, self._loop.call_soon, self._flush, edge)
        outages = EdgeOutages(self._time.now(), self._time.left_out())
        stamped = FrameStream(stream, lambda: (self._time.now(),))
        peer = self._peers[edge] = EdgePeer(edge, stamped, self._hall, soon, outages)
        log.info("edge %s is there", edge)
        for given in self._hall.attaching.numbers():
            peer.put(self._call(given))
        peer.put(frames.NumbersComplete())
        return peer

    def _take(self, peer: EdgePeer, item: UpItem) -> None:
        match item:
            case frames.Intents(number):
                remote = peer.remotes.get(number)
                if remote is not None and remote.waits:
                    remote.held.append(item)
                elif remote is not None:
                    self._asks(remote, item)
            case frames.TurnDelivered(number, table, seat, n, at):
                if (remote := peer.remotes.get(number)) is not None:
                    now, at = self._time.now(), peer.outages.counted(at)
                    remote.clocks[table] = (at, now, self._time.left_out())
                    turn = TurnGiven(table, seat, n)
                    self._runner.start_clocks(Batch(turns=(turn,)), now)
            case frames.SessionSpoke(number):
                if (remote := peer.remotes.get(number)) is not None:
                    self._hall.heard(remote.session, self._time.now())
            case frames.SessionOpened():
                self._came(peer, item)
            case frames.SessionClosed(number):
                if (remote := peer.remotes.pop(number, None)) is not None:
                    # If it is we who hung up, the client may come back as after any restart.
                    self._went(remote, ours=remote.doubtful)

    def _asks(self, remote: RemoteSession, asked: frames.Intents) -> None:
        now, out, at = self._time.now(), self._time.left_out(), asked.at
        for intent in asked.intents:
            read = remote.asks(intent, at, now, out)
            if isinstance(intent, TurnTold):
                remote.clocks[intent.table] = (remote.peer.outages.counted(at), now, out)
                read = now
            self._runner.ask(remote.session, (intent,), read, much=asked.much)

    def _enter(self, remote: RemoteSession) -> None:
        """Let the runner have what a client asked while it was held."""
        held, remote.held = remote.held, []
        for asked in held:
            self._asks(remote, asked)

    def _came(self, peer: EdgePeer, came: frames.SessionOpened) -> None:
        session = SessionId(next(self._sessions))
        remote = peer.remotes[came.session] = RemoteSession(peer, came.session, session)
        self._remotes[session] = remote
        if came.terms is not None:
            self.terms[session] = came.terms
        self._runner.connect(session, came.host, remote, came.dialect, came.door)
        if not self._hall.presence.manners(session).tokens:
            remote.home = (came.host, came.dialect)
            peer.homes[remote.home] += 1
            if came.before is None:
                others = self._peers.values()
                self._arrivals.came(remote, remote.home, others, self._time.now())
        if came.before is not None:
            self._runner.decide(partial(self._attach, remote, came.before))

    def _attach(self, remote: RemoteSession, before: Attachment, now: Micros, at: Wall) -> Batch:
        # Sessions of these players in a stream that ended: that we lost them waits to be decided.
        were = map(self._hall.presence.session_of, before.players)
        ours = (one for one in were if one and one >= FIRST_REMOTE_SESSION)
        lost = [one for one in ours if one not in self._remotes]
        batch = self._hall.attach(remote.session, before, now, at, lost)
        if self._hall.attaching.is_again(remote.session, before):
            return batch
        # We hang up once it is sure that we lead: a hall that woke up late knows nobody.
        log.info("a connection at edge %s cannot be what it was", remote.peer.edge)
        remote.doubtful = True
        self._hall.presence.show_out(remote.session)
        return replace(batch, dismissals=(*batch.dismissals, Dismissal(remote.session, IN_DOUBT)))

    def _went(self, remote: RemoteSession, *, ours: bool = False) -> None:
        del self._remotes[remote.session]
        if remote.peer.homes[remote.home] > 1:
            remote.peer.homes[remote.home] -= 1
        else:
            del remote.peer.homes[remote.home]
        self._enter(remote)
        self.terms.pop(remote.session, None)
        self._runner.hang_up(remote.session, self._time.now(), ours=ours)

    def _lose(self, edge: str) -> None:
        """Give the edge up, with all its connections; it may be dead, or only cut off."""
        peer = self._peers.pop(edge, None)
        if peer is not None:
            log.warning("edge %s is gone, with %d connections", edge, len(peer.remotes))
            for remote in peer.remotes.values():
                self._went(remote, ours=True)
            self._arrivals.lost(edge)

    # -- telling edges

    def _flush(self, edge: str) -> None:
        peer = self._peers.get(edge)
        said = None if peer is None else peer.next_frame()
        if said is not None:
            self._send(edge, said)

    def _hand(self, batch: Batch, now: Micros) -> None:
        """Give edges the turns that are theirs, and start the clocks of the others."""
        if batch.turns and self._remotes:
            ours = tuple(turn for turn in batch.turns if not self._give(turn))
            batch = Batch(batch.records, (), ours)
        self._hall.handed(batch, now)

    def _stood(self, standing: Sequence[Stood]) -> None:
        """Tell edges what their connections have become: the next hall hears that from them."""
        for stood in standing:
            remote = self._remotes.get(stood.session)
            if remote is not None and stood.is_now != remote.attachment:
                remote.attachment = stood.is_now
                remote.peer.put(frames.SessionState(remote.number, stood.is_now))

    def _give(self, turn: TurnGiven) -> bool:
        """Send a turn to the edge of its player; return False if the player is at none."""
        session = self._hall.attaching.session_at(turn.table, turn.seat)
        remote = None if session is None else self._remotes.get(session)
        if remote is None:
            return False
        remote.peer.put(frames.TurnFor(remote.number, turn.table, turn.seat, turn.n))
        return True

    def _wrote(self, records: Sequence[Record]) -> None:
        """Tell every edge new numbers and names of dialects, before anyone is told of them."""
        for record in records:
            if record.stream != HALL_STREAM or not self._peers:
                continue
            match record.event:
                case Numbered():
                    self._say(self._call(record.event))
                case Freed(dialect, kind, number):
                    self._say(frames.NumberGiven(dialect, kind, number, 0))
                case PlayerNamed(player, name):
                    self._say(frames.NumberGiven("", PLAYER, 0, player, name))
                case _:
                    pass

    def _call(self, given: Numbered) -> frames.NumberGiven:
        name = self._hall.directory.name_of(PlayerId(given.thing)) if given.kind == PLAYER else ""
        return frames.NumberGiven(given.dialect, given.kind, given.number, given.thing, name or "")

    def _say(self, item: frames.DownItem) -> None:
        for peer in self._peers.values():
            peer.put(item)

    # -- who is there

    def beat(self) -> None:
        """Tell edges that we are there, and give up those that have been silent for long."""
        now = self._time.now()
        for edge, peer in list(self._peers.items()):
            silent = now - max(peer.there, self._hears)
            dead = silent > EDGE_LOST_US or self._arrivals.is_dead(peer, now, silent)
            if dead or peer.stream.is_full:
                self._lose(edge)
            else:
                peer.forget_some()
                self._send(edge, peer.stream.heartbeat())

    def reconnected(self) -> None:
        """Give all edges time again, because we could hear none of them for a while."""
        self._hears = self._time.now()

    def part(self) -> None:
        """Tell edges that we go in good order: what we did not answer was not done."""
        for edge, peer in self._peers.items():
            peer.put(frames.LeaderStopping())
            self._flush(edge)


BEAT_EVERY_S: Final = 0.1  # seconds between telling edges that we are there
ANNOUNCE_EVERY_BEATS: Final = 5  # beats between telling edges that do not know us yet


class FarEdges:
    """All that a hall does for edges: hears them, beats, and answers their HTTP."""

    def __init__(
        self,
        settings: Settings,
        runner: HallRunner,
        hall: Hall,
        listener: Listener,
        *,
        epoch: int,
        carrying: Callable[[], Carrying],
    ) -> None:
        self._broker = Broker(settings.nats, settings.hall, carrying, self._came_back)
        self._posts = EdgeGateway(runner, hall, listener.time, self._down, epoch=epoch)
        self._listener = listener
        self._deaf_beats = round(settings.deaf / BEAT_EVERY_S)  # unheard, until we count as deaf
        self._unheard_beats = 0  # since we last heard our own announcement
        self._answering: HttpResponder | None = None  # once there is a broker
        self._work: list[asyncio.Task[None]] = []
        self._found = False  # we hear what edges say
        runner.listen(self._pending_since, listener.queue.wake)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self._posts)

    def samples(self) -> dict[str, float]:
        """Whether this hall leads, its epoch and its edges, for Prometheus."""
        epoch, edges = self._posts.epoch, len(self._posts)
        return {"rookery_leads": 1, "rookery_epoch": epoch, "rookery_edges": edges}

    def terms_of(self, session: SessionId) -> BotTerms | None:
        """What the session's port says of house bots, be the port at an edge or here."""
        return self._posts.terms.get(session) or self._listener.terms.get(session)

    def open(self, app: ASGIApp) -> None:
        """Call the broker until it is there, and announce the hall to edges."""
        loop = asyncio.get_running_loop()
        self._work = [loop.create_task(work) for work in (self._find(app), self._beat())]
        for work in self._work:
            work.add_done_callback(report)

    async def _find(self, app: ASGIApp) -> None:
        broker = self._broker
        await broker.open()
        self._answering = answering = HttpResponder(app, self._answer, self._in_turn)
        epoch = self._posts.epoch
        await asyncio.gather(  # all wait for the broker at the same time
            broker.hear(f"up.{epoch}.*", self._posts.receive),
            broker.hear("lead", lambda _, __: self._heard()),
            broker.hear("hello", lambda _, __: self._announce()),
            broker.hear(f"web.up.{epoch}.*", answering.receive),
        )
        self._announce()
        self._found = True

    def is_deaf(self) -> bool:
        """Whether we have not heard the broker for too long: then nobody can hear us either.

        The broker brings us our own announcements. It is counted by our own beats, so that a
        process which was stopped does not count what it slept through.
        """
        return self._unheard_beats >= self._deaf_beats

    def _heard(self) -> None:
        self._unheard_beats = 0

    async def part(self) -> None:
        """Tell edges that all is answered and the hall goes; then another may lead."""
        for work in self._work:
            work.cancel()
        if self._answering is not None:
            await self._answering.finish()
        self._posts.part()
        if not self.is_deaf():
            await self._broker.say_all()

    async def close(self) -> None:
        """Hang up on the broker."""
        await self._broker.close()

    def _announce(self) -> None:
        self._broker.send("lead", encode(self._posts.lead))

    async def _beat(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            beats += 1
            self._unheard_beats += 1
            if self._found and self._broker.connected:
                self._posts.beat()
                if not beats % ANNOUNCE_EVERY_BEATS:
                    self._announce()

    def _came_back(self) -> None:
        self._posts.reconnected()
        self._announce()

    def _down(self, edge: str, said: bytes) -> None:
        self._broker.send(f"down.{edge}", said)

    def _answer(self, edge: str, said: bytes) -> None:
        self._broker.send(f"web.down.{edge}", said)

    async def _in_turn(self, host: str, work: Any) -> None:  # Any: as ASGI has it
        paced = Paced(self._listener.queue, home_of(host))
        try:
            await paced.run(work)
        finally:
            paced.leave()

    def _pending_since(self, session: SessionId) -> Micros | None:
        waits = self._posts.pending_since(session)
        return self._listener.pending_since(session) if waits is None else waits


def open_far_edges(  # noqa: PLR0917 # all that a hall has
    settings: Settings,
    store: Store,
    runner: HallRunner,
    listener: Listener,
    web: AppState,
    knows: Callable[[str], bool],
    carrying: Callable[[], Carrying],
) -> FarEdges | None:
    """Begin to look for the edges of this hall; None without a broker. Raises Mistake.

    `knows` tells the organiser's token.
    """
    if not settings.nats:
        return None
    # A hall that comes later has a higher epoch.
    epoch = store.epoch if isinstance(store, Leased) else listener.time.wall()
    far_edges = FarEdges(settings, runner, web.hall, listener, epoch=epoch, carrying=carrying)
    # Each edge checks by itself which names a page is called by.
    guard = guard_of(web.hall, listener.time, knows)
    far_edges.open(make_app(replace(web, guard=guard)))
    web.tally.beside.append(far_edges.samples)
    return far_edges
