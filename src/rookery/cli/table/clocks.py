"""Clocks between two pieces of news: for the seats to act they run on from what was told.

Nothing here reads the time: callers pass it in. The next news correct the clocks by the
server's own.
"""

from typing import Final

from msgspec.structs import replace

from rookery.cli.table.words import clock_words
from rookery.clients.native.table import KnownTable
from rookery.core.clock import Budget, parse_time_control
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat, Status

TICK: Final = 1.0  # seconds between two looks at a clock
NAME_MAX: Final = 12  # characters of a name beside its clock


class Ticking:
    """Remembers when the last news of a table came, to run its clocks on."""

    def __init__(self) -> None:
        self._told: KnownTable | None = None
        self._since = 0.0

    def at(self, known: KnownTable, now: float) -> KnownTable:
        """The table with its clocks as they stand now, in seconds of any one clock."""
        if known is not self._told:
            self._told, self._since = known, now
        return run_on(known, int((now - self._since) * MICROS_A_SECOND))


def ticks(known: KnownTable) -> bool:
    """Whether a clock runs there."""
    return known.left is not None and bool(known.to_act) and known.status == Status.PLAYING


def run_on(known: KnownTable, gone: Micros) -> KnownTable:
    """The table with its clocks run on by the microseconds gone since its last news."""
    if known.left is None or not ticks(known):
        return known
    control = parse_time_control(known.time)
    delay = control.delay if isinstance(control, Budget) else 0
    left = []
    for seat, told in enumerate(known.left):
        # Who was thinking before the last news too has used up what is free.
        free = 0 if seat in known.thinking else delay
        used = max(0, gone - free) if seat in known.to_act else 0
        left.append(max(0, told - used))
    return replace(known, left=tuple(left))


def clocks(known: KnownTable) -> str:
    """All clocks in a line, each with its name, `>` before those that run."""
    shown = []
    for seat, left in enumerate(known.left or ()):
        called = known.players.names[seat] or known.players.seat(Seat(seat))
        name = "you" if seat == known.mine else called[:NAME_MAX]
        shown.append(f"{'>' if seat in known.to_act else ' '}{name} {clock_words(left)} ")
    return "".join(shown)
