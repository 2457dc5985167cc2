"""How long a ping may wait: "A `@PONG` must go out promptly whatever the load".

Answers keep their order, so a ping waits behind a line to which the hall has not replied. But
clients "give up after about 2 s without any line", and a disk may take longer. So where a ping
waits and the client has been sent nothing for a while, its pong goes first.
"""

from rookery.core.ids import Micros
from rookery.dialects.tourney.limits import PONG_AFTER


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
