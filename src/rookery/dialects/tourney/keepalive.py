"""Whether a client still lives: "@PING to a client silent for 30 s".

It "is gone 30 s later if it ever sent a `@PING` or `@PONG`": a person at a terminal does
not, and is left alone. Who has never said anything is not spoken to. It mutates, and the
connection owns it.
"""

from enum import Enum, auto

from rookery.core.ids import Micros
from rookery.dialects.tourney.limits import SILENCE


class Beat(Enum):
    """What is to be done now."""

    NOTHING = auto()
    PING = auto()
    HANG_UP = auto()


class KeepAlive:
    """When a client was last heard, and what was done about it."""

    def __init__(self) -> None:
        self.pings = False  # it has sent a ping or a pong
        self._heard: Micros | None = None
        self._pinged = False  # since it was last heard

    def heard(self, now: Micros) -> None:
        """It has said something."""
        self._heard, self._pinged = now, False

    def deadline(self) -> Micros | None:
        """When to look again."""
        if self._heard is None or (self._pinged and not self.pings):
            return None
        return self._heard + SILENCE * (2 if self._pinged else 1)

    def look(self, now: Micros) -> Beat:
        """What follows from its being so late."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return Beat.NOTHING
        if self._pinged:
            return Beat.HANG_UP
        self._pinged = True
        return Beat.PING
