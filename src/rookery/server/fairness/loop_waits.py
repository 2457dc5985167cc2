"""How long the event loop waited at its sockets, and for a processor.

Fair time is made from this. No loop says so by itself: we ask asyncio's own loop through its
selector, and uvloop's through libuv, which counts how long it was idle when told to. Only
the system knows that a thread could have run and got no processor, and Linux tells us.
"""

import asyncio
import ctypes
import functools
import os
import selectors
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rookery.core.ids import Micros
from rookery.runtime.fairtime import Looks
from rookery.runtime.times import monotonic

METRICS_IDLE_TIME: Final = 1  # libuv: UV_METRICS_IDLE_TIME
SCHEDSTAT: Final = Path("/proc/thread-self/schedstat")  # time run, time waited, how often
NANOS: Final = 1_000  # in a microsecond
Soon = Callable[[Callable[[], object]], object]

FEW: Final = 64  # bytes: three numbers


def looks_of(loop: asyncio.AbstractEventLoop) -> Looks | None:
    """Return a meter for the running loop; None if nothing can be known of that loop."""
    selector = getattr(loop, "_selector", None)
    if isinstance(selector, TimedSelector):
        return selector
    return _uv_looks(loop)


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
    """A selector for asyncio's own loop that counts how long it has waited. It mutates."""

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


class _UvLooks:
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


def _uv_looks(loop: asyncio.AbstractEventLoop) -> Looks | None:
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
    return _UvLooks(loop.call_soon, functools.partial(idle, pointer))
