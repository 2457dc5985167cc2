"""How soon another thread goes on while one computes.

A thread of Python computes for 5 ms before another has a turn, and the thread that writes the
log needs several turns for one commit: while much is asked, a move would wait for all of them.
So while any part of the server is in a hurry, threads change fifty times as often. Doing that
always would cost a sixth of a move's CPU. It mutates, from more than one thread.
"""

import sys
from threading import Lock
from typing import Final

HURRIED: Final = 0.0001  # seconds that a thread computes before another goes on


class ThreadSwitching:
    """Lets threads change often while any part of the server is in a hurry."""

    def __init__(self) -> None:
        self._usual = sys.getswitchinterval()
        self._hurried: set[object] = set()
        self._lock = Lock()

    @property
    def hurried(self) -> bool:
        """Whether any part of the server is in a hurry."""
        return bool(self._hurried)

    def hurry(self, who: object, *, hurried: bool) -> None:
        """Note that `who`, a part of the server, is in a hurry, or is no longer."""
        if (who in self._hurried) is hurried:
            return
        with self._lock:
            if hurried:
                self._hurried.add(who)
            else:
                self._hurried.discard(who)
            sys.setswitchinterval(HURRIED if self._hurried else self._usual)

    def calm(self) -> None:
        """Forget all who are in a hurry, because the server has stopped."""
        for who in list(self._hurried):
            self.hurry(who, hurried=False)


SWITCHING: Final = ThreadSwitching()  # of this process: the interpreter has one
