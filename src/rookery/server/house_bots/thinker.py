"""One process that thinks, as the server knows it.

It is given one thought at a time and owes one line for it. Whatever else it does, dies,
hangs, writes rubbish or more than it was asked for, is a failure, and then it is killed. It
runs below everyone else (`nice`), and in a session of its own: a Ctrl-C in the terminal is
for the server, and a thinker goes when its standard input does. It mutates, and lives in
the event loop.
"""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Sequence
from typing import Final, cast

import msgspec

from rookery.bots.asking import Thought, read_answer, write

NICE: Final = 10  # below whoever answers people
LINE_MAX: Final = 4096  # bytes; a move has at most 13
STDOUT: Final = 1
FILES: Final = 12  # that are open at once, for a moment, when a process is started; 9 on Linux


class Failure(Exception):
    """A thinker did not do its part; the sentence says how."""


class Thinker(asyncio.SubprocessProtocol):
    """A worker process and the answer it owes."""

    def __init__(self) -> None:
        self.fresh = True  # it has not answered yet, and may still be starting
        self.failed = False
        self._transport: asyncio.SubprocessTransport | None = None
        self._owed: asyncio.Future[str | None] | None = None
        self._said = b""
        self.gone = asyncio.Event()

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        with contextlib.suppress(OSError):  # it may be gone already
            os.setpriority(os.PRIO_PROCESS, self._out().get_pid(), NICE)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It has written something."""
        if self.failed or fd != STDOUT:
            return
        self._said += data
        if self._owed is None:
            self._fail("wrote without being asked")
        elif b"\n" in self._said:
            self._answered(self._said)
        elif len(self._said) > LINE_MAX:
            self._fail("wrote too much")

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """It has closed a pipe: it is dead, or as good as dead."""
        self._fail("died")

    def process_exited(self) -> None:
        """It is gone, and nothing of it is left."""
        self._fail("died")
        self._out().close()
        self.gone.set()

    # -- what the pool calls

    async def think(self, thought: Thought, patience: float) -> str | None:
        """The move it names, or None to wait. Raises Failure, and it is dead then."""
        assert self._owed is None, "a thinker has one thought at a time"
        pipe = self._pipe()
        if self.failed or pipe.is_closing():  # it hears us no more, even if we are told later
            self.kill()
            raise Failure("died")
        self._said = b""
        self._owed = asyncio.get_running_loop().create_future()
        try:
            pipe.write(write(thought))
            async with asyncio.timeout(patience):
                return await self._owed
        except TimeoutError:
            self.kill()
            raise Failure(f"did not answer in {patience:.1f} s") from None
        except asyncio.CancelledError:
            self.kill()  # its answer would be taken for the next one's
            raise
        finally:
            self._owed = None

    def kill(self) -> None:
        """End it at once."""
        self._fail("was ended")

    def _answered(self, said: bytes) -> None:
        line, _, more = said.partition(b"\n")
        if more:
            self._fail("wrote more than its answer")
            return
        try:
            move = read_answer(line).move
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._fail("wrote what is no answer")
            return
        self.fresh = False
        if self._owed is not None and not self._owed.done():
            self._owed.set_result(move)

    def _fail(self, how: str) -> None:
        if not self.failed:
            self.failed = True
            with contextlib.suppress(ProcessLookupError):
                self._out().kill()
            if self._owed is not None and not self._owed.done():
                self._owed.set_exception(Failure(how))

    def _out(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None, "a thinker is used once it runs"
        return self._transport

    def _pipe(self) -> asyncio.WriteTransport:
        return cast("asyncio.WriteTransport", self._out().get_pipe_transport(0))


def check_files() -> None:
    """See that so many files can be opened. Raises OSError.

    Where they run out in the middle of a start, uvloop leaves up to five of them open for
    ever, and a server that has too many connections would never be rid of that.
    """
    with contextlib.ExitStack() as files:
        for _ in range(FILES):
            files.callback(os.close, os.open(os.devnull, os.O_RDONLY))


async def start(command: Sequence[str]) -> Thinker:
    """A new process. Raises Failure."""
    try:
        check_files()
        _, thinker = await asyncio.get_running_loop().subprocess_exec(
            Thinker,
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as wrong:
        raise Failure(f"could not be started: {wrong.strerror}") from None
    return thinker
