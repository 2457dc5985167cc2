"""Waiting for a database: for so long, or until something is said on a line to it.

What takes its time is a generator of pauses, so that nothing in it waits itself: one who has
a thread just waits (`wait`), and a made-up machine goes on when its own time has come.
"""

import time
from collections.abc import Generator
from typing import TypeVar

from msgspec import Struct

from rookery.store.postgres.connecting import DatabaseLine


class Pause(Struct, frozen=True):
    """To wait for so many seconds; or less, where something is said before."""

    seconds: float
    line: DatabaseLine | None = None  # on which that may be


Found = TypeVar("Found")
# It is sent whether something was said.
Waiting = Generator[Pause, bool | None, Found]


def wait(waiting: Waiting[Found]) -> Found:
    """What is found in the end, however long that takes."""
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
