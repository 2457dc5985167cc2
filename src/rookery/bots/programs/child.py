"""One running program: what it is told, what it answers, and how it is ended.

It runs below `launch.py`, which ends it and all its children when we let go of the
lifeline, or die. Both of its outputs are read all the time, so that it never waits for us;
once it has failed they are read no more until it is stopped, so that a flood drowns nobody.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.program_output import ProgramAnswer, ProgramOutput
from rookery.bots.programs.words import Begin, End, Quit, Turn, write

LAUNCH: Final = str(Path(__file__).with_name("launch.py"))
COMPLAINTS_KEPT: Final = 4096  # bytes of its standard error, the last ones
COMPLAINTS_MAX: Final = 16 << 20  # bytes of it in one game; reading more would slow us down
MANNERS: Final = 0.5  # seconds to go by itself when told to quit
WIND_UP: Final = 3.0  # seconds between the end of its output and its own, on a busy machine
LAST_RESORT: Final = 12.0  # seconds until we do ourselves what `launch.py` should have done
_CHUNK: Final = 1 << 16
_SHOWN: Final = 200  # characters of its last complaint that stand in a sentence


class Child:
    """A process that plays. It lives, and then it does not. Made by `start`."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, lifeline: int) -> None:
        assert process.stdin is not None, "its input is a pipe"
        assert process.stdout is not None, "its output is a pipe"
        assert process.stderr is not None, "so is its other output"
        self._name = name
        self._process = process
        self._stdin = process.stdin
        self._lifeline: int | None = lifeline
        self._output = ProgramOutput(name)
        self._heard: asyncio.Queue[ProgramAnswer | ProgramFailed] = asyncio.Queue()
        self._complaints = bytearray()
        self._complained = 0
        self._stopping = asyncio.Event()
        self._errors = asyncio.create_task(self._overhear(process.stderr))
        self._answers = asyncio.create_task(self._listen(process.stdout))

    @property
    def complaints(self) -> str:
        """The end of what the program wrote to its standard error."""
        return self._complaints.decode(errors="replace")

    @property
    def group(self) -> int:
        """The number of the program's process group, which is that of its session too."""
        return self._process.pid

    def ask(self, question: Begin | Turn) -> int:
        """Put a question; the number its answer will have."""
        if isinstance(question, Begin):
            self._complained = 0
        number = self._output.asked(question)
        self._stdin.write(write(question))
        return number

    def tell(self, told: End) -> None:
        """Send the program a message that has no answer."""
        self._stdin.write(write(told))

    async def answer(self) -> ProgramAnswer:
        """The next answer. Raises ProgramFailed, once."""
        heard = await self._heard.get()
        if isinstance(heard, ProgramFailed):
            raise heard
        return heard

    async def stop(self, *, politely: bool) -> None:
        """End the program and all that it started; no process of it runs afterwards."""
        self._stopping.set()
        try:
            if politely:
                self._stdin.write(write(Quit()))
                self._stdin.close()
                await self._ended(MANNERS)
        finally:
            self._let_go()  # whatever happens to us, `launch.py` does the rest
        self._stdin.close()
        if not await self._ended(LAST_RESORT) or self._must_kill():
            with suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)
        await asyncio.wait({self._answers, self._errors}, timeout=WIND_UP)
        self._answers.cancel()
        self._errors.cancel()

    async def _ended(self, within: float) -> bool:
        """Whether the program, and all processes below it, end within so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), within)
        return self._process.returncode is not None

    def _must_kill(self) -> bool:
        """Whether `launch.py` may have left processes: it was killed, or this is not Linux."""
        code = self._process.returncode
        return sys.platform != "linux" or code is None or code < 0

    def _let_go(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    async def _listen(self, stdout: asyncio.StreamReader) -> None:
        try:
            while chunk := await stdout.read(_CHUNK):
                for heard in self._output.hear(chunk):
                    self._heard.put_nowait(heard)
            self._heard.put_nowait(await self._gone())
        except ProgramFailed as failed:
            self._heard.put_nowait(failed)
        await self._drain(stdout)

    async def _overhear(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(_CHUNK):
            self._complained += len(chunk)
            self._complaints = (self._complaints + chunk)[-COMPLAINTS_KEPT:]
            if self._complained > COMPLAINTS_MAX:
                flood = f"{self._name} wrote more than 16 megabytes to its standard error."
                self._heard.put_nowait(ProgramFailed(Fault.FLOODED, flood))
                await self._drain(stderr)

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        """Read the rest of a stream and drop it, once the program is being stopped."""
        await self._stopping.wait()
        while await stream.read(_CHUNK):
            pass

    async def _gone(self) -> ProgramFailed:
        """Why there is no more output."""
        if not await self._ended(WIND_UP):
            return ProgramFailed(Fault.GONE, f"{self._name} closed its output.")
        await asyncio.wait({self._errors}, timeout=WIND_UP)
        code = self._process.returncode
        assert code is not None, "it has ended"
        words = [line.strip() for line in self.complaints.splitlines() if line.strip()]
        last = f"; its last words: {words[-1][:_SHOWN]}" if words else "."
        return ProgramFailed(Fault.GONE, f"{self._name} {_ending(code)}{last}")


async def start(name: str, command: Sequence[str], memory: int) -> Child:
    """Run this program with so many megabytes at most. Raises ProgramFailed."""
    reads, writes = os.pipe()
    launch = (sys.executable, "-I", "-S", LAUNCH, str(reads), str(memory), *command)
    pipe = asyncio.subprocess.PIPE
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *launch,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
            pass_fds=(reads,),
        )
    )
    try:
        process = await asyncio.shield(starting)
    except OSError as failure:
        os.close(writes)
        sentence = f"{name} cannot be started: {failure.strerror}."
        raise ProgramFailed(Fault.MISSING, sentence) from failure
    except asyncio.CancelledError:
        # asyncio waits for ever for a process whose start is cancelled before its pipes are
        # connected, so the start is finished first.
        try:
            process = await starting
        except OSError:
            os.close(writes)
        else:
            await Child(name, process, writes).stop(politely=False)
        raise
    finally:
        os.close(reads)
    return Child(name, process, writes)


def _ending(code: int) -> str:
    """How a process ended that went with this code, as `launch.py` passes it on."""
    number = -code if code < 0 else code - 128
    if number in set(signal.Signals):
        return f"was ended by {signal.Signals(number).name}"
    return f"stopped with exit code {code}"
