"""One worker: a process that is asked a line at a time and owes a line for each.

Whatever else it does, dies, hangs, writes rubbish or more than it was asked for, is a
failure, and then it is killed. It runs in a session of its own: a Ctrl-C in the terminal is
for the process that started it, and a worker goes when its standard input does. It mutates,
and lives in the event loop. `workers.py` has several of them.
"""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable
from typing import Final, TypeVar, cast

import msgspec
from msgspec import Struct

STDOUT: Final = 1
FILES: Final = 12  # that are open at once, for a moment, when a process is started; 9 on Linux

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
    ready: bytes = b""  # the line it says by itself, once it can be asked
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

    # -- what those call who use it

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._out().get_pid()

    async def ask(self, line: bytes, patience: float, read: Callable[[bytes], T]) -> T:
        """Ask the worker a line; return what `read` makes of its answer.

        Raises WorkerFailed; then the process is dead.
        """
        assert self._owed is None, "a worker is asked one thing at a time"
        pipe = cast("asyncio.WriteTransport", self._out().get_pipe_transport(0))
        if self.failed or pipe.is_closing():  # it hears us no more, even if we are told later
            self.kill()
            raise WorkerFailed("died")
        self._owed = asyncio.get_running_loop().create_future()
        pipe.write(line)
        answer = await self._answer(patience + (self._kind.starting if self.fresh else 0))
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

    async def _answer(self, patience: float) -> bytes:
        """Wait for the line that the worker owes. Raises WorkerFailed."""
        assert self._owed is not None, "who owes nothing says nothing"
        try:
            async with asyncio.timeout(patience):
                return await self._owed
        except TimeoutError:
            self.kill()
            raise TooSlow(f"did not answer in {patience:.0f} s") from None
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
        for _ in range(FILES):
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
