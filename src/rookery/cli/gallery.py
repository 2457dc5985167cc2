"""Showing a table to somebody who only looks on, event after event.

On a terminal there is one picture that changes, with the last few events below it; in a
pipe everything is written down in order.
"""

from collections import deque
from typing import Final

from rookery.cli.room import Room, Told, heard, picture, sentence, worth_a_look
from rookery.cli.stage import Stage
from rookery.cli.ticking import Ticking, ticks
from rookery.core.events import Ended

REMEMBERED: Final = 5  # events below the picture


class Gallery:
    """A room as it is seen from outside. It mutates."""

    def __init__(self, stage: Stage, room: Room, *, unicode: bool = False) -> None:
        self._stage = stage
        self._unicode = unicode
        self._ticking = Ticking()
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
        """Draw the room as it was told."""
        self._hang(self.room)

    @property
    def ticks(self) -> bool:
        """Whether a picture is worth drawing though nothing happens."""
        return self._stage.lively and ticks(self.room)

    def tick(self, now: float) -> None:
        """Draw the room with its clocks as they stand now."""
        self._hang(self._ticking.at(self.room, now))

    def _hang(self, room: Room) -> None:
        with self._stage.at_once():
            self._stage.wipe()
            self._stage.show(picture(room, unicode=self._unicode))
            if self._stage.terminal:
                for words, style in self._said:
                    self._stage.say(words, style)
