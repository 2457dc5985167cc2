"""One table that has the server to itself, and what the disk alone takes.

Both servers are processes of their own, driven by the same load with the same lines. The
bare one sends as many bytes as Rookery was seen to send.
"""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample
from rookery_tools.bench.load.load import Pair, play
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import Sizes, paired, parties, seated

PAGE: Final = 4096  # bytes; about what a small commit writes
DISK_TRIES: Final = 51
ANSWER: Final = len(b'{"type":"done","table":1000,"seat":0}\n')  # what only the mover gets


def one_table(setup: BenchSetup) -> Iterator[Sample]:
    """Reversi: every move has the server, and the disk, to itself."""
    playing = parties(REVERSI, 1, setup.scale.light_games)
    disk = disk_micros(setup.folder)
    with setup.rookery() as server, seated(server.port, playing) as pairs:
        before = server.cpu()
        run = play(pairs)
        cpu = server.cpu() - before
        sizes = {REVERSI: sizes_of(pairs)}
    with setup.bare() as server, paired(server.port, playing, sizes) as pairs:
        before = server.cpu()
        bare = play(pairs)
        bare_cpu = server.cpu() - before
    micros, bare_micros = (each / run.moves / 1000 for each in (cpu, bare_cpu))
    near = disk / 1000 + 0.15  # milliseconds
    yield Sample("CPU a move, one table", micros, "µs", bare_micros, FigureBudget(250, 250))
    yield Sample("  of the load itself", run.cpu / run.moves / 1000, "µs")
    fifty, most = (run.answer(part) / 1000 for part in (50, 99))
    yield Sample(
        "  answer, p50", fifty, "ms", bare.answer(50) / 1000, FigureBudget(0.5, round(near, 2))
    )
    yield Sample(
        "  answer, p99", most, "ms", bare.answer(99) / 1000, FigureBudget(1.2, round(near, 2))
    )
    yield Sample("  the disk makes a page safe in", disk / 1000, "ms")


def disk_alone(setup: BenchSetup) -> Iterator[Sample]:
    """Measure the disk alone, which no answer to a move can beat."""
    yield Sample("the disk makes a page safe in", disk_micros(setup.folder) / 1000, "ms")


def disk_micros(folder: Path) -> int:
    """How many microseconds this disk takes to make one page safe."""
    times = []
    with TemporaryDirectory(dir=folder) as inside, (Path(inside) / "page").open("wb", 0) as file:
        for _ in range(DISK_TRIES):
            began = time.perf_counter_ns()
            file.write(bytes(PAGE))
            os.fdatasync(file.fileno())
            times.append(time.perf_counter_ns() - began)
    return sorted(times)[DISK_TRIES // 2] // 1000


def sizes_of(pairs: Sequence[Pair]) -> Sizes:
    """The bytes that mover and opponent of a pair were sent for a move, on the average."""
    heard = sum(line.size for pair in pairs for line in pair.lines)
    moves = sum(len(pair.script.steps) for pair in pairs)
    other = round((heard / moves - ANSWER) / 2)
    return Sizes(other + ANSWER, other)
