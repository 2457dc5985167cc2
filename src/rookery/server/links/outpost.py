"""An outpost: one edge, as the hall knows it, and the connections it keeps.

To the runner each of them is a subscriber like any other; what they are told is put into frames
for their edge. An edge gets every event of a table once, before it tells anyone of it; so for
a thousand onlookers we send one event and a list of who they are. It mutates, and the
outposts own it.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import ClassVar, Final

from rookery.core.clock import left_out
from rookery.core.events import table_events
from rookery.core.ids import Micros, Seat, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import AnyMessage, News, Shown
from rookery.core.network import Attachment
from rookery.hall.hall import Hall
from rookery.server.links import frames
from rookery.server.links.frames import DownItem
from rookery.server.links.numbered import FrameStream
from rookery.server.links.outages import EdgeOutages, Outage

TABLES_MAX: Final = 50_000  # of which an edge has a copy; the one told of longest ago goes
LOOKED_AT: Final = 20  # of those that we look at, at every beat
TOGETHER: Final = 100  # sessions that one item is for: an edge tells them in one go


Home = tuple[str, str]  # a host, and what is spoken from there


class Lodger:
    """A connection at an edge, as the runner knows it."""

    writes: ClassVar[bool] = False  # only whole frames are, for all of an edge

    __slots__ = (
        "attachment",
        "clocks",
        "doubtful",
        "held",
        "home",
        "number",
        "outpost",
        "session",
        "waits",
    )

    def __init__(self, outpost: "Outpost", number: SessionId, session: SessionId) -> None:
        self.outpost = outpost
        self.number = number  # what its edge calls it
        self.session = session  # what the hall calls it
        self.attachment = Attachment()  # what it is in the hall, as its edge knows it
        self.home: Home = ("", "")
        self.doubtful = False  # it cannot be what it was, and so we hang up on it
        self.waits = 0  # for signs of life of so many other edges
        self.held: list[frames.Asks] = []  # what it has asked meanwhile
        # By table: when its last turn was handed over, by the clock of the edge without outages
        # and by ours, and what had been left out of ours by then.
        self.clocks: dict[TableId, tuple[Micros, Micros, Micros]] = {}

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the next frame for the edge."""
        if type(message) is News:
            self.outpost.happens(self, message)
        elif isinstance(message, Shown):
            shown = message
            self.outpost.put(
                frames.Shows(
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
            self.outpost.put(frames.Tells(self.number, message))

    def flush(self) -> None:
        """Do nothing: frames are sent when the loop has done what it is at."""

    def close(self) -> None:
        """Have the edge hang up on the connection."""
        self.outpost.put(frames.Dismisses(self.number))

    def answered(self) -> None:
        """Tell the edge that one thing the connection asked has been dealt with."""
        self.outpost.put(frames.Answers(self.number))

    def asks(self, intent: AnyIntent, at: Micros, now: Micros, out: Micros) -> Micros:
        """Return the hall's time for what the edge read at `at`, by its own clock.

        Time that our clock left out since the turn, as while nothing could be written, is free,
        and so are outages of the edge.
        """
        outages = self.outpost.outages
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


class Outpost:
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
        self.lodgers: dict[SessionId, Lodger] = {}  # by what the edge calls them
        self.homes: Counter[Home] = Counter()  # of connections that are known by their host
        self.signs = self.answered = 0  # of life, that were asked for and given
        self._hall = hall
        self._soon = soon
        self._items: list[DownItem] = []
        self._known: OrderedDict[TableId, int] = OrderedDict()  # how many events of a table it has
        self._last: tuple[News, frames.Happens] | None = None

    def put(self, item: DownItem) -> None:
        """Put this item into the next frame."""
        if not self._items:
            self._soon()
        self._items.append(item)
        self._last = None

    def step(self) -> bytes | None:
        """Return the next frame; None if there is nothing to send."""
        if not self._items:
            return None
        items, self._items = self._items, []
        self._last = None
        return self.stream.step(items)

    def happens(self, lodger: Lodger, news: News) -> None:
        """Put news of an event for this connection into the next frame, once for many."""
        last = self._last
        if last is not None and last[0] is news and len(last[1].sessions) < TOGETHER:
            last[1].sessions.append(lodger.number)
            return
        happened = news.happened
        table, n = happened.table, happened.n
        self._bring(table, n)
        seats = self._seats(lodger, news)
        item = frames.Happens(table, n, happened.at, seats, happened.left, [lodger.number])
        self.put(item)
        self._last = (news, item)

    def _bring(self, table: TableId, n: int) -> None:
        """Send the edge all events of this table up to `n` that it has not."""
        known = self._known.get(table, 0)
        if known < n:
            past = self._hall.attaching.past(table)[known:n]
            self.put(frames.Follows(table, known + 1, tuple(table_events(past))))
            self._known[table] = n
        self._known.move_to_end(table)
        if len(self._known) > TABLES_MAX:
            self.put(frames.Forgets(self._known.popitem(last=False)[0]))

    def forget_some(self) -> None:
        """Let the edge forget tables that the hall no longer has at hand.

        It is called again and again. Each time it looks at a few tables, those told of longest ago
        first; one that is still at hand is looked at again when all others have been.
        """
        for _ in range(min(LOOKED_AT, len(self._known))):
            table = next(iter(self._known))
            if self._hall.attaching.is_at_hand(table):
                self._known.move_to_end(table)
            else:
                del self._known[table]
                self.put(frames.Forgets(table))

    def _seats(self, lodger: Lodger, news: News) -> tuple[Seat, ...]:
        mine = self._hall.presence.players_of(lodger.session)
        if not mine:
            return ()
        return tuple(Seat(at) for at, player in enumerate(news.scene.players) if player in mine)
