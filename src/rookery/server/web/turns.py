"""Who is heard next: callers who said much have their turns one after the other.

A turn is a small piece of what was said, and in between the event loop does what else
there is to do. So the moves of others wait for one piece, however many callers there are.
"""

import asyncio
from collections import deque
from collections.abc import Callable

Hear = Callable[[], None]


class Turns:
    """Everyone who waits for a turn. It mutates."""

    def __init__(self) -> None:
        self._waiting: deque[Hear] = deque()
        self._called = False  # somebody's turn is next in the loop

    def ask(self, hear: Hear) -> None:
        """Call this when all who asked before have been heard."""
        self._waiting.append(hear)
        self._call()

    def _call(self) -> None:
        if self._waiting and not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        self._called = False
        hear = self._waiting.popleft()
        self._call()
        hear()
