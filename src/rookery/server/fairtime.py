"""Fair time: what the clocks of players run by. It never takes what is not the player's.

The hall is told two times. People's time is the wall's: it dates the log and ends an
arena. Fair time is for clocks: it goes on with the monotonic clock, and leaves out all
that was ours: a loop that did not turn, a process that was stopped, a machine that
slept, a log that could not be written.

A move was in time if it was *there* in time, not if we came to read it. What is read had
not come when the loop last looked at the sockets: so it is charged up to a moment before
that look, and for what the loop has waited since; not for what the loop did in between,
nor for waiting for a processor. This is the least it can have taken: `read` never says
more, and says less by no more than the loop was busy for a few turns and five milliseconds: for
less than that it does not turn twice more just to have looked again, which at a single table
would be half of its turns. A beat every so often says that the loop is alive.
Where one is late without work, the process was stopped, and nobody knows since when: then what is
read may have come when that beat was due, and is charged up to then.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros, Wall

BEAT: Final[Micros] = 50_000  # how often the loop says that it is alive
STALL: Final[Micros] = 3 * BEAT  # a gap this long is no jitter
WORKED: Final[Micros] = 5_000  # of work since the last look, after which to look again is worth it
DOUBT: Final[Micros] = 1_000  # a wait too short to ask how much of it was for a processor
AHEAD: Final[Micros] = 2 * MICROS_A_SECOND  # a clock that is set right may jump this far
NANOS: Final = 1_000  # in a microsecond


class LoopMetrics(Protocol):
    """What is known of an event loop that looks at its sockets, waits there, and works."""

    def idle(self) -> Micros:
        """How long the loop has waited at its sockets so far, in microseconds."""
        ...

    def delayed(self) -> Micros:
        """How long the loop could have run and got no processor so far, in microseconds."""
        ...

    def soon(self, work: Callable[[], object]) -> None:
        """Do this in the next turn of the loop."""
        ...


class Mark(Struct, frozen=True, gc=False):
    """A moment by the monotonic clock, and what the loop had waited by then."""

    at: Micros
    idle: Micros
    delayed: Micros


class FairTime:
    """A clock for the hall, made from the monotonic clock and the wall's."""

    def __init__(
        self,
        monotonic: Callable[[], Micros],
        wall: Callable[[], Micros],
        *,
        metrics: LoopMetrics | None = None,
        beat: Micros = BEAT,
        stall: Micros = STALL,
    ) -> None:
        self._monotonic, self._wall, self._metrics = monotonic, wall, metrics
        self._beat, self._stall = self._usual = beat, stall
        self._last_beat = monotonic()
        self._told = wall()  # the latest time anyone was told; any beginning would do
        self._offset = self._told - self._last_beat
        # The last stretch that was taken out: from, to, and what was added before it.
        self._gap = (self._last_beat, self._last_beat, self._offset)
        self._standing: tuple[Micros, Micros] | None = None  # since when, and at what time
        self._polled = self.mark()  # everything that had come by this mark has been read
        self._overslept = (self._last_beat, self._last_beat)  # when a late beat was due, and came
        self._came = self._polled.at  # the earliest moment for what is being read just now
        self._reading = False  # it holds for all that the loop saw in this turn
        self._read: Micros | None = None  # `_came` as clocks count it; None: it must be worked out
        self.stalled: Micros = 0  # how long the server was away, all in all
        self._awaited: Micros = 0  # the latest moment that anybody sleeps for
        self.rouse: Callable[[], None] = lambda: None  # whom to tell that somebody sleeps for one

    def wall(self) -> Wall:
        """The time as people call it; it may be set, forwards and back."""
        return Wall(self._wall())

    def now(self) -> Micros:
        """The time, as clocks count it; it never goes back."""
        self._told = max(self._told, self._fair(self._settle()))
        return self._told

    def left_out(self) -> Micros:
        """The time that clocks did not count, from some beginning on: compare two calls."""
        return self._monotonic() - self.now()

    def read(self) -> Micros:
        """The earliest time, as clocks count it, at which what is being read can have come."""
        metrics = self._metrics
        if metrics is None:
            return self.now()
        if not self._reading:
            self._reading = True
            self._came = self._least(metrics)
            metrics.soon(self._turned)
        elif self._read is not None and self._monotonic() - self._last_beat <= self._stall:
            return self._read  # as with most, where many play: `_settle` would find nothing
        self._settle()
        self._read = self._fair(self._came)
        return self._read

    def _least(self, metrics: LoopMetrics) -> Micros:
        base = self._polled
        waited = metrics.idle() - base.idle
        if waited < DOUBT:
            return base.at
        least = base.at + max(0, waited - (metrics.delayed() - base.delayed))
        due, came = self._overslept
        return min(least, self._last_beat + self._beat, due if came > base.at else least)

    def _turned(self) -> None:
        """Look once more after a turn in which something was read, if that is worth it."""
        self._reading = False
        if self._metrics is not None and self.should_poll():
            mark, soon = self.mark(), self._metrics.soon
            soon(lambda: soon(lambda: self.polled(mark)))

    def should_poll(self) -> bool:
        """Whether the loop has worked so long since its last look that one more is worth it."""
        metrics, base = self._metrics, self._polled
        passed = self._monotonic() - base.at
        return passed >= WORKED and (
            metrics is None or passed - metrics.idle() + base.idle >= WORKED
        )

    def all_read(self) -> Micros:
        """A time, as clocks count it, by which everything that had come has been read."""
        if self._metrics is None:
            return self.now()
        self._settle()
        return self._fair(self._least(self._metrics))

    def mark(self) -> Mark:
        """This moment, to be given to `polled` once the loop has looked at the sockets again."""
        metrics = self._metrics
        if metrics is None:
            return Mark(self._monotonic(), 0, 0)
        # The time first: what is read of the loop afterwards is not less than it was then.
        return Mark(self._monotonic(), metrics.idle(), metrics.delayed())

    def polled(self, mark: Mark) -> None:
        """Note that everything that had come by this mark has been read."""
        if mark.at > self._polled.at:
            self._polled = mark

    def wait(self, deadline: Micros) -> Micros:
        """Microseconds to sleep until this deadline; at least one beat while time stands."""
        if deadline > self._awaited:
            self._awaited = deadline
            self.rouse()
        least = 0 if self._standing is None else self._beat
        return max(least, deadline - self.now())

    def is_awaited(self) -> bool:
        """Whether anybody sleeps until a moment that is still to come."""
        return self._awaited > self.now()

    def beat(self, slower: int = 1) -> None:
        """Note that the loop has turned; the next beat is due after `slower` times the usual."""
        due, now = self._last_beat + self._beat, self._settle()
        if now > due:
            self._overslept = (due, now)
        self._last_beat = now
        beat, stall = self._usual
        self._beat, self._stall = slower * beat, slower * stall

    def stand(self) -> None:
        """Let no time pass from now on, for anyone."""
        if self._standing is None:
            self._standing, self._read = (self._settle(), self.now()), None

    def go_on(self) -> None:
        """Let time pass again, from where it stood."""
        if self._standing is not None:
            since, stood = self._standing
            here = self._monotonic()
            self._standing = self._read = None
            self._gap = (since, here, self._offset)
            self._offset, self._last_beat = stood - here, here

    def _fair(self, moment: Micros) -> Micros:
        """Convert this moment of the monotonic clock into time as clocks count it."""
        if self._standing is not None:
            moment = min(moment, self._standing[0])
        since, until, before = self._gap
        return moment + self._offset if moment >= until else min(moment, since) + before

    def _settle(self) -> Micros:
        """The monotonic time; if the loop has stalled, take the lost time out of fair time."""
        now = self._monotonic()
        gap = now - self._last_beat
        if gap > self._stall and self._standing is None:
            # What somebody was told before it was found to be a stall has passed, and stays so.
            lost = min(gap - self._beat, now + self._offset - self._told)
            self._gap = (now - lost, now, self._offset)
            self._offset -= lost
            self.stalled += lost
            self._last_beat, self._read = now, None
        return now


def monotonic() -> Micros:
    """The monotonic clock in whole microseconds."""
    return time.monotonic_ns() // NANOS


def wall() -> Micros:
    """The time of day, in whole microseconds since 1970."""
    return time.time_ns() // NANOS


def ahead(last: Micros, now: Micros) -> str | None:
    """A warning if the last record of a log is dated later than it is now; else None."""
    if last <= now + AHEAD:
        return None
    return (
        f"The log's last record is dated {_said(last)}, and it is {_said(now)} by this machine's "
        "clock: one of the two is wrong. New records get the time that it is now; what is "
        "written keeps its dates, and its order is that of its numbers."
    )


def _said(moment: Micros) -> str:
    try:
        said = datetime.fromtimestamp(moment / MICROS_A_SECOND, UTC)
    except (ValueError, OverflowError, OSError):
        return "beyond all calendars"
    return f"{said:%Y-%m-%d %H:%M:%S} UTC"
