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
def at_most(seconds: float, *, work: float = 0) -> Iterator[None]:
    """Interrupt what is done here after so long, by TookTooLong; in other threads never.

    Or after so many seconds of a processor's `work`, where that is said: a busy machine must
    not make something look endless. 0 is no bound, of either.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(kind, signal.signal(kind, _ring)) for kind in (signal.SIGALRM, signal.SIGPROF)]
    signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_PROF, work)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for kind, handler in before:
            signal.signal(kind, handler)
