"""A process that makes one snapshot, started and waited for in a thread.

Other workers are started by the event loop. But uvloop forks, which takes as long as the server
is large: 35 ms of CPU for 700 MB, in which nobody is served. Python's own way shares the memory
until the new program runs, and takes half a millisecond, whatever the size.
"""

import asyncio
import logging
import os
import subprocess
import sys
from contextlib import suppress
from threading import Event
from typing import Final

import msgspec

from rookery.server.snapshots.worker import Made, read_made, write_place
from rookery.server.workers import WorkerFailed

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-m", "rookery.server.snapshots.worker")
PATIENCE: Final = 3600.0  # seconds; the first of a log that never had one takes long
NICE: Final = 19  # below everybody
COMPLAINTS: Final = 4_000  # bytes that are noted of what it says on stderr


async def by_a_process(
    data: str, command: tuple[str, ...] = COMMAND, patience: float = PATIENCE
) -> Made:
    """Have a process make a snapshot of the log that is here. Raises WorkerFailed."""
    started: list[subprocess.Popen[bytes]] = []
    over = Event()
    work = asyncio.create_task(asyncio.to_thread(_run, data, command, patience, started, over))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        over.set()  # before we look: it may be about to start
        for process in started:
            process.kill()
        with suppress(WorkerFailed):
            await work  # which ends with the process
        raise
    except RuntimeError as wrong:  # the system has no thread for it, as it may have no process
        over.set()
        raise WorkerFailed(f"could not be started: {wrong}") from None


def _run(
    data: str,
    command: tuple[str, ...],
    patience: float,
    started: list[subprocess.Popen[bytes]],
    over: Event,
) -> Made:
    """Start the process, ask it, and see it go; in the thread."""
    try:
        process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as wrong:
        raise WorkerFailed(f"could not be started: {wrong.strerror}") from None
    started.append(process)
    with process:
        if over.is_set():
            process.kill()
        with suppress(OSError):  # it may be gone already
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        try:
            said, complaints = process.communicate(write_place(data), patience)
        except subprocess.TimeoutExpired:
            process.kill()
            _note(process.communicate()[1])
            raise WorkerFailed(f"did not answer in {patience:.0f} s") from None
    if not over.is_set():
        _note(complaints)
    if not said:
        raise WorkerFailed("died")
    try:
        return read_made(said)
    except msgspec.DecodeError as wrong:
        raise WorkerFailed(f"cannot be talked to: {wrong}") from None


def _note(complaints: bytes) -> None:
    """Put the process's complaints into the server's log; of long ones only the end."""
    if words := complaints[-COMPLAINTS:].decode(errors="replace").strip():
        log.warning("a process that makes a snapshot said: %s", words)
