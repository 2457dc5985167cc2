"""The watchdog interrupts a plug-in's rules that take too long, so that their table alone ends.

A thread checks every few milliseconds whether the main thread is inside a plug-in's rules,
called by one of `ASKERS`. Only then does it send the main thread a signal. The handler runs
there, between two steps of Python, and measures how much of its own processor time the call has
used: a stopped or busy machine blames nobody. After `patience` it raises `TookTooLong` on the
spot, which is inside the call or nowhere. Rules that catch even that are interrupted again, in
the end at every step, until they are left. Nothing is added to the path of a move, and a process
without plug-ins is checked four times in five seconds. Another thread that asks rules, which
cannot handle signals, is watched too.
"""

import ctypes
import logging
import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from msgspec import Struct

from rookery.core.errors import TookTooLong
from rookery.games import GAMES, is_added, origin_of

SPENT_S: Final = 0.01  # of processor time, for rules that are about to be put out of use
BLOCKED_S: Final = 5.0  # for a call that waits, or is of our own rules, or keeps nobody waiting
LOOK_S: Final = 0.02  # between looks, where there are plug-ins,
SEEN_S: Final = 0.01  # where a call was seen that was at work,
AGAIN_S: Final = 0.003  # where one was interrupted and goes on,
IDLE_S: Final = 1.25  # and where there is no game but our own
MILLIS_A_SECOND: Final = 1_000
SINGLE_TRIES: Final = 1  # interruptions of one call, before it is interrupted at every step

# Who asks rules, and expects that they fail; dialects and formats of plug-ins are asked by others.
ASKERS: Final = (
    "rookery.arena.",
    "rookery.core.",
    "rookery.dialects.native.speaking",
    "rookery.verify.",
    "rookery.games",
    "rookery.hall.attaching",
    "rookery.hall.tables.",
    "rookery.server.bots.",
    "rookery.server.cluster.",
    "rookery.server.web.",
)
# Where a plug-in's class may come from besides the plug-in.
COMMON: Final = frozenset({"abc", "builtins", "enum", "msgspec", "rookery", "typing"})

Busy = Callable[[], int | None]  # which other thread asks rules now
Overran = Callable[[str], object]  # is told of a game whose rules were interrupted

log = logging.getLogger(__name__)


class _Call(Struct):
    """A call of rules that was seen: its outermost frame, and how it was then."""

    game: str
    frame: FrameType
    processor_s: float  # of the thread, when the call was first seen
    waited_s: float = 0.0
    tries: int = 0  # interruptions


def _modules() -> tuple[dict[str, str], frozenset[str]]:
    """The game by each module with rules, and by the package of each plug-in; plug-ins' names."""
    found, added = dict[str, str](), set[str]()
    for name, game in GAMES.items():
        found[game.__module__] = name
        if not is_added(name):
            continue
        added.add(name)
        for kind in game.__mro__:
            if kind.__module__.partition(".")[0] not in COMMON:
                found.setdefault(kind.__module__, name)
        if origin_of(name).package:
            found.setdefault(game.__module__.partition(".")[0], name)
    return found, frozenset(added)


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


class Watchdog:
    """Watches the main thread, in which it must be made, and perhaps one other."""

    def __init__(
        self, patience: float = BLOCKED_S, processor: Callable[[], float] = time.thread_time
    ) -> None:
        self._patience = patience
        self._processor = processor  # of the main thread
        self._modules, self._added = _modules()
        self._look = self._wait = LOOK_S if self._added else IDLE_S
        self._call: _Call | None = None  # of the main thread, which alone changes it
        self._beside: _Call | None = None  # of the other thread
        self._busy: Busy = lambda: None
        self._overran: Overran | None = None
        self._failed: set[str] = set()  # games whose rules were interrupted,
        self._untold: list[tuple[str, float]] = []  # and after how long, while nobody was told
        self._gone = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def begin(self) -> None:
        """Watch from now on; only in the main thread, where alone signals can be heard."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._rang)
            self._thread.start()

    def look_at(self, busy: Busy, overran: Overran) -> None:
        """Watch this other thread too, and tell who is to put games out of use."""
        self._busy, self._overran = busy, overran

    def end(self) -> None:
        """Watch no more."""
        self._gone.set()

    def rules_in(self, frame: FrameType | None) -> tuple[str, FrameType] | None:
        """The outermost call of rules under way here, and the game; None if there is none."""
        found = None
        while frame is not None:
            asker, module = frame.f_back, _module_of(frame)
            game = self._modules.get(module) or self._modules.get(module.partition(".")[0])
            if game and asker is not None and _module_of(asker).startswith(ASKERS):
                found = game, frame
            frame = asker
        return found

    # -- in the watchdog's thread

    def _watch(self) -> None:
        while not self._gone.wait(self._wait):
            self._look_around()
            while self._untold:
                game, worked_s = self._untold.pop()
                log.error(
                    "the rules of %s do not come to an end; they were interrupted after %d ms"
                    " of work",
                    game,
                    round(worked_s * MILLIS_A_SECOND),
                )
                if self._overran is not None:
                    self._overran(game)
            self._wait = self._next_look()

    def _look_around(self) -> None:
        """Let the main thread measure its call, if it is in one or was; and look beside it."""
        frames = sys._current_frames()  # noqa: SLF001 # there is no other way
        main = threading.main_thread().ident
        assert main is not None, "the main thread runs"
        if self._call is not None or self.rules_in(frames.get(main)) is not None:
            signal.pthread_kill(main, signal.SIGALRM)
        self._look_beside(frames)

    def _next_look(self) -> float:
        calls = [call for call in (self._call, self._beside) if call is not None]
        if not calls or not self._added:
            return self._look
        return AGAIN_S if any(call.tries for call in calls) else SEEN_S

    def _look_beside(self, frames: dict[int, FrameType]) -> None:
        """Interrupt the other thread where one call has taken too long."""
        thread = self._busy()
        at = None if thread is None else self.rules_in(frames.get(thread))
        if at is None or thread is None:
            self._beside = None
            return
        spent = _processor_of(thread)
        if self._beside is None or self._beside.frame is not at[1]:
            self._beside = _Call(*at, spent)
        elif self._is_over(self._beside, spent):
            wrong = ctypes.py_object(TookTooLong)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), wrong)

    def _is_over(self, call: _Call, processor_s: float) -> bool:
        """Whether the call has taken too long, by the time that its thread has worked in all."""
        call.waited_s += self._wait
        spoilt = call.game in self._failed and self._overran is not None  # out of use in a moment
        most = SPENT_S if spoilt else self._patience
        worked_s = processor_s - call.processor_s
        late = call.game in self._added and worked_s >= most
        if not late and call.waited_s < BLOCKED_S:
            return False
        call.tries += 1
        if call.game not in self._failed:
            self._untold.append((call.game, worked_s))
            self._failed.add(call.game)
        return True

    # -- in the main thread, between any two steps

    def _rang(self, _signal: int, frame: FrameType | None) -> None:
        at = self.rules_in(frame)
        if at is None:
            self._call = None
        elif self._call is None or self._call.frame is not at[1]:
            self._call = _Call(*at, self._processor())
        elif self._is_over(self._call, self._processor()):
            if self._call.tries <= SINGLE_TRIES:
                raise TookTooLong
            # They catch whatever is raised. So the next step is interrupted as well, be it of the
            # handler that caught this one: no loop has its way back inside of what it tries.
            # Any other call than by `for` would be a step, and be interrupted itself.
            for _ in map(interrupt_main, (signal.SIGALRM,)):
                raise TookTooLong


def _processor_of(thread: int) -> float:
    """Seconds of a processor that this thread has used; where that is not known, none."""
    if sys.platform in ("darwin", "win32"):
        return 0.0
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


@contextmanager
def watched(patience: float = BLOCKED_S) -> Iterator[Watchdog]:
    """Watch this process while the block lasts."""
    watchdog = Watchdog(patience)
    watchdog.begin()
    try:
        yield watchdog
    finally:
        watchdog.end()


# -- A bound on other code that is not ours.


def _raise_too_long(_signal: int, _frame: FrameType | None) -> None:
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
    before = [
        (kind, signal.signal(kind, _raise_too_long)) for kind in (signal.SIGALRM, signal.SIGPROF)
    ]
    signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_PROF, work)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for kind, handler in before:
            signal.signal(kind, handler)
