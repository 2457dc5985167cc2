"""Connections, as their edge knows them: what each is in the hall, what it wants, who must wait.

What a number means is said by the hall, and an edge has a copy. Before a hall has said all of it,
and while none is heard, that copy may be wrong: so nothing is heard of connections whose dialect
has numbers, and what they say counts from when it was read. A dialect whose clients must always be
answered sees to it itself, by asking the hall before it looks a number up.
"""

from collections import deque
from collections.abc import Callable, Mapping

from rookery.core.ids import Micros, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.visitors.doorway import TOLD_MAX, Attachment
from rookery.dialects import LANGUAGES
from rookery.server.fairness.clerk import READS
from rookery.server.keeping.teller import Listener
from rookery.server.links.copies import DirectoryCopy
from rookery.server.links.frames import Asks, Came

Question = tuple[AnyIntent, Micros, bool]  # what is asked, when it was read, whether much follows


class EdgeCaller:
    """One connection. It mutates."""

    __slots__ = ("asked", "came", "is_now", "listener", "spoke", "told", "waiting")

    def __init__(self, came: Came, listener: Listener) -> None:
        self.came = came
        self.listener = listener
        self.is_now = Attachment()  # what it is in the hall
        self.told: dict[TableId, int] = {}  # up to which event, by table
        self.asked: deque[Question] = deque()  # and not answered
        self.waiting: list[Question] = []  # to be asked when there is a hall
        self.spoke: Micros = 0  # when the hall last heard that it is there

    def know(self, table: TableId, n: int) -> None:
        """It has been told of this event."""
        if table not in self.told and len(self.told) >= TOLD_MAX:
            del self.told[next(iter(self.told))]
        self.told[table] = n

    @property
    def in_doubt(self) -> bool:
        """Whether it wanted something that may have been done or not."""
        return not all(isinstance(intent, READS) for intent, _, _ in self.asked)

    def ask_again(self) -> None:
        """What was asked and not answered waits for a hall."""
        self.waiting[:0] = self.asked
        self.asked.clear()

    def waited(self) -> list[Asks]:
        """What waited for a hall, to be asked now."""
        self.asked += self.waiting
        waited, self.waiting = self.waiting, []
        return [Asks(self.came.session, at, (one,), much) for one, at, much in waited]


class Certainty:
    """Whether the edge's copy is what its hall says: who speaks by numbers is heard then.

    It mutates, and the link owns it.
    """

    def __init__(self, callers: Mapping[SessionId, EdgeCaller], directory: DirectoryCopy) -> None:
        # Who can have a session wait, or go on.
        self.hold: Callable[[SessionId, bool], None] = lambda _, __: None
        self._callers = callers
        self._directory = directory
        self._whole = False  # the hall has said all that it calls anything
        self._hears = True  # and what it says now would be heard

    def came(self, session: SessionId) -> None:
        """This connection is new."""
        if not self._directory.sure:
            self._hold(session, self._callers[session])

    def know(self) -> None:
        """The hall has said all of it."""
        self._whole = True
        self._settle()

    def doubt(self) -> None:
        """Another hall, or the same anew, will say all of it again."""
        self._whole = False
        self._settle()

    def hear(self, *, well: bool) -> None:
        """Whether the hall is heard."""
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
