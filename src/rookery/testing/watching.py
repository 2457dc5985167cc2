"""How long anything that is tried may take: what does not come back is told, not waited for."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

PATIENCE: Final = 10.0  # seconds for one trial: longer is for ever


class TookTooLong(Exception):
    """The rules, or a bot, or a dialect did not come back."""


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in what takes longer, where that can be done: in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLong(f"nothing within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
