"""Showing a table to somebody who only looks on, event after event.

On a terminal what happens scrolls by above, and the table stays below it with its clocks
running, each beside the name of whose it is; in a pipe everything is written down in order.
"""

from rookery.cli.table.picture import Ticking, picture, sentence, ticks, worth_a_look
from rookery.cli.terminal.output import Output
from rookery.clients.native.table import KnownTable, heard
from rookery.clients.native.words import Told
from rookery.core.events import Ended


class Spectator:
    """Shows a table to a person who looks on."""

    def __init__(self, output: Output, known: KnownTable, *, unicode: bool = False) -> None:
        self._output = output
        self._unicode = unicode
        self._ticking = Ticking()
        self.known = known

    def take(self, told: Told) -> None:
        """Take in a piece of news, and show what happened."""
        style = "bold" if isinstance(told.event, Ended) else ""
        words = sentence(self.known, told)
        self.known = heard(self.known, told)
        with self._output.at_once():
            self._output.say(words, style)
            if self._output.stays or worth_a_look(told):
                self.hang()

    def hang(self) -> None:
        """Draw the table as the last news left it."""
        self._hang(self.known)

    @property
    def ticks(self) -> bool:
        """Whether a picture is worth drawing though nothing happens."""
        return self._output.stays and ticks(self.known)

    def tick(self, now: float) -> None:
        """Draw the table with its clocks as they stand now."""
        self._hang(self._ticking.at(self.known, now))

    def _hang(self, known: KnownTable) -> None:
        self._output.show(picture(known, unicode=self._unicode))
