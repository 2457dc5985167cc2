"""What sessions cost that only listen: the memory for all, and the CPU while nothing happens.

Every session greets, is greeted, and then says no more.
"""

import time
from collections.abc import Iterator
from socket import socket
from typing import Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample
from rookery_tools.bench.load.load import close, connect
from rookery_tools.bench.load.processes import CannotMeasure, allow_files

BUDGET: Final = FigureBudget(80, 60)
BUDGET_FOR: Final = 10_000
WAVE: Final = 500  # connections made before any is served; a server lets about 1,000 wait
HELLO: Final = b'{"type":"hello","version":1}\n'
MEGA: Final = 1_000_000


def idle_sessions(setup: BenchSetup) -> Iterator[Sample]:
    """Connect so many, and look at the server for a while. Raises CannotMeasure."""
    wanted, seconds = setup.scale.sessions, setup.scale.idle_seconds
    sessions = allow_files(wanted)
    if sessions < wanted:
        raise CannotMeasure(f"A process may open no files for {wanted} sessions here.")
    with setup.rookery() as server:
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
    yield Sample(f"memory with {sessions} idle sessions", memory / MEGA, "MB", budget=budget)
    yield Sample("  without them", before / MEGA, "MB")
    yield Sample("  time to connect and greet them", took, "s")
    yield Sample("  CPU while nothing happens", cpu / seconds / 1e7, "%")


def _wave(port: int, sockets: list[socket], size: int) -> None:
    """Connect some, let them say hello, and wait until all are greeted."""
    fresh = len(sockets)
    sockets.extend(connect(port) for _ in range(size))
    for one in sockets[fresh:]:
        one.sendall(HELLO)
    for one in sockets[fresh:]:
        if not one.recv(4096).endswith(b"\n"):
            raise CannotMeasure(f"The server greeted only {fresh} sessions.")
