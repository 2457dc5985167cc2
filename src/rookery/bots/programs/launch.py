"""Starts a program and outlives it: `python launch.py LIFELINE MEGABYTES COMMAND…`.

The program gets our standard input and output, and a bound on its memory. We adopt processes
that it leaves behind. When the program ends, when the other end of LIFELINE (an open file's
number) is closed, or when the process that holds it dies, we kill everything below us, and only
then exit, with the program's exit code, or 128 plus the number of the signal that ended it.

A file of its own that imports nothing of ours: it must start in no time.
"""

import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

MEGABYTE = 1 << 20
GRACE = 0.5  # seconds between asking processes to go and killing them
PERSISTENCE = 10.0  # seconds of killing after which we give up; something is beyond our power
PAUSE = 0.01  # seconds between two looks at who is left
STOPPED = 128 + signal.SIGKILL  # our exit code when we were told to end it
ADOPT = 36  # PR_SET_CHILD_SUBREAPER of Linux' prctl
PROCESSES = Path("/proc")
NO_PROGRAM = 127  # what a shell says


def main(lifeline: int, megabytes: int, command: Sequence[str]) -> int:
    """Run the program to its end, or to ours; the exit code to go with."""
    _adopt_orphans()
    wakes = _signals()
    program = os.fork()
    if program == 0:
        _become(megabytes, command)
    _let_go_of_pipes()
    code = _watch(program, lifeline, wakes)
    _clear(program)
    return STOPPED if code is None else code


def _adopt_orphans() -> None:
    """Processes below us whose parent dies become ours. Only Linux can do it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)


def _signals() -> int:
    """An open file in which the number of every signal arrives that concerns us."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    return reads


def _become(megabytes: int, command: Sequence[str]) -> None:
    """Turn this process into the program."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, others do not
        signal.signal(number, signal.SIG_DFL)
    # RLIMIT_DATA counts what a process can write to. RLIMIT_AS counts what it has merely
    # reserved too, and Java and node reserve gigabytes that they never touch.
    limit = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    most = megabytes * MEGABYTE
    with suppress(ValueError, OSError):  # a lower bound stands already, or there is none here
        resource.setrlimit(limit, (most, most))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(command[0], list(command))  # noqa: S606 # a shell would be one more to kill
    except OSError as failure:
        os.write(2, f"{command[0]}: {failure.strerror}\n".encode())
    os._exit(NO_PROGRAM)


def _let_go_of_pipes() -> None:
    """Close our copies of the program's pipes, so that its reader sees when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _watch(program: int, lifeline: int, wakes: int) -> int | None:
    """Wait for the program to end; None if we are to end it."""
    while True:
        ready, _, _ = select.select([lifeline, wakes], [], [])
        if wakes in ready and set(os.read(wakes, 512)) - {signal.SIGCHLD}:
            return None
        code = _reap(program)
        if code is not None or lifeline in ready:
            return code


def _reap(program: int) -> int | None:
    """Reap processes that ended; returns the program's exit code if it is among them."""
    code = None
    with suppress(ChildProcessError):
        while (dead := os.waitpid(-1, os.WNOHANG))[0]:
            if dead[0] == program:
                code = os.waitstatus_to_exitcode(dead[1])
    return code if code is None or code >= 0 else 128 - code


def _clear(program: int) -> None:
    """End everything below us: ask first, then kill until nothing is left."""
    began = time.monotonic()
    _send(signal.SIGTERM)
    while _below() and time.monotonic() < began + PERSISTENCE:
        time.sleep(PAUSE)
        _reap(program)
        if time.monotonic() > began + GRACE:
            _send(signal.SIGKILL)


def _send(number: int) -> None:
    """Signal all processes below us; where there is no /proc to find them, our whole group."""
    for process in _below():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
    if not PROCESSES.is_dir():
        os.killpg(0, number)


def _below() -> set[int]:
    """Every process that descends from us, those that ended and are not reaped among them."""
    parents = dict(filter(None, map(_parent, PROCESSES.glob("[0-9]*/stat"))))
    below = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {os.getpid()}


def _parent(stat: Path) -> tuple[int, int] | None:
    """A process and its parent, from its line in /proc."""
    try:
        number, _, rest = stat.read_text("utf-8", "replace").partition(" (")
    except OSError:  # it has gone meanwhile
        return None
    return int(number), int(rest.rpartition(")")[2].split()[1])


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
