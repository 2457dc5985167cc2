"""A span of time to wait, begun by code that does not know what time it is.

The news that begin a delay come without a time. So its first deadline is at once: the tick that
follows tells the time, and the span is counted from there.
"""

from rookery.core.ids import Micros


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
