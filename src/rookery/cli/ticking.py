"""Clocks between two pieces of news: they run on from what was told, for the seats to act.

Nothing here reads the time: whoever asks says what it is. The next news have the server's
word for it.
"""

from typing import Final

from msgspec.structs import replace

from rookery.cli.room import Room
from rookery.cli.words import clock_words
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.status import Status
from rookery.core.timecontrol import Budget, parse_time_control

TICK: Final = 1.0  # seconds between two looks at a clock
WIDTH: Final = 7  # of a clock, so that what stands behind it stays where it is


class Ticking:
    """When a room was last told of. It mutates."""

    def __init__(self) -> None:
        self._told: Room | None = None
        self._since = 0.0

    def at(self, room: Room, now: float) -> Room:
        """The room with its clocks as they stand now, in seconds of any one clock."""
        if room is not self._told:
            self._told, self._since = room, now
        return run_on(room, int((now - self._since) * MICROS_A_SECOND))


def ticks(room: Room) -> bool:
    """Whether a clock runs there."""
    return room.left is not None and bool(room.to_act) and room.status == Status.PLAYING


def run_on(room: Room, gone: Micros) -> Room:
    """The room so long after it was told of."""
    if room.left is None or not ticks(room):
        return room
    control = parse_time_control(room.time)
    delay = control.delay if isinstance(control, Budget) else 0
    left = []
    for seat, told in enumerate(room.left):
        # Who was thinking before the last news too has used up what is free.
        free = 0 if seat in room.thinking else delay
        used = max(0, gone - free) if seat in room.to_act else 0
        left.append(max(0, told - used))
    return replace(room, left=tuple(left))


def clocks(room: Room) -> str:
    """All clocks in a line that is always as long, `>` before those that run."""
    return "".join(
        f"{'>' if seat in room.to_act else ' '}{clock_words(left):<{WIDTH}} "
        for seat, left in enumerate(room.left or ())
    )
