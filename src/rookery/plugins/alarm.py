"""A bound on code that is not ours: it is interrupted by the system's alarm.

Only the main thread can be interrupted so, and only between two steps of Python: a call into
C that never returns cannot be. What is raised is no `Exception`, so code that catches those
is interrupted nonetheless.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rookery.core.errors import TookTooLong


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise TookTooLong


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what is done here after so long, by TookTooLong; in other threads never."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
