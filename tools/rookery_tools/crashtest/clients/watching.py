"""A native client that looks on at every table there is, in whatever language it is played."""

from typing import Final

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Greeting, Hello, Request
from rookery.core.ids import TableId
from rookery.core.intents import ListTables, Say, Watch
from rookery.core.manners import OWN
from rookery.core.messages import Tables
from rookery_tools.crashtest.clients.calling import CallerBase, CrashtestTown
from rookery_tools.crashtest.clients.transcribing import Transcriber

PAUSE: Final = 0.25  # seconds between two looks for new tables


class Watcher(CallerBase):
    """A client that watches all tables, and chats there now and then."""

    def __init__(self, town: CrashtestTown, name: str, *, framed: bool, seed: int) -> None:
        super().__init__(town, name, OWN, framed=framed, seed=seed)
        self._client = NativeClient(name)
        self._transcriber = Transcriber(town.claims, name, 0)
        self._watched: set[TableId] = set()
        self._words = 0
        self._looking = False

    def begin(self) -> bytes:
        """A hello, as a new player or the same again."""
        self._transcriber = Transcriber(self.town.claims, self.name, self.number)
        self._watched.clear()
        words = self._client.ask(self._client.hello())
        self._transcriber.said(words)
        if not self._looking:
            self._looking = True
            self.soon(PAUSE, self._look)
        return words

    def heard(self, came: bytes) -> None:
        """Take in bytes of the server, and watch the tables that are new."""
        self._transcriber.told(came)
        for happening in self._client.hear(came):
            match happening:
                case Answered(ListTables(), Tables(tables=tables)):
                    for line in tables:
                        if line.table not in self._watched:
                            self._watched.add(line.table)
                            self._ask(Watch(line.table))
                            self._chat(line.table)
                case Answered(Hello(player=int()), answer) if not isinstance(answer, Greeting):
                    self.town.claims.strange.append(f"{self.name} is known no more: {answer}")
                case _:
                    pass

    def _chat(self, table: TableId) -> None:
        self._words += 1
        self._ask(Say(table, f"{self.name} says {self._words}"))

    def _look(self) -> None:
        if self.gone:
            return
        if self.line is not None and self._client.greeted and not self._client.busy:
            self._ask(ListTables())
            if self._watched and not self.chance.below(3):
                self._chat(self.chance.choice(sorted(self._watched)))
        self.soon(PAUSE, self._look)

    def _ask(self, request: Request) -> None:
        if self.line is not None:
            words = self._client.ask(request)
            self._transcriber.said(words)
            self.say(words)
