"""Showing a table to somebody who only looks on, event after event.

On a terminal there is one picture that changes, with the last few events below it; in a
pipe everything is written down in order.
"""

from collections import deque
from typing import Final

from rookery.cli.table.clocks import Ticking, ticks
from rookery.cli.table.picture import picture, sentence, worth_a_look
from rookery.cli.terminal.output import Output
from rookery.clients.native.table import KnownTable, heard
from rookery.clients.native.words import Told
from rookery.core.events import Ended

REMEMBERED: Final = 5  # events below the picture


class Spectator:
    """A known as it is seen from outside. It mutates."""

    def __init__(self, output: Output, known: KnownTable, *, unicode: bool = False) -> None:
        self._output = output
        self._unicode = unicode
        self._ticking = Ticking()
        self._said: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)
        self.known = known

    def take(self, told: Told) -> None:
        """Show what this led to."""
        style = "bold" if isinstance(told.event, Ended) else ""
        words = sentence(self.known, told)
        self.known = heard(self.known, told)
        self._said.append((words, style))
        if self._output.terminal:
            self.hang()
            return
        self._output.say(words, style)
        if worth_a_look(told):
            self.hang()

    def hang(self) -> None:
        """Draw the table as it was told."""
        self._hang(self.known)

    @property
    def ticks(self) -> bool:
        """Whether a picture is worth drawing though nothing happens."""
        return self._output.lively and ticks(self.known)

    def tick(self, now: float) -> None:
        """Draw the table with its clocks as they stand now."""
        self._hang(self._ticking.at(self.known, now))

    def _hang(self, known: KnownTable) -> None:
        with self._output.at_once():
            self._output.wipe()
            self._output.show(picture(known, unicode=self._unicode))
            if self._output.terminal:
                for words, style in self._said:
                    self._output.say(words, style)
