"""Whether whoever asked over HTTP still waits for the answer.

What takes long is not done for nobody. A client that hangs up and one that only says no more look
the same over TCP, until something is sent to it: so both have left, for what takes long.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from starlette.types import Scope

T = TypeVar("T")

ASKER: Final = "rookery.asker"  # in the scope of a request


class Left(Exception):
    """Whoever asked has left."""


class Asker:
    """A connection, or one request of it, as the app knows it. It mutates."""

    __slots__ = ("_stop", "left")

    def __init__(self) -> None:
        self.left = False
        self._stop: Callable[[], object] | None = None  # what is being done for it

    def leave(self) -> None:
        """Stop what is being done for it."""
        self.left = True
        if self._stop is not None:
            self._stop()

    def tell(self, stop: Callable[[], object] | None) -> None:
        """Call this when it leaves, or now if it has left; None: nothing is done any more."""
        self._stop = stop
        if self.left and stop is not None:
            stop()

    async def while_here(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this work while the asker is there. Raises Left."""
        task = asyncio.get_running_loop().create_task(work)
        self.tell(task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            if task.cancelled() and self.left:
                raise Left from None
            raise
        finally:
            self.tell(None)


def asker_of(scope: Scope) -> Asker:
    """Who asked this request."""
    found = scope.get(ASKER)
    return found if isinstance(found, Asker) else Asker()
