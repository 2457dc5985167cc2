"""The watchman: interrupts rules that do not come to an end, so that their table alone ends.

A thread looks now and then whether the event loop still turns. Where it has not for too
long, the main thread is sent a signal, and there, between two steps of Python, it is seen
what it is at: a game's rules, asked by somebody who knows that they may break, are
interrupted by `TookTooLong`; anything else goes on. While the loop turns nothing is done at
all, so a move costs what it did. Another thread that asks rules `too`, and says since when it
is at it, is looked at likewise, and interrupted the way Python has for those.
"""

import asyncio
import contextlib
import ctypes
import logging
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from types import FrameType
from typing import Final

from rookery.core.errors import TookTooLong
from rookery.games import GAMES

PATIENCE: Final = 5.0  # seconds; the slowest rules of ours take some milliseconds
LOOKS: Final = 4  # at the loop, in that time
TURNS: Final = 1.0  # seconds after which the watchman hears that the loop turns
# Who asks rules and catches TookTooLong; whom anybody else asked is not interrupted.
DOORS: Final = frozenset(
    {
        "rookery.arena.arena_game",
        "rookery.core.errors",
        "rookery.core.messages",
        "rookery.core.text.options",
        "rookery.hall.tables.answers",
        "rookery.hall.tables.quick_move",
        "rookery.hall.tables.rulings.ruling",
        "rookery.hall.tables.referee",
        "rookery.hall.tables.table",
        "rookery.server.web.api.games",
        "rookery.server.web.past.glances",
    }
)

# Which thread is at something, and since when (`time.monotonic`); None if at nothing.
Busy = Callable[[], tuple[int, float] | None]

log = logging.getLogger(__name__)


def rules_in(frame: FrameType | None) -> str:
    """The game whose rules are at work here, asked by one of the doors; empty if there are none."""
    modules = {game.__module__: name for name, game in GAMES.items()}
    found, below = "", ""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module in modules:
            found = modules[module]
        elif found and module in DOORS and below in modules:
            return found
        below, frame = module, frame.f_back
    return ""


class Watchman:
    """Watches the main thread, which must make it and tell it `turned` now and then."""

    def __init__(
        self,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
        too: Busy = lambda: None,
    ) -> None:
        self._patience = patience
        self._clock = clock
        self._main = threading.main_thread().ident
        self._last = clock()
        self._gone = threading.Event()
        self._too = too
        self._thread = threading.Thread(target=self._watch, name="watchman", daemon=True)

    def begin(self) -> None:
        """Watch from now on; only in the main thread, where alone signals can be heard."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._rang)
            self._last = self._clock()
            self._thread.start()

    def look_at(self, too: Busy) -> None:
        """Watch this other thread too."""
        self._too = too

    def turned(self) -> None:
        """The loop turns."""
        self._last = self._clock()

    def end(self) -> None:
        """Watch no more."""
        self._gone.set()

    def _watch(self) -> None:
        while not self._gone.wait(self._patience / LOOKS):
            if self._clock() - self._last > self._patience and self._main is not None:
                signal.pthread_kill(self._main, signal.SIGALRM)
            self._look_beside()

    def _look_beside(self) -> None:
        """Interrupt the other thread where it has been at one thing for too long, in rules."""
        at = self._too()
        if at is None or time.monotonic() - at[1] <= self._patience:
            return
        game = rules_in(sys._current_frames().get(at[0]))  # noqa: SLF001 # there is no other way
        if game and self._too() == at:
            log.error("the rules of %s do not come to an end; their reader is interrupted", game)
            thread, wrong = ctypes.c_ulong(at[0]), ctypes.py_object(TookTooLong)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, wrong)

    def _rang(self, _signal: int, frame: FrameType | None) -> None:
        if self._clock() - self._last <= self._patience:
            return  # it turns again
        game = rules_in(frame)
        if game:
            self._last = self._clock()  # so long again for what comes next
            log.error("the rules of %s do not come to an end; they are interrupted", game)
            raise TookTooLong


@contextlib.asynccontextmanager
async def watched() -> AsyncIterator[Watchman]:
    """A watchman who looks at this loop from its next turn on, as long as this lasts."""
    watchman = Watchman()

    async def let_know() -> None:
        watchman.begin()
        while True:
            watchman.turned()
            await asyncio.sleep(TURNS)

    telling = asyncio.create_task(let_know())
    try:
        yield watchman
    finally:
        watchman.end()
        telling.cancel()
