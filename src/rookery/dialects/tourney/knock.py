"""Wanting to be a player whom another connection acts for: it is asked whether it lives.

A host and a number prove little, and a bot that says nothing may be thinking. So whoever
wants to be a player that is connected waits while the old connection is asked: if it is gone,
it is found out in that time. It mutates, and the connection owns it.
"""

from rookery.core.ids import Micros
from rookery.core.intents import Resume
from rookery.dialects.limits import TOURNEY_ASKED_AFTER


class Knock:
    """The wish, and when to say it again."""

    def __init__(self) -> None:
        self._wish: Resume | None = None
        self._due: Micros | None = None
        self._again = False  # it was said twice

    def begin(self) -> None:
        """A new wish."""
        self._wish, self._again = None, False

    def wait(self, wish: Resume) -> bool:
        """The other connection is asked; whether to wait for what comes of it."""
        if self._again:
            return False
        self._wish, self._due = wish, None
        return True

    def deadline(self) -> Micros | None:
        """When to look again: first of all at once, to learn what time it is."""
        return None if self._wish is None else self._due or 0

    def look(self, now: Micros) -> Resume | None:
        """The wish, where it is to be said again now."""
        if self._wish is None:
            return None
        if self._due is None:
            self._due = now + TOURNEY_ASKED_AFTER
        if now < self._due:
            return None
        wish, self._wish, self._again = self._wish, None, True
        return wish
