"""Processes that begin with everything imported: `rookery` as a process, without the wait.

To import Rookery takes a process longer than most tests take with it, so one process does it
for all: the template (`template.py`). It also makes what is the same for every server, and
forks each command that is wished for, and the workers that commands start. That a cold one
begins as well is seen wherever `python -m rookery` is run.
"""

import atexit
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Lock, Timer
from typing import IO, Final

import msgspec
from msgspec import Struct

ROOT: Final = Path(__file__).parents[1]
LONGEST: Final = 1 << 20  # bytes of words and environment
LIMIT: Final = 180.0  # seconds that no command here needs, on a busy machine
NUMBER: Final = 12  # bytes that tell a process or an exit code
LAUNCHER: Final = "python"
LISTENER: Final = "socket"


class Bounds(Struct, frozen=True):
    """What a process may have, if not all there is, and how far ahead its clock is."""

    largest_file: int | None = None  # bytes: beyond that its disk is full
    files: int | None = None  # that are open at once, connections among them
    ahead: int = 0  # seconds

    def keep(self) -> None:
        """Be bound by this from now on."""
        if self.largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, resource.RLIM_INFINITY))
        if self.files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))
        if self.ahead:
            true, nanos = time.time_ns, self.ahead * 10**9
            time.time_ns = lambda: true() + nanos


UNBOUND: Final = Bounds()


class Wish(Struct, frozen=True):
    """The command to be: its words after `rookery`, its environment, its bounds, and where."""

    words: tuple[str, ...]
    environment: dict[str, str]
    bounds: Bounds
    folder: str  # it starts in: the caller's own, and not the checkout, which may hold a `data/`


class Warm:
    """One command; what `subprocess.Popen` has, as far as it is needed."""

    def __init__(
        self,
        *words: str,
        env: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.STDOUT,
        bounds: Bounds = UNBOUND,
    ) -> None:
        self.returncode: int | None = None
        self._hearing = Lock()  # a time limit may be another thread's
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self._ended, reply = os.pipe()
        lent = [reply]  # to be closed here
        if stdout == subprocess.PIPE:
            out, stdout = os.pipe()
            self.stdout = os.fdopen(out, "rb")
            lent.append(stdout)
        if stdin == subprocess.PIPE:
            stdin, mine = os.pipe()
            self.stdin = os.fdopen(mine, "wb")
            lent.append(stdin)
        elif stdin == subprocess.DEVNULL:
            stdin = os.open(os.devnull, os.O_RDONLY)
            lent.append(stdin)
        error = stdout if stderr == subprocess.STDOUT else stderr
        wish = msgspec.json.encode(Wish(words, dict(env), bounds, str(Path.cwd())))
        socket.send_fds(_template(), [wish], [stdin, stdout, error, reply])
        for number in lent:
            os.close(number)
        self.pid = int(os.read(self._ended, NUMBER))

    def send_signal(self, number: int) -> None:
        """Send it this signal, unless it is gone; that it is may not be known yet."""
        if self.returncode is None and not self._heard(0):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it is gone."""
        if not self._heard(timeout):
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def _heard(self, timeout: float | None) -> bool:
        """Whether its minder has said by then that it is gone."""
        if self.returncode is None and select.select([self._ended], [], [], timeout)[0]:
            with self._hearing:
                if self.returncode is None:
                    self.returncode = int(os.read(self._ended, NUMBER))
                    os.close(self._ended)
        return self.returncode is not None


def ended(
    *words: str, env: Mapping[str, str], typed: bytes = b""
) -> subprocess.CompletedProcess[str]:
    """A command that was typed this and is over: what it said, and its exit code."""
    with TemporaryFile() as complaints:
        process = Warm(*words, stdin=subprocess.PIPE, stderr=complaints.fileno(), env=env)
        assert process.stdin is not None
        assert process.stdout is not None
        limit = Timer(LIMIT, process.kill)
        limit.start()
        with suppress(BrokenPipeError), process.stdin as keyboard:  # it may not read at all
            keyboard.write(typed)
        with process.stdout as out:
            said = out.read().decode()
        code = process.wait()
        limit.cancel()
        complaints.seek(0)
        return subprocess.CompletedProcess(words, code, said, complaints.read().decode())


@cache
def _template() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [sys.executable, "-m", "tests.template", str(theirs.fileno()), _folder().name]
        process = subprocess.Popen(words, cwd=ROOT, pass_fds=[theirs.fileno()])

    def close() -> None:
        ours.close()
        process.wait()
        _folder().cleanup()

    atexit.register(close)
    return ours


@cache
def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="rookery-")


@cache
def python() -> str:
    """Python as commands know it, for who wants a warm worker: `python -m MODULE WORDS`."""
    ended("games", env=os.environ)  # the template is there
    launcher = Path(_folder().name) / LAUNCHER
    return str(launcher) if may_run(launcher) else sys.executable


def may_run(file: Path) -> bool:
    """Whether programs may be run where it is; some keep their temporary folder from that."""
    return not os.statvfs(file).f_flag & os.ST_NOEXEC
