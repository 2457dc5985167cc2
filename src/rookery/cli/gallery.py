"""Showing a table to somebody who only looks on, event after event.

On a terminal there is one picture that changes, with the last few events below it; in a
pipe everything is written down in order.
"""

from collections import deque
from typing import Final

from rookery.cli.room import Room, Told, heard, picture, sentence, worth_a_look
from rookery.cli.stage import Stage
from rookery.core.events import Ended

REMEMBERED: Final = 5  # events below the picture


class Gallery:
    """A room as it is seen from outside. It mutates."""

    def __init__(self, stage: Stage, room: Room, *, unicode: bool = False) -> None:
        self._stage = stage
        self._unicode = unicode
        self._said: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)
        self.room = room

    def take(self, told: Told) -> None:
        """Show what this led to."""
        style = "bold" if isinstance(told.event, Ended) else ""
        words = sentence(self.room, told)
        self.room = heard(self.room, told)
        self._said.append((words, style))
        if self._stage.terminal:
            self.hang()
            return
        self._stage.say(words, style)
        if worth_a_look(told):
            self.hang()

    def hang(self) -> None:
        """Draw the room as it is."""
        self._stage.wipe()
        self._stage.show(picture(self.room, unicode=self._unicode))
        if self._stage.terminal:
            for words, style in self._said:
                self._stage.say(words, style)
