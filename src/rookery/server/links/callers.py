"""Connections, as their edge knows them: what each is in the hall, asks, and waits for.

The hall says what a dialect's numbers mean, and an edge has a copy of that. Before a hall has
said all of it, and while no hall is heard, the copy may be wrong: so connections whose dialect
has numbers are not heard then, and what they say counts from when it was read. A dialect whose
clients must always be answered sees to that itself, by asking the hall before it looks up a
number.
"""

from collections import deque
from collections.abc import Callable, Mapping

from rookery.core import intents
from rookery.core.ids import Micros, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.network import TOLD_MAX, Attachment
from rookery.dialects import LANGUAGES
from rookery.server.actor.broadcast import Subscriber
from rookery.server.links.copies import DirectoryCopy
from rookery.server.links.frames import Asks, Came

Question = tuple[AnyIntent, Micros, bool]  # what is asked, when it was read, whether much follows


class EdgeCaller:
    """One connection, as its edge knows it. It mutates."""

    __slots__ = ("asked", "came", "is_now", "spoke", "subscriber", "told", "waiting")

    def __init__(self, came: Came, subscriber: Subscriber) -> None:
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

    def waited(self) -> list[Asks]:
        """Return what waited for a hall, which counts as asked now."""
        self.asked += self.waiting
        waited, self.waiting = self.waiting, []
        return [Asks(self.came.session, at, (one,), much) for one, at, much in waited]


class Certainty:
    """Whether the edge's copy is what its hall says; only then are dialects with numbers heard.

    It mutates, and the link owns it.
    """

    def __init__(self, callers: Mapping[SessionId, EdgeCaller], directory: DirectoryCopy) -> None:
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

    def _hold(self, session: SessionId, caller: EdgeCaller) -> None:
        manners = LANGUAGES[caller.came.dialect]
        if manners.numbers and not manners.prompt:
            self.hold(session, not self._directory.sure)
