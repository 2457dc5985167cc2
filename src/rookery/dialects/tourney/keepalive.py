"""Whether a client still lives: "@PING to a client silent for 30 s".

A client "is gone 30 s later if it ever sent a `@PING` or `@PONG`": a person at a terminal sends
neither, and is left alone. A client that has never sent anything is sent no ping.
"""

from enum import Enum, auto

from rookery.core.ids import Micros
from rookery.dialects.tourney.limits import SILENCE


class Beat(Enum):
    """What the connection is to do now about a silent client."""

    NOTHING = auto()
    PING = auto()
    HANG_UP = auto()


class KeepAlive:
    """Remembers when a client last sent anything, and whether it was pinged since."""

    def __init__(self) -> None:
        self.pings = False  # it has sent a ping or a pong
        self._heard: Micros | None = None
        self._pinged = False  # since it was last heard

    def heard(self, now: Micros) -> None:
        """Note that the client has sent something at this time."""
        self._heard, self._pinged = now, False

    def deadline(self) -> Micros | None:
        """When to `look` again; None where silence has no consequence any more."""
        if self._heard is None or (self._pinged and not self.pings):
            return None
        return self._heard + SILENCE * (2 if self._pinged else 1)

    def look(self, now: Micros) -> Beat:
        """What the client's silence calls for at this time; a ping is asked for once."""
        deadline = self.deadline()
        if deadline is None or now < deadline:
            return Beat.NOTHING
        if self._pinged:
            return Beat.HANG_UP
        self._pinged = True
        return Beat.PING
