"""Writes that are held back: what only a flood has decided goes with the next move.

A write makes everybody wait for the disk. Beside others who play, what who asks much has to
have written goes with the next that is written for them, or by itself when none came for a
while: so a move does not wait for a write of a flood's, and a flood needs fewer. It mutates,
and the keeper owns it.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from rookery.server.fairness.clerk import Decided

LONGEST: Final = 0.002  # seconds that it waits for another's write


class Timed(Protocol):
    """What is to be done later."""

    def cancel(self) -> None:
        """Do not."""
        ...


class CallsLater(Protocol):
    """A loop, as far as it is needed."""

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timed:
        """Do this in so many seconds."""
        ...


class HeldWrites:
    """Whether a write waits; `go_on` is called when it has waited long enough."""

    def __init__(self, loop: CallsLater, go_on: Callable[[], None]) -> None:
        self._loop = loop
        self._go_on = go_on
        self._timer: Timed | None = None
        self._waited = False  # long enough

    def waits(self, decided: Sequence[Decided], *, flood: bool) -> bool:
        """Whether this, of which all that was asked for may be a flood's, waits for others."""
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
    """Whether all of it was asked for by somebody who is there, and something is to be written."""
    asked = all(asker is not None for asker, _ in decided)
    return asked and any(batch.records for _, batch in decided)
