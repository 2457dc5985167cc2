"""What a store in a database takes from the machine it runs on: a caller, a clock, a thread.

All of it comes in as one value; so a store can be run on a machine that is made up
(`rookery_tools.sim`), where nothing is done in threads.
"""

import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

Round = Callable[[], float | None]  # works once; returns seconds until the next time, None: no more


def this_process() -> str:
    """How others call this process when they wait for it: `machine:number`."""
    return f"{socket.gethostname()}:{os.getpid()}"


def in_a_thread(wait: float, work: Round) -> Callable[[], None]:
    """Do this work again and again in a thread, first after `wait` seconds; return an `end`."""
    over = threading.Event()

    def run() -> None:
        rest: float | None = wait
        while rest is not None and not over.wait(rest):
            rest = work()

    def end() -> None:
        over.set()
        thread.join()

    thread = threading.Thread(target=run, name="lease", daemon=True)
    thread.start()
    return end


class Reach(Struct, frozen=True):
    """How a process reaches its database: what dials, which clock, and which threads."""

    dial: Callable[..., Any] | None = None  # Any: psycopg's connections; None: psycopg's own
    clock: Callable[[], float] = time.monotonic
    beside: Callable[[float, Round], Callable[[], None]] = in_a_thread
    name: Callable[[], str] = this_process  # of this process


HERE: Final = Reach()
