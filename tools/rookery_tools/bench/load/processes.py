"""Servers under test: processes of their own, watched from outside.

A server is started as people start it and says on its first line where it listens. What
it costs is read from the system and not from itself: CPU time of all its threads, and
the memory it holds. Linux only, like the rest of what measures servers.
"""

import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from rookery.core.errors import Mistake

START_PATIENCE: Final = 60.0  # seconds for a server to say that it listens
STOP_PATIENCE: Final = 15.0  # seconds for it to go when asked to
SPARE_FILES: Final = 100  # a process has more open than its sockets
KEPT_BACK: Final = 1_100  # of its files a server does not give to connections: a quarter, or these
_CPU_CLOCK: Final = 2  # in a clock's number: all threads of that process (Linux' own scheme)


class CannotMeasure(Mistake):
    """The machine does not let us, or the server under test is not well."""


class ServerProcess:
    """A running process that listens."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, seconds: float) -> None:
        self._process = process
        self.port = port
        self.start_seconds = seconds  # from nothing to listening

    def cpu(self) -> int:
        """Nanoseconds of CPU that all its threads have used."""
        return time.clock_gettime_ns((~self._process.pid << 3) | _CPU_CLOCK)

    def signal(self, number: signal.Signals) -> None:
        """Send the server this signal."""
        self._process.send_signal(number)

    def memory(self) -> int:
        """The bytes of memory that the server holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024


@contextmanager
def running(
    module: str, *words: str, python: str = sys.executable, env: Mapping[str, str] | None = None
) -> Iterator[ServerProcess]:
    """Run `python -m module words` for as long as the block lasts. Raises CannotMeasure."""
    began = time.perf_counter()
    with TemporaryFile() as complaints:
        process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
            [python, "-m", module, *words], stdout=subprocess.PIPE, stderr=complaints, env=env
        )
        try:
            port = _port(process, complaints)
            yield ServerProcess(process, port, time.perf_counter() - began)
        finally:
            _stop(process)


@contextmanager
def rookery(folder: Path, house: str = "off", *more: str) -> Iterator[ServerProcess]:
    """Run Rookery itself, with its log in this folder and these settings."""
    settings = ("--port", "0", "--log-level", "error", "--data", str(folder), "--house", house)
    with running("rookery", "serve", *settings, *more) as server:
        yield server


def allow_files(wanted: int) -> int:
    """Raise the limit of open files; returns how many of the wanted connections it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + SPARE_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < min(most, wanted + SPARE_FILES):
        soft = min(most, wanted + SPARE_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return wanted
    # A server takes all that it may, and one host has three quarters of its connections.
    files = max(soft, most)
    return min(wanted, soft - SPARE_FILES, (files - min(files // 4, KEPT_BACK)) * 3 // 4)


def _port(process: "subprocess.Popen[bytes]", complaints: IO[bytes]) -> int:
    """The port from the first line, which ends in it."""
    out = process.stdout
    assert out is not None, "its output is a pipe"
    readable, _, _ = select.select([out], [], [], START_PATIENCE)
    line = out.readline() if readable else b""
    port = line.strip().rpartition(b":")[2]
    if not port.isdigit():
        complaints.seek(0)
        why: Sequence[str] = complaints.read().decode(errors="replace").splitlines()
        raise CannotMeasure(f"A server did not start: {why[-1] if why else 'it said nothing'}.")
    return int(port)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdout is not None, "its output is a pipe"
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
