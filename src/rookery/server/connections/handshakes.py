"""Shaking hands under TLS, in a thread of its own: nobody else waits for it.

A signature takes a millisecond or two that nobody can interrupt, and OpenSSL lets go of
the interpreter meanwhile. There is one thread, and the system lets all others go before it.
Hosts have equal parts of its time, however many of their connections wait. A client that
shakes hands also takes time of the loop's, to come, be told and go, about half as much; so
while others play the thread rests between two handshakes. It mutates, and lives in the event
loop.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from time import thread_time_ns
from typing import Final

from rookery.core.network import home_of
from rookery.server.connections.tls import Sealed
from rookery.server.fairness.shares import Flow, Shares

RESTS: Final = 4  # times as long as a handshake took the thread rests, while others play
NICE: Final = 10  # the thread's niceness: the loop and the scribe go first
NANOS: Final = 1e9  # in a second

Then = Callable[[], None]


class Handshakes:
    """Shakes hands with one connection after the other; the thread is made for the first."""

    def __init__(
        self, thread: Executor | None = None, others: Callable[[], bool] = lambda: False
    ) -> None:
        self._thread = thread
        self._others = others  # whether others play
        self._order = Shares()
        self._waiting: dict[Flow, tuple[Sealed, Then]] = {}
        self._shaking = False

    def __len__(self) -> int:
        """How many connections wait for their turn."""
        return len(self._waiting)

    def ask(self, host: str, sealed: Sealed, then: Then) -> None:
        """Shake hands with this connection in its turn, then call `then`; not if it has ended."""
        flow = self._order.flow(home_of(host))
        self._waiting[flow] = sealed, then
        self._order.wait(flow)
        if not self._shaking:
            self._next()

    def _next(self) -> None:
        while (flow := self._order.next()) is not None:
            sealed, then = self._waiting.pop(flow)
            if sealed.ended:
                self._order.leave(flow)
                continue
            self._shaking = True
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "handshakes", _stand_back)
            done = asyncio.get_running_loop().run_in_executor(self._thread, _timed, sealed)
            done.add_done_callback(partial(self._shaken, flow, then))
            return

    def _shaken(self, flow: Flow, then: Then, done: "asyncio.Future[int]") -> None:
        self._shaking = False
        spent = done.result()
        self._order.charge(flow, spent)
        self._order.leave(flow)
        if self._others():
            self._shaking = True
            asyncio.get_running_loop().call_later(RESTS * spent / NANOS, self._rested)
        else:
            self._next()
        then()

    def _rested(self) -> None:
        self._shaking = False
        self._next()


def _timed(sealed: Sealed) -> int:
    """Shake hands as far as possible; return the processor time that took, in nanoseconds."""
    began = thread_time_ns()
    sealed.shake()
    return thread_time_ns() - began


def _stand_back() -> None:
    """Give this thread a lower priority, on systems where one thread can have its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, NICE)  # of this thread; elsewhere, of all of us
