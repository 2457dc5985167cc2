"""How long a ping may wait: "A `@PONG` must go out promptly whatever the load".

Answers keep their order, so a ping waits behind a line that is still before the hall. But
clients "give up after about 2 s without any line", and a disk may take longer. So where a
ping waits and nothing at all has been said for a while, its pong goes first. It mutates,
and the connection owns it.
"""

from rookery.core.ids import Micros
from rookery.dialects.tourney.limits import PONG_AFTER


class LatePong:
    """Since when a ping waits, and whether anything was said since."""

    def __init__(self) -> None:
        self.due: Micros | None = None  # when to look again
        self._spoke = False
        self._none = False  # there is no use in waiting

    def begin(self, now: Micros) -> None:
        """A ping waits, perhaps since earlier."""
        if self.due is None:
            self.due, self._spoke = now if self._none else now + PONG_AFTER, False

    def told(self, notice: str) -> None:
        """While the log cannot be written no line is answered, and no time passes."""
        if notice == "no_disk":
            self._none = True
            self.due = None if self.due is None else 0
        elif notice == "resumed":
            self._none = False

    def spoke(self) -> None:
        """The client was told something, whatever it was."""
        self._spoke = True

    def end(self) -> None:
        """No ping waits any more."""
        self.due = None

    def is_over(self, now: Micros) -> bool:
        """Whether pongs must go first now; if so, no ping waits afterwards."""
        if self.due is None or now < self.due:
            return False
        waits = self._spoke and not self._none
        self.due = now + PONG_AFTER if waits else None
        self._spoke = False
        return self.due is None
