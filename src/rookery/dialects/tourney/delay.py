"""A while to wait, from when somebody next says how late it is.

What leads to it is told without a time, so its first deadline is at once. It mutates, and
the connection owns it.
"""

from rookery.core.ids import Micros


class Delay:
    """So long, once it has begun."""

    def __init__(self, length: Micros) -> None:
        self.runs = False
        self._length = length
        self._due: Micros | None = None

    def begin(self) -> None:
        """From now on, whenever that is."""
        self.runs, self._due = True, None

    def stop(self) -> None:
        """Nobody waits any more."""
        self.runs = False

    def deadline(self) -> Micros | None:
        """When to look: first of all at once, to learn what time it is."""
        return (self._due or 0) if self.runs else None

    def is_over(self, now: Micros) -> bool:
        """Whether it has just come to its end."""
        if not self.runs:
            return False
        if self._due is None:
            self._due = now + self._length
        if now < self._due:
            return False
        self.runs = False
        return True
