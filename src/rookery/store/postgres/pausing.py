"""Waiting for a database: for so long, or until it sends a notification.

Work that takes its time is a generator of pauses, so that nothing in it waits by itself: a
caller with a thread just waits (`wait`), and a made-up machine goes on when its own time has
come.
"""

import time
from collections.abc import Generator
from typing import TypeVar

from msgspec import Struct

from rookery.store.postgres.connecting import DatabaseLine


class Pause(Struct, frozen=True):
    """A wish to wait for so many seconds; or less, if a notification comes on `line` before."""

    seconds: float
    line: DatabaseLine | None = None  # where a notification may come


Found = TypeVar("Found")
# After a pause it is sent whether a notification came.
Waiting = Generator[Pause, bool | None, Found]


def wait(waiting: Waiting[Found]) -> Found:
    """Run this to its end, with all its pauses, and return what it found."""
    try:
        pause = next(waiting)
        while True:
            if pause.line is None:
                time.sleep(pause.seconds)
                pause = next(waiting)
            else:
                pause = waiting.send(pause.line.hear(pause.seconds))
    except StopIteration as end:
        found: Found = end.value
        return found
