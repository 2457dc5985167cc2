"""A connection, as its edge knows it: what it is in the hall, and what it wants of it."""

from collections import deque

from rookery.core.ids import Micros, TableId
from rookery.core.intents import AnyIntent
from rookery.core.visitors.doorway import TOLD_MAX, Attachment
from rookery.server.fairness.clerk import READS
from rookery.server.keeping.teller import Listener
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
