"""Several halls of one command: each leads or stands by in a process of its own.

So one stand-by stands for several, and each hall that it takes over has a processor and an end
of its own. The command's own process only starts them, starts again those that ended by
themselves, and passes on that all are to stop. When it is killed they notice, and go too.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from msgspec.structs import replace

from rookery.core.errors import Mistake
from rookery.server.config import IN_MEMORY, WAIT_MAX, BadSetting, Settings
from rookery.server.connections.ports import Say
from rookery.server.halls.running import run_hall
from rookery.server.stopping import CRASHED, SIGNALS
from rookery.store.address import MAIN, is_address, read_address

log = logging.getLogger(__name__)

WRONG: Final = 2  # the exit code of a hall that cannot begin
AGAIN: Final = 1.0  # seconds until a hall that ended by itself is started again


class Work(Protocol):
    """What one of several processes does; returns its exit code."""

    def __call__(self, *, again: bool) -> int:
        """Do the work, for the first time or `again`."""
        ...


def run_halls(halls: Sequence[Settings], say: Say) -> int:
    """Run these halls until told to stop; return the exit code. Raises Mistake before it starts."""
    if len(halls) == 1:
        return run_hall(halls[0], say)
    return Several([partial(_run_one, one, say) for one in halls]).run()


def _run_one(settings: Settings, say: Say, *, again: bool) -> int:
    """Run one of several; if `again`, it waits for what is away now, however long."""
    return run_hall(replace(settings, wait=WAIT_MAX) if again else settings, say)


def settings_of(settings: Settings, halls: Sequence[str]) -> list[Settings]:
    """The settings of each hall: its own part of the log, and its own port. Raises BadSetting."""
    if len(set(halls)) != len(halls):
        raise BadSetting("A hall is named once.")
    ports = [settings.port + nth if settings.port else 0 for nth in range(len(halls))]
    return [
        replace(settings, hall=hall, data=_log_of(settings.data, hall, len(halls)), port=port)
        for hall, port in zip(halls, ports, strict=True)
    ]


def _log_of(data: str, hall: str, halls: int) -> str:
    """Where a hall has its log: in the folder or one of its name in it; or a part of a database."""
    if data == IN_MEMORY:
        return data
    if not is_address(data):
        return data if hall == MAIN else str(Path(data) / hall)
    if read_address(data).hall != MAIN:
        if halls > 1:
            raise BadSetting("The address of the log names one hall, and several are to be run.")
        return data
    return f"{data}{'&' if '?' in data else '?'}hall={hall}"


class Several:
    """Processes that do these works, one each. It mutates."""

    def __init__(self, works: Sequence[Work]) -> None:
        self._works = works
        self._running: dict[int, Work] = {}
        self._stopping = False
        self._code = 0
        self._alive, self._ours = os.pipe()  # whose reading end sees when this process dies

    def run(self) -> int:
        """Run until all processes are gone; return the first exit code that is not 0."""
        for number in SIGNALS:
            signal.signal(number, lambda *_: self._stop())
        for work in self._works:
            self._start(work)
        while self._running:
            ended, status = os.wait()
            work = self._running.pop(ended)
            code = os.waitstatus_to_exitcode(status)
            if code == WRONG:  # somebody has to look at it
                self._stop()
            if self._stopping:
                self._code = self._code or code
                continue
            log.warning("a hall ended with %d, and is started again", code)
            time.sleep(AGAIN)
            self._start(work, again=True)
        return self._code

    def _stop(self) -> None:
        self._stopping = True
        for number in self._running:
            os.kill(number, signal.SIGTERM)

    def _start(self, work: Work, *, again: bool = False) -> None:
        if self._stopping:
            return
        sys.stdout.flush()
        number = os.fork()
        if number:
            self._running[number] = work
            return
        os.close(self._ours)
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)
        threading.Thread(target=self._mind_parent, daemon=True).start()
        os._exit(_done(work, again=again))

    def _mind_parent(self) -> None:
        os.read(self._alive, 1)
        os.kill(os.getpid(), signal.SIGTERM)


def _done(work: Work, *, again: bool) -> int:
    """Do the work, and return its exit code, as if it were a command by itself."""
    try:
        return work(again=again)
    except Mistake as mistake:
        sys.stderr.write(f"Error: {mistake}\n")
        return WRONG
    except BaseException:
        log.critical("a hall made a mistake and stops", exc_info=True)
        return CRASHED
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
