"""Worker processes: each is asked a line at a time, and owes one line for each.

Whatever else a worker does (it dies, hangs, writes rubbish, or more than it was asked for) is a
failure, and it is killed. It runs in a session of its own, as a Ctrl-C in the terminal is for its
parent, and ends when its standard input does. A `WorkerPool` lends several workers of one kind to
callers, in the order they ask, and starts processes when they are needed. What the house's workers
run is in `worker_main.py`. All of this lives in the event loop.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar, cast

import msgspec
from msgspec import Struct

from rookery.bots.asking import Thought, read_answer, write
from rookery.core.chance import Chance
from rookery.games import GAMES, format_variant

STDOUT: Final = 1
FILES_TO_START: Final = 12  # open at once, for a moment, when a process is started; 9 on Linux
KILLED_GONE_S: Final = 5.0  # for a process that was killed to be gone
TRIES: Final = 2  # workers that may fail at the same thing
THINKER_MEGABYTES: Final = 512  # of memory that a process may use
THINKER_START_S: Final = 60.0  # more for the first answer of a process, on a busy machine
THINKER_LINE_MAX: Final = 1 << 16  # bytes of an answer; a move of our own games has at most 13

log = logging.getLogger(__name__)

T = TypeVar("T")


class WorkerFailed(Exception):
    """A worker did not do its part; the sentence says how."""


class NotStarted(WorkerFailed):
    """A worker's process could not be started, for this reason of the system's."""

    def __init__(self, why: str | None) -> None:
        super().__init__(f"could not be started: {why}")
        self.why = why


class TooSlow(WorkerFailed):
    """A worker did not answer in time."""


class WorkerKind(Struct, frozen=True):
    """What a worker runs, and what to expect of it."""

    command: tuple[str, ...]
    task: str  # what it is started to do: "think"
    starting: float  # seconds more for its first answer, or for being ready, on a busy machine
    line_max: int  # bytes of an answer
    ready: bytes = b""  # the line it writes unasked, once it can be asked
    nice: int = 0  # the process's niceness: how far others go before it
    heard: bool = False  # whether people see its stderr


class Worker(asyncio.SubprocessProtocol):
    """A process and the answer it owes. Made by `start`."""

    def __init__(self, kind: WorkerKind) -> None:
        self.fresh = True  # the process has not answered yet, and may still be starting
        self.failed = False
        self.gone = asyncio.Event()
        self._kind = kind
        self._transport: asyncio.SubprocessTransport | None = None
        self._said = b""
        self._owed: asyncio.Future[bytes] | None = None
        if kind.ready:
            self._owed = asyncio.get_running_loop().create_future()

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the process, which runs now, and set its priority."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        if self._kind.nice:
            with contextlib.suppress(OSError):  # it may be gone already
                os.setpriority(os.PRIO_PROCESS, self.pid, self._kind.nice)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what the process wrote: a part of the answer it owes, or a failure."""
        if self.failed or fd != STDOUT:
            return
        self._said += data
        line, end, more = self._said.partition(b"\n")
        if self._owed is None or self._owed.done():
            self._fail("wrote without being asked")
        elif more:
            self._fail("wrote more than its answer")
        elif end:
            self._owed.set_result(line)
        elif len(self._said) > self._kind.line_max:
            self._fail("wrote too much")

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """Fail, because the process closed a pipe: it is as good as dead."""
        self._fail("died")

    def process_exited(self) -> None:
        """Clean up, because the process is gone."""
        self._fail("died")
        self._out().close()
        self.gone.set()

    # -- what users call

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._out().get_pid()

    async def ask(self, line: bytes, timeout_s: float, read: Callable[[bytes], T]) -> T:
        """Ask the worker a line; return what `read` makes of its answer.

        Raises WorkerFailed; then the process is dead.
        """
        assert self._owed is None, "a worker is asked one thing at a time"
        pipe = cast("asyncio.WriteTransport", self._out().get_pipe_transport(0))
        if self.failed or pipe.is_closing():  # it is dead, even if we are told so later
            self.kill()
            raise WorkerFailed("died")
        self._owed = asyncio.get_running_loop().create_future()
        pipe.write(line)
        answer = await self._answer(timeout_s + (self._kind.starting if self.fresh else 0))
        try:
            found = read(answer)
        except (msgspec.DecodeError, ValueError) as wrong:
            self.kill()
            raise WorkerFailed(f"cannot be talked to: {wrong}") from None
        self.fresh = False
        return found

    async def be_ready(self) -> None:
        """Wait until the worker says that it can be asked, if it does. Raises WorkerFailed."""
        if self._kind.ready:
            if await self._answer(self._kind.starting) != self._kind.ready:
                self.kill()
                raise WorkerFailed("does not begin as it should")
            self.fresh = False

    def kill(self) -> None:
        """End the process at once."""
        self._fail("was ended")

    async def _answer(self, timeout_s: float) -> bytes:
        """Wait for the line that the worker owes. Raises WorkerFailed."""
        assert self._owed is not None, "a worker writes only what it owes"
        try:
            async with asyncio.timeout(timeout_s):
                return await self._owed
        except TimeoutError:
            self.kill()
            raise TooSlow(f"did not answer in {timeout_s:.0f} s") from None
        except asyncio.CancelledError:
            self.kill()  # its answer would be taken for the next one's
            raise
        finally:
            self._owed, self._said = None, b""

    def _fail(self, how: str) -> None:
        if not self.failed:
            self.failed = True
            with contextlib.suppress(ProcessLookupError):
                self._out().kill()
            if self._owed is not None and not self._owed.done():
                self._owed.set_exception(WorkerFailed(how))

    def _out(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None, "a worker is used once it runs"
        return self._transport


def check_files() -> None:
    """Check that enough files can be opened to start a process. Raises OSError.

    If they run out in the middle of a start, uvloop leaves up to five of them open for ever,
    and a server that has too many connections would never be rid of that.
    """
    with contextlib.ExitStack() as files:
        for _ in range(FILES_TO_START):
            files.callback(os.close, os.open(os.devnull, os.O_RDONLY))


async def start(kind: WorkerKind) -> Worker:
    """Start a process, and return its worker. Raises NotStarted."""
    try:
        check_files()
        _, worker = await asyncio.get_running_loop().subprocess_exec(
            lambda: Worker(kind),
            *kind.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if kind.heard else subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as wrong:
        raise NotStarted(wrong.strerror) from None
    return worker


class AllFailed(Exception):
    """As many workers as may try gave no answer to the same question."""


class WorkerPool:
    """Lends workers of one kind, at most `size` processes at once."""

    def __init__(self, kind: WorkerKind, size: int) -> None:
        self._kind = kind
        self._places = asyncio.Semaphore(size)  # first come, first served
        self._free: list[Worker] = []
        self._all: list[Worker] = []
        self._closed = asyncio.Event()

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.pid for worker in self._all if not worker.failed]

    async def take(self) -> Worker:
        """Take a worker that has nothing to do, and give it back later. Raises WorkerFailed."""
        await self._places.acquire()
        try:
            return await self._next()
        except BaseException:
            self._places.release()
            raise

    def give_back(self, worker: Worker) -> None:
        """Take back a worker that has failed or owes no answer."""
        self._free.append(worker)
        self._places.release()

    async def use(self, work: Callable[[Worker], Awaitable[T]], what: str) -> T:
        """Have a worker do this, or another if that one fails. Raises AllFailed.

        `what` is logged of a worker that fails: "thinks about nim".
        """
        async with self._places:
            for _ in range(TRIES):
                try:
                    worker = await self._next()
                    done = await work(worker)
                except WorkerFailed as how:
                    log.warning("a process that %s %s", what, how)
                else:
                    self._free.append(worker)
                    return done
        raise AllFailed

    async def warm(self) -> None:
        """Have a process at hand before it is needed: starting one takes a while."""
        async with self._places:
            if self._all or self._closed.is_set():
                return
            try:
                self._free.append(await self._start())
            except WorkerFailed as how:
                log.warning("a process to %s in %s", self._kind.task, how)

    async def close(self) -> None:
        """End every process, and see it gone."""
        self._closed.set()
        for worker in list(self._all):
            worker.kill()
        for worker in list(self._all):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KILLED_GONE_S):
                    await worker.gone.wait()

    async def _next(self) -> Worker:
        while self._free:
            worker = self._free.pop()
            if not worker.failed:  # else it died while it had nothing to do
                return worker
        return await self._start()

    async def _started(self) -> Worker:
        """Start a process; if nobody waits for it any more, the next caller has it."""
        starting = asyncio.get_running_loop().create_task(start(self._kind))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._left_over)
            raise

    def _left_over(self, starting: "asyncio.Task[Worker]") -> None:
        if starting.cancelled() or starting.exception() is not None:
            return
        worker = starting.result()
        self._all.append(worker)
        if self._closed.is_set() or self._kind.ready:
            worker.kill()  # what it says of itself would be taken for an answer
        else:
            self._free.append(worker)

    async def _start(self) -> Worker:
        if self._closed.is_set():
            raise WorkerFailed("was asked too late")
        worker = await self._started()
        # Those that failed are kept until they are gone.
        self._all = [*(other for other in self._all if not other.gone.is_set()), worker]
        if self._closed.is_set():
            worker.kill()
        await worker.be_ready()
        return worker


def think_command(megabytes: int = THINKER_MEGABYTES) -> tuple[str, ...]:
    """The command that starts a process which thinks in this much memory."""
    return (sys.executable, "-m", "rookery.server.worker_main", "think", str(megabytes))


# What the house, a match and `rookery bot` have bots think in; each says what differs for it.
THINKER: Final = WorkerKind(think_command(), "think", THINKER_START_S, THINKER_LINE_MAX)


async def think(worker: Worker, thought: Thought, grace: float) -> str | None:
    """Ask a worker for a move, or None to wait, within the thought's time and `grace` seconds.

    Raises WorkerFailed.
    """
    seconds = thought.millis / 1000 + grace
    return (await worker.ask(write(thought), seconds, read_answer)).move


def first_thought() -> Thought:
    """A thought to wake a process with, as its first answer takes as long as all its imports."""
    game = next(iter(GAMES.values()))()
    state = game.start(game.seat_counts[0], Chance(0))
    seat = min(game.to_act(state))
    moves = tuple(map(game.format_move, game.legal_moves(state, seat)))
    return Thought(format_variant(game), 1, seat, game.view(state, seat), moves, 0, millis=1)
