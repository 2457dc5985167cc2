"""The throttle: when there is time for who asks much, beside others who play.

Such work is done in pieces, by who hears and by who decides. While others have played
lately, each of both rests for some times as long as its last piece took, and the other for
as long: so in one turn of the loop there is one piece, and a move that comes meanwhile
waits for that one at most, and mostly for none. Who asks much on and on rests longer still, so
that most moves meet no piece at all. Where nobody plays there is no rest.
Everything here is told how long things take by one clock; it mutates.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter_ns
from typing import Final

# Times what a piece took are for others then. Of hearing fewer: a request over HTTP is several
# pieces, each of which rests, and honest readers make them.
RESTS: Final = 3
RESTS_OF_HEARING: Final = 2
# One in so many nanoseconds is for who asks much on and on; before that there is a while that is
# not counted so, for who opens a page or looks something up.
SHARE: Final = 16
BURST: Final = 25_000_000  # nanoseconds of pieces
LATELY: Final = 5_000_000  # nanoseconds ago
NANOS: Final = 1e9  # in a second


class Throttle:
    """Whether others played, and until when they have their time after the last piece."""

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self.clock = clock
        self.until = 0  # nobody begins another piece before
        self._played = -LATELY  # when somebody last did
        self._left = BURST  # nanoseconds of pieces before they rest longer
        self._seen = clock()  # when there were so many
        self._long = False  # they do, until half of it is there again

    def played(self) -> None:
        """Somebody who does one thing at a time did something."""
        self._played = self.clock()

    def lately(self) -> bool:
        """Whether somebody has played just now."""
        return self.clock() - self._played < LATELY

    def is_long(self, spent: int) -> bool:
        """Whether pieces have been asked for on and on, after this one beside others who play."""
        now = self.clock()
        self._left = max(0, min(BURST, self._left + (now - self._seen) // SHARE) - spent)
        self._seen = now
        self._long = self._left < BURST // 2 if self._long else not self._left
        return self._long


class Pieces:
    """The pieces of one who works for who asks much."""

    def __init__(self, throttle: Throttle, rests: int = RESTS) -> None:
        self.throttle = throttle
        self._rests = rests
        self._until = 0  # it rests
        self._began: int | None = None  # when the piece under way did

    def begin(self) -> None:
        """A piece begins, if none has."""
        if self._began is None:
            self._began = self.throttle.clock()

    def end(self) -> None:
        """It is over, if there was one, with all that was done for it at once."""
        if self._began is not None:
            self.took(self.throttle.clock() - self._began)
            self._began = None

    def took(self, spent: int) -> None:
        """A piece took so many nanoseconds: others who play have their time now."""
        throttle = self.throttle
        if throttle.lately():
            now, rests = throttle.clock(), SHARE if throttle.is_long(spent) else self._rests
            self._until, throttle.until = now + rests * spent, now + spent

    def pause(self) -> int:
        """Nanoseconds until there is time for the next."""
        until = max(self._until, self.throttle.until)
        return max(0, until - self.throttle.clock()) if until else 0


class Later:
    """Does something after a pause, and once for however many who ask for it meanwhile."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waits = False

    def __call__(self, pause: int) -> None:
        """Do it in so many nanoseconds; at once where these are none."""
        if not pause:
            self._work()
        elif not self._waits:
            self._waits = True
            asyncio.get_running_loop().call_later(pause / NANOS, self._do)

    def _do(self) -> None:
        self._waits = False
        self._work()
