"""Waiting for a server or for the keyboard, until Ctrl-C.

Python looks at signals between two steps of its own. A signal that comes after the last look
and before the system waits would be seen only when something else comes, which may be never:
so the signal itself writes to a socket that is waited for too.
"""

import select
import signal
import socket
import threading
from collections.abc import Sequence


def ready(files: Sequence[int], seconds: float | None = None) -> list[int]:
    """Wait until some of these files have something to read; none of them if the time is up."""
    if threading.current_thread() is not threading.main_thread():
        return select.select(files, [], [], seconds)[0]  # signals are the main thread's
    woken, waking = socket.socketpair()
    with woken, waking:
        waking.settimeout(0)
        before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        try:
            found = select.select([*files, woken.fileno()], [], [], seconds)[0]
        finally:
            signal.set_wakeup_fd(before)
    return [number for number in found if number in files]
