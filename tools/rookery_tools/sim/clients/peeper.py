"""A peeper asks for tables, one after the other, and plays at none: answers must be up to date."""

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import TableShown
from rookery.core.ids import TableId
from rookery.core.intents import Show
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI

FIRST = 4  # tables that it looks for before it knows of any; then for the next one, too


class Peeper(WorldPerson):
    """A person who asks for a table every so often."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self._client = NativeClient(self.name)
        self._latest = FIRST

    def begin(self) -> bytes:
        """The bytes of a hello; the first look follows a moment later."""
        self._client = NativeClient(self.name)
        self.later(100 * MILLI, self._look)
        return self._client.ask(self._client.hello())

    def hear(self, came: bytes) -> None:
        """Take in answers, and leave when the day ends."""
        for happening in self._client.hear(came):
            if isinstance(happening, Answered) and isinstance(happening.answer, TableShown):
                self._latest = max(self._latest, happening.answer.line.table + 1)
            if isinstance(happening, Answered) and self.town.calm:
                self.leave()

    def hurry(self) -> None:
        """Leave as the day ends."""
        self.leave()

    def _look(self) -> None:
        table = self._latest - self.chance.below(min(FIRST, self._latest))
        self.say(self._client.ask(Show(TableId(table))))
        self.later(self.chance.between(50 * MILLI, 400 * MILLI), self._look)
