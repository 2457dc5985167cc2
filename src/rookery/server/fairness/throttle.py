"""The throttle: when there is time to serve floods, while others play.

Work for clients that flood is done in pieces, by the scheduler (which hears) and by the clerk
(which decides). While others have played lately, whichever of the two has done a piece rests
for several times as long as the piece took, and the other rests once as long. So there is one
piece in a turn of the loop, and a move that comes meanwhile waits for that one at most, and
mostly for none. Against a flood that lasts the rests are longer still, so that most moves meet
no piece at all. Where nobody plays there is no rest. One clock measures everything here; it
mutates.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter_ns
from typing import Final

# A worker rests so many times as long as a piece took. Hearing rests less: a request over HTTP
# takes several pieces, with a rest after each, and honest readers make them.
RESTS: Final = 3
RESTS_OF_HEARING: Final = 2
# A flood that lasts has one in so many nanoseconds. A while at its beginning does not count, which
# is for those who open a page or look something up.
SHARE: Final = 16
BURST: Final = 25_000_000  # nanoseconds of pieces
LATELY: Final = 5_000_000  # nanoseconds ago
NANOS: Final = 1e9  # in a second


class Throttle:
    """Knows whether anyone has played lately, and until when floods rest after the last piece."""

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self.clock = clock
        self.until = 0  # nobody begins another piece before
        self._played = -LATELY  # when somebody last played
        self._left = BURST  # nanoseconds of pieces until the rests get longer
        self._seen = clock()  # when `_left` was worked out
        self._long = False  # rests are longer, until half of `BURST` is left again

    def played(self) -> None:
        """Note that somebody who does one thing at a time has played now."""
        self._played = self.clock()

    def lately(self) -> bool:
        """Whether somebody has played in the last few milliseconds."""
        return self.clock() - self._played < LATELY

    def is_long(self, spent: int) -> bool:
        """Count a piece of so many nanoseconds; return whether the flood has lasted long."""
        now = self.clock()
        self._left = max(0, min(BURST, self._left + (now - self._seen) // SHARE) - spent)
        self._seen = now
        self._long = self._left < BURST // 2 if self._long else not self._left
        return self._long


class Pieces:
    """The pieces of work for floods that one worker does: the scheduler, or the clerk."""

    def __init__(self, throttle: Throttle, rests: int = RESTS) -> None:
        self.throttle = throttle
        self._rests = rests
        self._until = 0  # this worker rests until then
        self._began: int | None = None  # when the piece under way began

    def begin(self) -> None:
        """Note that a piece of work begins, unless one is under way."""
        if self._began is None:
            self._began = self.throttle.clock()

    def end(self) -> None:
        """End the piece under way, if there is one, and rest for as long as it deserves."""
        if self._began is not None:
            self.took(self.throttle.clock() - self._began)
            self._began = None

    def took(self, spent: int) -> None:
        """Rest after a piece that took so many nanoseconds, if others have played lately."""
        throttle = self.throttle
        if throttle.lately():
            now, rests = throttle.clock(), SHARE if throttle.is_long(spent) else self._rests
            self._until, throttle.until = now + rests * spent, now + spent

    def pause(self) -> int:
        """Nanoseconds until the next piece may begin; 0 if it may now."""
        until = max(self._until, self.throttle.until)
        return max(0, until - self.throttle.clock()) if until else 0


class Later:
    """Does some work after a pause, and only once if several ask for it meanwhile."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waits = False

    def __call__(self, pause: int) -> None:
        """Do the work in so many nanoseconds; at once if the pause is 0."""
        if not pause:
            self._work()
        elif not self._waits:
            self._waits = True
            asyncio.get_running_loop().call_later(pause / NANOS, self._do)

    def _do(self) -> None:
        self._waits = False
        self._work()
