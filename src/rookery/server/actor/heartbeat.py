"""The heartbeat: what fair time knows of the event loop.

`Heartbeat` tells fair time that the loop turns, and when it has polled its sockets. Where no clock
can start unnoticed and nobody waits for a fair moment (a flag, a grace, a dialect's time-out), it
beats once a second: nobody can be charged for anything, and an idle server should cost nothing.

`loop_metrics` measures how long the loop waited at its sockets, and for a processor. No loop says
so itself: asyncio's is asked through its selector, and uvloop's through libuv, which counts its
idle time when told to. Only Linux tells that a thread could have run and got no processor.
"""

import asyncio
import ctypes
import functools
import os
import selectors
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.fairtime import BEAT, FairTime, LoopMetrics, monotonic

RESTING: Final = 20  # times the usual while between two beats


class Heartbeat:
    """Beats regularly, and slowly while nothing is awaited and `may_rest` says so."""

    def __init__(self, time: FairTime, may_rest: Callable[[], bool] = lambda: False) -> None:
        self._time, self._may_rest = time, may_rest
        self._loop = asyncio.get_running_loop()
        self._stopped = self._rests = False
        time.rouse = self.wake
        self._beat()

    def stop(self) -> None:
        """Beat no more."""
        self._stopped = True

    def after_poll(self, work: Callable[[], None]) -> None:
        """Do this once the loop has read everything that lies at the sockets now."""
        # The loop looks, at the latest, between these two: the first may be done before it
        # looks, or before it reads what it saw.
        self._loop.call_soon(self._loop.call_soon, work)

    def look(self) -> None:
        """Tell fair time, after the next look at the sockets, that all until now was read."""
        self.after_poll(partial(self._time.polled, self._time.mark()))

    def wake(self) -> None:
        """Beat at the usual rate again, at once, if there is no reason to rest any more."""
        if self._rests and not self._can_rest():
            self._next.cancel()
            self._beat()

    def _can_rest(self) -> bool:
        return self._may_rest() and not self._time.is_awaited()

    def _beat(self) -> None:
        if not self._stopped:
            self._rests = self._can_rest()
            slower = RESTING if self._rests else 1
            self._time.beat(slower)
            self.look()
            self._next = self._loop.call_later(slower * BEAT / MICROS_A_SECOND, self._beat)


METRICS_IDLE_TIME: Final = 1  # libuv: UV_METRICS_IDLE_TIME
SCHEDSTAT: Final = Path("/proc/thread-self/schedstat")  # time run, time waited, how often
NANOS: Final = 1_000  # in a microsecond
Soon = Callable[[Callable[[], object]], object]

FEW: Final = 64  # bytes: three numbers


def loop_metrics(loop: asyncio.AbstractEventLoop) -> LoopMetrics | None:
    """Return a meter for the running loop; None if nothing can be known of that loop."""
    selector = getattr(loop, "_selector", None)
    if isinstance(selector, TimedSelector):
        return selector
    return _uv_metrics(loop)


class ProcessorDelay:
    """How long the thread that made this waited for a processor; 0 if the system is silent."""

    def __init__(self) -> None:
        try:
            self._file: int | None = os.open(SCHEDSTAT, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = None

    def __call__(self) -> Micros:
        """Return how long this thread has waited for a processor so far."""
        if self._file is None:
            return 0
        try:
            return int(os.pread(self._file, FEW, 0).split()[1]) // NANOS
        except (OSError, IndexError, ValueError):
            return 0


class TimedSelector(selectors.DefaultSelector):
    """A selector for asyncio's own loop that counts how long it has waited."""

    def __init__(self) -> None:
        super().__init__()
        self._idle = 0
        self.delayed = ProcessorDelay()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Select as the base does, and count the wait if nothing is ready at once."""
        found = super().select(0)
        if not found and (timeout is None or timeout > 0):
            before = monotonic()
            found = super().select(timeout)
            self._idle += monotonic() - before
        return found

    def idle(self) -> Micros:
        """How long the loop has waited at its sockets so far."""
        return self._idle

    def soon(self, work: Callable[[], object]) -> None:
        """Do this in the next turn of the loop."""
        asyncio.get_running_loop().call_soon(work)


class _UvMetrics:
    """What libuv knows of one loop of uvloop's."""

    def __init__(self, soon: Soon, idle: Callable[[], int]) -> None:
        self._soon, self._nanos = soon, idle
        self.delayed = ProcessorDelay()

    def idle(self) -> Micros:
        """How long the loop has waited at its sockets so far."""
        return self._nanos() // NANOS

    def soon(self, work: Callable[[], object]) -> None:
        """Do this in the next turn of the loop."""
        self._soon(work)


def _uv_metrics(loop: asyncio.AbstractEventLoop) -> LoopMetrics | None:
    """Have libuv count the idle time of a uvloop loop; None if that cannot be had."""
    try:
        from uvloop import loop as uv  # noqa: PLC0415 # not on every system
    except ImportError:
        return None
    if not issubclass(type(loop), uv.Loop):
        return None
    try:
        libuv = ctypes.CDLL(uv.__file__)
        configure, idle = libuv.uv_loop_configure, libuv.uv_metrics_idle_time
        capsule = uv.libuv_get_loop_t_ptr(loop)  # type: ignore[attr-defined] # not in its stubs
    except (OSError, AttributeError):
        return None  # another build of it, which keeps them to itself
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    configure.restype, configure.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]
    idle.restype, idle.argtypes = ctypes.c_uint64, [ctypes.c_void_p]
    pointer = pointer_of(capsule, None)
    if configure(pointer, METRICS_IDLE_TIME) != 0:
        return None
    return _UvMetrics(loop.call_soon, functools.partial(idle, pointer))
