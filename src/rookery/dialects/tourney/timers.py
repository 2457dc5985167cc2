"""The waits of one connection: a span of time, silence, and a ping that waits for its pong.

Each is told the time and says when to look again; none reads a clock. A client silent for 30 s
is sent `@PING`, and "is gone 30 s later if it ever sent a `@PING` or `@PONG`": a person at a
terminal sends neither, and is left alone.
"""

from enum import Enum, auto

from rookery.core.ids import Micros
from rookery.dialects.tourney.profile import PONG_AFTER, SILENCE


class Delay:
    """A wait of a fixed length, which can be begun and stopped."""

    def __init__(self, length: Micros) -> None:
        self.runs = False
        self._length = length
        self._due: Micros | None = None

    def begin(self) -> None:
        """Begin to wait; the length is counted from the next call of `is_over`."""
        self.runs, self._due = True, None

    def stop(self) -> None:
        """End the wait early: it will never be over."""
        self.runs = False

    def deadline(self) -> Micros | None:
        """When to call `is_over`: first at once, to learn the time; None where nothing runs."""
        return (self._due or 0) if self.runs else None

    def is_over(self, now: Micros) -> bool:
        """Whether the wait has just come to its end; True is returned once."""
        if not self.runs:
            return False
        if self._due is None:
            self._due = now + self._length
        if now < self._due:
            return False
        self.runs = False
        return True


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


class LatePong:
    """Remembers until when a ping may wait, and whether the client was sent anything since."""

    def __init__(self) -> None:
        self.due: Micros | None = None  # when to look again
        self._spoke = False
        self._none = False  # there is no use in waiting

    def begin(self, now: Micros) -> None:
        """Note that a ping waits to be answered; one that waits already keeps its time."""
        if self.due is None:
            self.due, self._spoke = now if self._none else now + PONG_AFTER, False

    def told(self, notice: str) -> None:
        """Take a notice of the hall: while the log cannot be written, pongs go out at once."""
        if notice == "no_disk":
            self._none = True
            self.due = None if self.due is None else 0
        elif notice == "resumed":
            self._none = False

    def spoke(self) -> None:
        """Note that the client was sent something, whatever it was."""
        self._spoke = True

    def end(self) -> None:
        """Note that no ping waits any more."""
        self.due = None

    def is_over(self, now: Micros) -> bool:
        """Whether pongs must go out now, before other answers; then no ping waits any more."""
        if self.due is None or now < self.due:
            return False
        waits = self._spoke and not self._none
        self.due = now + PONG_AFTER if waits else None
        self._spoke = False
        return self.due is None
