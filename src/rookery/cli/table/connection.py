"""A connection to one table of a server, which comes back by itself when it drops.

After every arrival the connection asks for the table as a whole and prints what happened
meanwhile, and news count from there on; so nothing is missed or told twice, however often
the connection or the server goes.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rookery.cli.connection.address import Address, NoServer
from rookery.cli.connection.server import (
    ConnectionLost,
    Rejected,
    ServerConnection,
    connected_again,
)
from rookery.cli.table.words import event_words
from rookery.cli.terminal.output import Output
from rookery.clients.native import NativeClient
from rookery.clients.native.players import offered
from rookery.clients.native.table import KnownTable, known_table, moved
from rookery.clients.native.words import Greeting, TableShown, Told
from rookery.core.events import Played
from rookery.core.ids import TableId
from rookery.core.intents import History, Show, Watch
from rookery.core.messages import Entry, Notice, Past

LOOK_BACK: Final = 20  # events before one came in which the last moves are looked for


class TableConnection:
    """A client at one table: under a name to play, without one to watch."""

    def __init__(
        self,
        output: Output,
        address: Address,
        name: str | None = None,
        me: Greeting | None = None,
    ) -> None:
        self._output = output
        self._address = address
        self._name = name
        self._speaker = NativeClient(name)
        self._speaker.me = me  # who one is already, by a token
        self.known: KnownTable | None = None
        self.client = self._connect()

    def look(self, table: TableId) -> KnownTable:
        """Learn how the table stands, and tell what happened since the last time."""
        before = self.known if self.known is not None and self.known.table == table else None
        if self._name is None:
            since = 0 if before is None else before.n
            self.client.ask(Watch(table, since), Past)
        board = self.client.ask(Show(table), TableShown)
        self.known = self._caught_up(board, before)
        return self.known

    def heard(self) -> Told | None:
        """The next news of this table, None if there are none; prints the server's notices."""
        while (message := self.client.heard()) is not None:
            if isinstance(message, Notice):
                self._output.say(message.sentence, "yellow")
            elif self.known and message.table == self.known.table and message.n > self.known.n:
                return message
        return None

    def come_back(self) -> None:
        """Connect again, after ever longer pauses. Raises NoServer when it takes too long."""
        self._output.say("The connection is gone; coming back as soon as it can be had.", "yellow")
        self.client.close()
        self.client = connected_again(self._connect, self._address)
        self._output.say("Connected again.", "yellow")

    def _connect(self) -> ServerConnection:
        client = ServerConnection(self._address, self._speaker)
        try:
            client.greet()
        except Rejected as no:
            if no.code == "bad_token":
                raise Rejected(no.code, "The server does not know you any more.") from None
            raise
        except ConnectionLost:
            raise NoServer(f"What answers at {self._address} hangs up at once.") from None
        return client

    def _caught_up(self, board: TableShown, before: KnownTable | None) -> KnownTable:
        """The table that the server shows, with its last moves; prints the events we missed."""
        known = known_table(board, before)
        since = max(0, known.n - LOOK_BACK) if before is None else before.n
        for entry in self._past(known.table, since):
            if entry.n > known.n:
                break  # it comes as news, too
            if before is not None:
                self._output.say(event_words(entry.event, known.players))
            known = replace(known, players=offered(known.players, entry.event))
            if isinstance(entry.event, Played):
                known = moved(known, entry.event)
        return known

    def _past(self, table: TableId, since: int) -> Iterator[Entry]:
        more = True
        while more:
            page = self.client.ask(History(table, since), Past)
            yield from page.events
            more = page.more and bool(page.events)
            if page.events:
                since = page.events[-1].n
