"""Processes that begin with everything imported: `rookery` as a process, without the wait.

To import Rookery takes a process longer than most tests take with it, so one process does
it for all: the template. It also makes what is the same for every server. For each command
it forks a minder, and that forks the command, waits for it and says how it ended. The
command is a process of its own in all respects: its descriptors, environment, signals, exit
code and death. That a cold one begins as well is seen wherever `python -m rookery` is run.

As a script this is the template: `python -m tests.warm DESCRIPTOR`.
"""

import atexit
import gc
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock, Timer
from typing import IO, Final

import msgspec
from msgspec import Struct

from rookery.cli import COMMANDS, main, module_of
from rookery.server.web.app import make_ready

ROOT: Final = Path(__file__).parents[1]
LONGEST: Final = 1 << 20  # bytes of words and environment
# What commands import only when they run.
TO_SERVE: Final = (
    "rookery.server.run",
    "rookery.server.edges.edge",
    "rookery.server.halls.several",
    "encodings.idna",
    "uvicorn.lifespan.off",
    "uvloop",
)
OPTIONAL: Final = ("nats.aio.client", "rookery.store.postgres.store")  # they need an extra
LIMIT: Final = 180.0  # seconds that no command here needs, on a busy machine
NUMBER: Final = 12  # bytes that tell a process or an exit code


class Wish(Struct, frozen=True):
    """The command to be: its words after `rookery`, and its environment."""

    words: tuple[str, ...]
    environment: dict[str, str]


class Warm:
    """One command; what `subprocess.Popen` has, as far as it is needed. It mutates."""

    def __init__(
        self,
        *words: str,
        env: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        stderr: int = subprocess.STDOUT,
    ) -> None:
        self.returncode: int | None = None
        self._hearing = Lock()  # a time limit may be another thread's
        self.stdin: IO[bytes] | None = None
        self._ended, reply = os.pipe()
        out, theirs = os.pipe()
        self.stdout: IO[bytes] | None = os.fdopen(out, "rb")
        lent = [reply, theirs]  # to be closed here
        if stdin == subprocess.PIPE:
            stdin, mine = os.pipe()
            self.stdin = os.fdopen(mine, "wb")
            lent.append(stdin)
        elif stdin == subprocess.DEVNULL:
            stdin = os.open(os.devnull, os.O_RDONLY)
            lent.append(stdin)
        error = theirs if stderr == subprocess.STDOUT else stderr
        wish = msgspec.json.encode(Wish(words, dict(env)))
        socket.send_fds(_template(), [wish], [stdin, theirs, error, reply])
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
        words = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
        process = subprocess.Popen(words, cwd=ROOT, pass_fds=[theirs.fileno()])

    def close() -> None:
        ours.close()
        process.wait()

    atexit.register(close)
    return ours


def wait_for_wishes(ours: socket.socket) -> None:
    """Fork a command for every wish; returns in each of them, and never in the template."""
    while True:
        text, numbers, _, _ = socket.recv_fds(ours, LONGEST, 4)
        if not text:
            sys.exit()
        if os.fork() == 0:
            *standard, reply = numbers
            if (pid := os.fork()) == 0:
                os.close(reply)
                ours.close()
                become(msgspec.json.decode(text, type=Wish), standard)
                return
            mind(pid, reply, standard)
        for number in numbers:
            os.close(number)
        while _a_minder_ended():
            pass


def mind(pid: int, reply: int, standard: list[int]) -> None:
    """Say who the command is, and at last how it ended."""
    for number in standard:
        os.close(number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(reply, b"%*d" % (NUMBER, pid))
    _, status = os.waitpid(pid, 0)
    try:
        os.write(reply, b"%*d" % (NUMBER, os.waitstatus_to_exitcode(status)))
    finally:  # nobody may want to know any more
        os._exit(0)


def become(wish: Wish, standard: list[int]) -> None:
    """Be this command, as if the system had started it."""
    for number, lent in enumerate(standard):
        os.dup2(lent, number)
    for lent in set(standard):
        os.close(lent)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )
    sys.argv = ["rookery", *wish.words]
    os.environ.clear()
    os.environ.update(wish.environment)
    time.tzset()


def _a_minder_ended() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


class Leaving:
    """Ends a command that has done all it does at its end, but for taking Python apart.

    That took five times as long as a small command. To be made before anything else asks to
    be told of the end: the first who asks is told last.
    """

    def __init__(self) -> None:
        self._code: int | None = None  # None: as Python does it
        atexit.register(self._leave)

    def run(self) -> None:
        """Be the command until it leaves."""
        try:
            main()
        except SystemExit as leaving:
            if isinstance(leaving.code, int):
                self._code = leaving.code
            raise

    def _leave(self) -> None:
        if self._code is not None:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(self._code)


if __name__ == "__main__":
    leaving = Leaving()
    for module in (*TO_SERVE, *map(module_of, COMMANDS)):
        import_module(module)
    for module in OPTIONAL:
        with suppress(ImportError):
            import_module(module)
    make_ready()
    # A shell may have started the tests deaf to Ctrl-C, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        wait_for_wishes(listening)
    leaving.run()
