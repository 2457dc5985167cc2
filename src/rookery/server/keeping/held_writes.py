"""Writes that are held back: what only a flood has decided is written with the next move.

A write makes everybody wait for the disk. So while others play, what a client that floods has
changed is written together with the next thing of theirs, or by itself when none came for a
while: a move does not wait for a flood's write, and a flood needs fewer writes. It mutates,
and the keeper owns it.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from rookery.server.fairness.clerk import Decided

LONGEST: Final = 0.002  # seconds that a flood's write waits for another's


class Timed(Protocol):
    """A call that is to be made later."""

    def cancel(self) -> None:
        """Do not make the call."""
        ...


class CallsLater(Protocol):
    """An event loop, as far as it is needed here."""

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timed:
        """Call this in so many seconds."""
        ...


class HeldWrites:
    """Holds a flood's writes back; calls `go_on` when one has waited long enough."""

    def __init__(self, loop: CallsLater, go_on: Callable[[], None]) -> None:
        self._loop = loop
        self._go_on = go_on
        self._timer: Timed | None = None
        self._waited = False  # long enough

    def waits(self, decided: Sequence[Decided], *, flood: bool) -> bool:
        """Whether these decisions, all for a `flood` or not, are to wait for another's write."""
        if flood and not self._waited and _is_asked_and_written(decided):
            if self._timer is None:
                self._timer = self._loop.call_later(LONGEST, self._over)
            return True
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._waited = None, False
        return False

    def _over(self) -> None:
        self._timer, self._waited = None, True
        self._go_on()


def _is_asked_and_written(decided: Sequence[Decided]) -> bool:
    """Whether connected sessions asked for all of this, and something must be written."""
    asked = all(asker is not None for asker, _ in decided)
    return asked and any(batch.records for _, batch in decided)
