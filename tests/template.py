"""The template of warm processes (`warm.py`): it has imported everything, and forks.

For each command it forks a minder, and that forks the command, waits for it and says how it
ended. The command is a process of its own in all respects: its descriptors, environment,
signals, exit code and death.

Commands start workers that think, study, pair and make snapshots: each would import as much
again. So to a command Python is a small program (`LAUNCH`), which asks the template for the
worker, and takes its place: it ends with it, and who ends it ends both.

`python -m tests.template DESCRIPTOR FOLDER`: where it is asked for commands, and where it lays
the small program and a socket to be asked for workers.
"""

import atexit
import gc
import marshal
import os
import runpy
import select
import signal
import socket
import struct
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Final

import click
import msgspec

from tests.warm import LAUNCHER, LISTENER, LONGEST, NUMBER, Wish, may_run

# What commands import only when they run.
TO_SERVE: Final = (
    "rookery.server.app",
    "rookery.server.cluster.edge",
    "rookery.server.cluster.standby",
    "encodings.idna",
    "uvicorn.lifespan.off",
    "uvloop",
)
TO_WORK: Final = (
    "rookery.server.worker_main",
    "rookery.server.hall_log",
)
OPTIONAL: Final = ("nats.aio.client", "rookery.store.postgres")  # they need an extra
LAUNCH: Final = """\
#!{python} -IS
import _socket, marshal, os, sys
line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
line.connect({listener!r})
lent = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
wish = marshal.dumps((sys.argv[1:], dict(os.environ), os.getcwd()))
line.sendmsg([wish], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, lent)])
os.closerange(0, 3)
line.recv({number})
code = int(line.recv({number}) or 1)
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
"""


def wait_for_wishes(ours: socket.socket, workers: socket.socket) -> Callable[[], None]:
    """Fork what is wished for; returns in each, with what it is to be, not in the template."""
    while True:
        for wished in select.select([ours, workers], [], [])[0]:
            if wished is ours:
                text, numbers, _, _ = socket.recv_fds(ours, LONGEST, 4)
                if not text:
                    sys.exit()
                *standard, reply = numbers
            else:
                line, _ = workers.accept()
                text, standard, _, _ = socket.recv_fds(line, LONGEST, 3)
                reply = line.detach()
            if os.fork() == 0:
                if (pid := os.fork()) == 0:
                    ours.close()
                    workers.close()
                    if wished is ours:
                        return be_command(msgspec.json.decode(text, type=Wish), standard, reply)
                    return be_worker(text, standard, reply)
                mind(pid, reply, standard)
            for number in (*standard, reply):
                os.close(number)
        while _a_minder_ended():
            pass


def mind(pid: int, reply: int, standard: list[int]) -> None:
    """Say who it is, and at last how it ended; if nobody is there to be told, end it."""
    for number in standard:
        os.close(number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ended = os.pidfd_open(pid)
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    waiting.register(reply, 0)  # which says only that the other side is closed
    try:
        _say(reply, pid)
        if ended not in dict(waiting.poll()):
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        _say(reply, os.waitstatus_to_exitcode(status))
    finally:
        os._exit(0)


def _say(reply: int, number: int) -> None:
    with suppress(OSError):  # nobody may want to know any more
        os.write(reply, b"%*d" % (NUMBER, number))


def be_command(wish: Wish, standard: list[int], reply: int) -> Callable[[], None]:
    """Be this command, as if the system had started it."""
    from rookery.cli import main

    os.close(reply)
    become(["rookery", *wish.words], wish.environment, standard, wish.folder)
    wish.bounds.keep()
    return main


def be_worker(text: bytes, standard: list[int], reply: int) -> Callable[[], None]:
    """Be the worker that `LAUNCH` was started for: `-m MODULE WORDS`."""
    with socket.socket(fileno=reply) as line:
        told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        launcher, _, _ = struct.unpack("3i", told)
        with suppress(OSError):  # it may be gone already
            os.nice(os.getpriority(os.PRIO_PROCESS, launcher))
    os.setsid()
    (_, module, *words), environment, folder = marshal.loads(text)
    become([module, *words], environment, standard, folder)
    warnings.simplefilter("ignore", RuntimeWarning)  # that it is imported already
    return lambda: _run_module(module)


def _run_module(module: str) -> None:
    runpy.run_module(module, run_name="__main__")
    sys.exit(0)


def become(
    words: list[str], environment: Mapping[str, str], standard: list[int], folder: str
) -> None:
    """Have these words, this environment, these three files, and this working folder."""
    os.chdir(folder)
    for number, lent in enumerate(standard):
        os.dup2(lent, number)
    for lent in set(standard):
        os.close(lent)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )
    sys.argv = words
    os.environ.clear()
    os.environ.update(environment)
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

    def run(self, work: Callable[[], None]) -> None:
        """Do this until it leaves."""
        try:
            work()
        except SystemExit as leaving:
            if isinstance(leaving.code, int):
                self._code = leaving.code
            raise

    def _leave(self) -> None:
        if self._code is not None:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(self._code)


def import_all(folder: Path) -> None:
    """Import what commands and workers need; Python is the launcher to what is imported here."""
    python, launcher = sys.executable, folder / LAUNCHER
    listener = str(folder / LISTENER)
    launcher.write_text(LAUNCH.format(python=python, listener=listener, number=NUMBER))
    launcher.chmod(0o700)
    if may_run(launcher):
        sys.executable = str(launcher)
    from rookery.cli import rookery
    from rookery.hall.tours.formats.dutch import warm
    from rookery.server.web.app import make_ready

    for module in (*TO_SERVE, *TO_WORK):
        import_module(module)
    context = click.Context(rookery)
    for command in rookery.list_commands(context):
        rookery.get_command(context, command)
    for module in OPTIONAL:
        with suppress(ImportError):
            import_module(module)
    sys.executable = python
    warm()
    make_ready()


if __name__ == "__main__":
    leaving = Leaving()
    import_all(Path(sys.argv[2]))
    # A shell may have started the tests deaf to Ctrl-C, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()
    with (
        socket.socket(fileno=int(sys.argv[1])) as listening,
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked,
    ):
        asked.bind(str(Path(sys.argv[2]) / LISTENER))
        asked.listen(socket.SOMAXCONN)
        work = wait_for_wishes(listening, asked)
    leaving.run(work)
