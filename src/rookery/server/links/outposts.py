"""The hall's end of all links: every edge, and what comes up from it.

What an edge's connections ask goes to the runner like everybody's. Their time is measured at
the edge: a turn counts from when its edge had written it, and a move from then on by the edge's
own clock; nobody is charged for how long either was on its way. No flag falls at an edge of
which nothing has been heard for a moment. When that lasts, its connections are gone, and as
after a restart no clock runs for them until they are back, or could have been: nothing tells an
edge that died from one that is cut off. It mutates, and lives in the event loop.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Final

from msgspec.structs import replace

from rookery.core.events import HALL_STREAM, Freed, Numbered, PlayerNamed, Record
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, SessionId, Wall
from rookery.core.intents import TurnTold
from rookery.core.network import Attachment
from rookery.hall.batch import Batch, Dismissal, Stood, TurnGiven
from rookery.hall.hall import Hall
from rookery.hall.people.numbers import PLAYER
from rookery.runtime.fairtime import FairTime
from rookery.server.actor.runner import HallRunner
from rookery.server.config import BotTerms
from rookery.server.links import frames
from rookery.server.links.frames import Lead, UpItem
from rookery.server.links.held_arrivals import HeldArrivals
from rookery.server.links.link import IN_DOUBT
from rookery.server.links.numbered import FrameStream
from rookery.server.links.outages import EdgeOutages
from rookery.server.links.outpost import Lodger, Outpost

log = logging.getLogger(__name__)

FIRST: Final = 1 << 41  # sessions of edges count up from here; no door of ours comes so far
LOST: Final[Micros] = 3_000_000  # and when it has been silent for so long it is gone


class Outposts:
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
        self._outposts: dict[str, Outpost] = {}
        self._lodgers: dict[SessionId, Lodger] = {}
        self._sessions = count(FIRST)
        self._arrivals = HeldArrivals(
            lambda outpost: send(outpost.edge, outpost.stream.sign()), self._enter
        )
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
        return len(self._outposts)

    @property
    def lead(self) -> Lead:
        """What we announce to edges: that we lead, and our epoch."""
        return Lead(self.epoch)

    def pending_since(self, session: SessionId) -> Micros | None:
        """When this session's edge was last heard, if that is a while ago; else None."""
        lodger = self._lodgers.get(session)
        if lodger is None or not lodger.outpost.outages.is_away(self._time.now()):
            return None
        return lodger.outpost.outages.heard

    # -- hearing edges

    def receive(self, edge: str, said: bytes) -> None:
        """Take a frame that came up from an edge."""
        frame = frames.read_up(said)
        outpost = self._outposts.get(edge)
        if outpost is None or outpost.stream.stream != frame.stream:
            begins = frame.kind == frames.PLAIN and frame.n == 1
            if not begins:
                self._send(edge, frames.encode((frame.stream, frames.RESET, 0, 0, ())))
                return
            self._lose(edge)
            outpost = self._begin(edge, frame.stream)
        outpost.there = self._time.now()
        taken = outpost.stream.take(frame)
        if taken is not None:
            self._hear(outpost, frame)
        if frame.kind == frames.WELL:
            self._arrivals.answered(outpost)
        elif frame.kind == frames.AGAIN:
            for kept in outpost.stream.untaken():
                self._send(edge, kept)
        if taken is None:
            self._send(edge, outpost.stream.beat(missing=True))
        elif taken:
            for item in frame.items:
                self._take(outpost, item)

    def _hear(self, outpost: Outpost, frame: frames.UpFrame) -> None:
        """Note that we know all that an edge has said; leave out the outage that this ends."""
        now, out = self._time.now(), self._time.left_out()
        over = outpost.outages.take(frame.at, frame.seen, now, out)
        if over is None:
            return
        log.info(
            "edge %s is heard again after %.2f s; no clock ran for its %d connections",
            outpost.edge,
            (over.until - over.since) / MICROS_A_SECOND,
            len(outpost.lodgers),
        )
        for lodger in outpost.lodgers.values():
            lodger.leave_out(over)
        sessions = (lodger.session for lodger in outpost.lodgers.values())
        self._hall.leave_out(over.since, over.until, sessions)
        others = (one.outages for one in self._outposts.values() if one is not outpost)
        silence = max((one.heard_until(now) for one in others), default=0)
        self._hall.nobody_came(max(over.since, silence), now)

    def _reachable_until(self, now: Micros) -> Micros:
        """The moment up to which somebody who is away could have come back, by some edge."""
        return max((one.outages.heard_until(now) for one in self._outposts.values()), default=now)

    def _begin(self, edge: str, stream: int) -> Outpost:
        soon = partial(self._loop.call_soon, self._loop.call_soon, self._flush, edge)
        outages = EdgeOutages(self._time.now(), self._time.left_out())
        stamped = FrameStream(stream, lambda: (self._time.now(),))
        outpost = self._outposts[edge] = Outpost(edge, stamped, self._hall, soon, outages)
        log.info("edge %s is there", edge)
        for given in self._hall.attaching.numbers():
            outpost.put(self._call(given))
        outpost.put(frames.Called())
        return outpost

    def _take(self, outpost: Outpost, item: UpItem) -> None:
        match item:
            case frames.Asks(number):
                lodger = outpost.lodgers.get(number)
                if lodger is not None and lodger.waits:
                    lodger.held.append(item)
                elif lodger is not None:
                    self._asks(lodger, item)
            case frames.TurnHanded(number, table, seat, n, at):
                if (lodger := outpost.lodgers.get(number)) is not None:
                    now, at = self._time.now(), outpost.outages.counted(at)
                    lodger.clocks[table] = (at, now, self._time.left_out())
                    turn = TurnGiven(table, seat, n)
                    self._runner.start_clocks(Batch(turns=(turn,)), now)
            case frames.Spoke(number):
                if (lodger := outpost.lodgers.get(number)) is not None:
                    self._hall.heard(lodger.session, self._time.now())
            case frames.Came():
                self._came(outpost, item)
            case frames.Went(number):
                if (lodger := outpost.lodgers.pop(number, None)) is not None:
                    # If it is we who hung up, the client may come back as after any restart.
                    self._went(lodger, ours=lodger.doubtful)

    def _asks(self, lodger: Lodger, asked: frames.Asks) -> None:
        now, out, at = self._time.now(), self._time.left_out(), asked.at
        for intent in asked.intents:
            read = lodger.asks(intent, at, now, out)
            if isinstance(intent, TurnTold):
                lodger.clocks[intent.table] = (lodger.outpost.outages.counted(at), now, out)
                read = now
            self._runner.ask(lodger.session, (intent,), read, much=asked.much)

    def _enter(self, lodger: Lodger) -> None:
        """Let the runner have what a client asked while it was held."""
        held, lodger.held = lodger.held, []
        for asked in held:
            self._asks(lodger, asked)

    def _came(self, outpost: Outpost, came: frames.Came) -> None:
        session = SessionId(next(self._sessions))
        lodger = outpost.lodgers[came.session] = Lodger(outpost, came.session, session)
        self._lodgers[session] = lodger
        if came.terms is not None:
            self.terms[session] = came.terms
        self._runner.connect(session, came.host, lodger, came.dialect, came.door)
        if not self._hall.presence.manners(session).tokens:
            lodger.home = (came.host, came.dialect)
            outpost.homes[lodger.home] += 1
            if came.before is None:
                others = self._outposts.values()
                self._arrivals.came(lodger, lodger.home, others, self._time.now())
        if came.before is not None:
            self._runner.decide(partial(self._attach, lodger, came.before))

    def _attach(self, lodger: Lodger, before: Attachment, now: Micros, at: Wall) -> Batch:
        # Sessions of these players in a stream that ended: that we lost them waits to be decided.
        were = map(self._hall.presence.session_of, before.players)
        lost = [one for one in were if one and one >= FIRST and one not in self._lodgers]
        batch = self._hall.attach(lodger.session, before, now, at, lost)
        if self._hall.attaching.is_again(lodger.session, before):
            return batch
        # We hang up once it is sure that we lead: a hall that woke up late knows nobody.
        log.info("a connection at edge %s cannot be what it was", lodger.outpost.edge)
        lodger.doubtful = True
        self._hall.presence.show_out(lodger.session)
        return replace(batch, dismissals=(*batch.dismissals, Dismissal(lodger.session, IN_DOUBT)))

    def _went(self, lodger: Lodger, *, ours: bool = False) -> None:
        del self._lodgers[lodger.session]
        if lodger.outpost.homes[lodger.home] > 1:
            lodger.outpost.homes[lodger.home] -= 1
        else:
            del lodger.outpost.homes[lodger.home]
        self._enter(lodger)
        self.terms.pop(lodger.session, None)
        self._runner.hang_up(lodger.session, self._time.now(), ours=ours)

    def _lose(self, edge: str) -> None:
        """Give the edge up, with all its connections; it may be dead, or only cut off."""
        outpost = self._outposts.pop(edge, None)
        if outpost is not None:
            log.warning("edge %s is gone, with %d connections", edge, len(outpost.lodgers))
            for lodger in outpost.lodgers.values():
                self._went(lodger, ours=True)
            self._arrivals.lost(edge)

    # -- telling edges

    def _flush(self, edge: str) -> None:
        outpost = self._outposts.get(edge)
        said = None if outpost is None else outpost.step()
        if said is not None:
            self._send(edge, said)

    def _hand(self, batch: Batch, now: Micros) -> None:
        """Give edges the turns that are theirs, and start the clocks of the others."""
        if batch.turns and self._lodgers:
            ours = tuple(turn for turn in batch.turns if not self._give(turn))
            batch = Batch(batch.records, (), ours)
        self._hall.handed(batch, now)

    def _stood(self, standing: Sequence[Stood]) -> None:
        """Tell edges what their connections have become: the next hall hears that from them."""
        for stood in standing:
            lodger = self._lodgers.get(stood.session)
            if lodger is not None and stood.is_now != lodger.attachment:
                lodger.attachment = stood.is_now
                lodger.outpost.put(frames.Stands(lodger.number, stood.is_now))

    def _give(self, turn: TurnGiven) -> bool:
        """Send a turn to the edge of its player; return False if the player is at none."""
        session = self._hall.attaching.session_at(turn.table, turn.seat)
        lodger = None if session is None else self._lodgers.get(session)
        if lodger is None:
            return False
        lodger.outpost.put(frames.GivesTurn(lodger.number, turn.table, turn.seat, turn.n))
        return True

    def _wrote(self, records: Sequence[Record]) -> None:
        """Tell every edge new numbers and names of dialects, before anyone is told of them."""
        for record in records:
            if record.stream != HALL_STREAM or not self._outposts:
                continue
            match record.event:
                case Numbered():
                    self._say(self._call(record.event))
                case Freed(dialect, kind, number):
                    self._say(frames.Calls(dialect, kind, number, 0))
                case PlayerNamed(player, name):
                    self._say(frames.Calls("", PLAYER, 0, player, name))
                case _:
                    pass

    def _call(self, given: Numbered) -> frames.Calls:
        name = self._hall.directory.name_of(PlayerId(given.thing)) if given.kind == PLAYER else ""
        return frames.Calls(given.dialect, given.kind, given.number, given.thing, name or "")

    def _say(self, item: frames.DownItem) -> None:
        for outpost in self._outposts.values():
            outpost.put(item)

    # -- who is there

    def beat(self) -> None:
        """Tell edges that we are there, and give up those that have been silent for long."""
        now = self._time.now()
        for edge, outpost in list(self._outposts.items()):
            silent = now - max(outpost.there, self._hears)
            if self._arrivals.is_dead(outpost, now, silent) or silent > LOST or outpost.stream.full:
                self._lose(edge)
            else:
                outpost.forget_some()
                self._send(edge, outpost.stream.beat())

    def reconnected(self) -> None:
        """Give all edges time again, because we could hear none of them for a while."""
        self._hears = self._time.now()

    def part(self) -> None:
        """Tell edges that we go in good order: what we did not answer was not done."""
        for edge, outpost in self._outposts.items():
            outpost.put(frames.Parts())
            self._flush(edge)
