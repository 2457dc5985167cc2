"""What sessions cost that only listen: the memory for all, and the CPU while nothing happens.

Every session greets, is greeted, and then says no more.
"""

import time
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from rookery.bench.load.load import close, connect
from rookery.bench.load.processes import CannotMeasure, allow_files, rookery

BUDGET: Final = 300  # megabytes for 10,000 sessions
BUDGET_FOR: Final = 10_000
WAVE: Final = 500  # connections made before any is served; a server lets about 1,000 wait
HELLO: Final = b'{"type":"hello","version":1}\n'
MEGA: Final = 1_000_000


class Idle(Struct, frozen=True):
    """Sessions that wait; memory is the server's whole, in megabytes."""

    sessions: int
    seconds: float  # to connect and greet all of them
    memory: float
    memory_before: float
    bytes_a_session: int
    cpu_percent: float  # of one processor, while nothing happens
    budget: int | None  # megabytes; only for the number of sessions that it is about
    within: bool | None
    note: str


def idle_sessions(wanted: int, seconds: float, folder: Path) -> Idle:
    """Connect so many, and look at the server for so long."""
    sessions = allow_files(wanted)
    if sessions < 1:
        raise CannotMeasure("This machine lets a process open too few files.")
    note = "" if sessions == wanted else f"{wanted} wanted, but a process may not open more files."
    with TemporaryDirectory(dir=folder) as log, rookery(Path(log)) as server:
        before = server.memory()
        began = time.perf_counter()
        sockets: list[socket] = []
        try:
            while len(sockets) < sessions:
                _wave(server.port, sockets, min(WAVE, sessions - len(sockets)))
            took = time.perf_counter() - began
            memory, cpu = server.memory(), server.cpu()
            time.sleep(seconds)
            cpu = server.cpu() - cpu
        finally:
            close(sockets)
    budget = BUDGET if sessions == BUDGET_FOR else None
    return Idle(
        sessions=sessions,
        seconds=round(took, 2),
        memory=round(memory / MEGA, 1),
        memory_before=round(before / MEGA, 1),
        bytes_a_session=(memory - before) // sessions,
        cpu_percent=round(cpu / seconds / 1e7, 2),
        budget=budget,
        within=memory <= budget * MEGA if budget else None,
        note=note,
    )


def _wave(port: int, sockets: list[socket], size: int) -> None:
    """Connect some, let them say hello, and wait until all are greeted."""
    fresh = len(sockets)
    sockets.extend(connect(port) for _ in range(size))
    for one in sockets[fresh:]:
        one.sendall(HELLO)
    for one in sockets[fresh:]:
        if not one.recv(4096).endswith(b"\n"):
            raise CannotMeasure(f"The server greeted only {fresh} sessions.")
