"""The pairer: has rounds paired in a process, one after the other, and brings them back.

While it waits everyone else plays on. A process that dies, hangs or talks nonsense is named
in the server's log, and another tries the same round. Where that fails too the round is
paired in a thread of the server itself, which makes everyone slower but nobody stand still;
if even that raises, the hall is told that nobody could. It mutates, and lives in the event
loop.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from rookery.core.events import Record
from rookery.core.tours.tour_events import TourOpened
from rookery.core.tours.values import Pairs, Puzzle
from rookery.hall.batch import Wish
from rookery.hall.scoring.formats.dutch import solve
from rookery.hall.scoring.formats.swiss import Swiss
from rookery.hall.tours.running.pairings import Solved
from rookery.server.house_bots.thinker import check_files
from rookery.server.pairing.worker import READY, read_pairs, write

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "rookery.server.pairing.worker")
NICE: Final = 5  # below whoever answers people, above bots: a whole tour waits for it
STARTING: Final = 30.0  # seconds for a process to be ready, on a busy machine
LINE_MAX: Final = 1 << 20  # bytes of an answer; a round of 600 has 3,000
GOING: Final = 5.0  # seconds for a process that was killed to be gone
TRIES: Final = 2

Told = Callable[[Wish, Solved], None]


class Failure(Exception):
    """A process did not do its part; the sentence says how."""


def patience(entrants: int) -> float:
    """Seconds after which a process that pairs so many hangs: ten times what it should take."""
    return 60.0 + entrants**2 / 1000


def _see(task: asyncio.Task[None]) -> None:
    """A mistake of our own must not be kept by a task that nobody waits for."""
    if not task.cancelled():
        task.result()


class Pairer:
    """Has rounds paired; `told` hears how. No process runs before there is something to pair."""

    def __init__(
        self,
        told: Told,
        command: Sequence[str] = COMMAND,
        patience: Callable[[int], float] = patience,
    ) -> None:
        self._told = told
        self._command = command
        self._patience = patience
        self._process: Process | None = None
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._working: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None
        self._at_work = asyncio.Lock()  # one process, and who uses it

    @property
    def process(self) -> int | None:
        """The process that pairs, by its id, if one runs."""
        return None if self._process is None else self._process.pid

    def want(self, wish: Wish) -> None:
        """Pair this, after all that was wanted before."""
        self._wishes.put_nowait(wish)
        if self._working is None:
            self._working = asyncio.create_task(self._work())
            self._working.add_done_callback(_see)

    def wrote(self, records: Sequence[Record]) -> None:
        """These were written; a tour that will have rounds to pair has a process started."""
        for record in records:
            event = record.event
            if isinstance(event, TourOpened) and event.plan.format.split()[0] == Swiss.name:
                self.warm()

    def warm(self) -> None:
        """Have a process at hand: to start one takes half a second and more."""
        if self._process is None and self._warming is None and self._working is None:
            self._warming = asyncio.create_task(self._warm())

    async def close(self) -> None:
        """Pair no more; what was wanted is wished for again after the next start."""
        for task in (self._working, self._warming):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self._end()

    async def _warm(self) -> None:
        async with self._at_work:
            try:
                await self._ready()
            except Failure as how:
                log.warning("a process to pair in %s", how)
                await self._end()

    async def _work(self) -> None:
        while True:
            wish = await self._wishes.get()
            found = await self._pair(wish)
            self._told(wish, found)

    async def _pair(self, wish: Wish) -> Solved:
        what = f"tour {wish.tour} with {len(wish.puzzle.entrants)} entrants"
        async with self._at_work:
            for _ in range(TRIES):
                try:
                    return Solved(await self._ask(wish.puzzle))
                except Failure as how:
                    log.warning("a process that pairs %s %s", what, how)
                    await self._end()
        log.warning("pairing %s in the server itself, which slows everyone down meanwhile", what)
        try:
            return Solved(await asyncio.to_thread(solve, wish.puzzle))
        except Exception:
            log.exception("nobody could pair %s; it is paused", what)
            return Solved(failed=True)

    async def _ask(self, puzzle: Puzzle) -> Pairs | None:
        process = await self._ready()
        assert process.stdin is not None, "it was started with pipes"
        try:
            process.stdin.write(write(puzzle))
            line = await self._line(process, self._patience(len(puzzle.entrants)))
            return read_pairs(line)
        except (OSError, ValueError, msgspec.DecodeError) as wrong:
            raise Failure(f"cannot be talked to: {wrong}") from None

    async def _ready(self) -> Process:
        if self._process is None:
            self._process = await self._start()
            if await self._line(self._process, STARTING) != READY:
                raise Failure("does not begin as it should")
        return self._process

    async def _line(self, process: Process, seconds: float) -> bytes:
        assert process.stdout is not None, "it was started with pipes"
        try:
            line = await asyncio.wait_for(process.stdout.readline(), seconds)
        except TimeoutError:
            raise Failure(f"did not answer in {seconds:.0f} s") from None
        if not line.endswith(b"\n"):
            raise Failure("died")
        return line

    async def _start(self) -> Process:
        try:
            check_files()
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C in the terminal is for the server
                limit=LINE_MAX,
            )
        except OSError as wrong:
            raise Failure(f"could not be started: {wrong.strerror}") from None
        with contextlib.suppress(OSError):  # it may be gone already
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        return process

    async def _end(self) -> None:
        """Kill the process, if there is one, and see it gone."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GOING)
