"""A table that very many people watch over two edges: what a move of it costs each part.

Every move is made when all have heard of the one before. So how long that takes is measured,
too: all parts and the load are on this machine, and share its processors.
"""

import time
from collections.abc import Iterator
from typing import Final

import msgspec

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.load.load import LoadLine, close
from rookery_tools.bench.load.processes import CannotMeasure, allow_files
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import parties, seated
from rookery_tools.bench.server.cluster import clustered
from rookery_tools.bench.server.spectators import WATCH, WAVE, WatchedStep, look_on, play_before

EDGES: Final = 2


def crowd(setup: BenchSetup) -> Iterator[Sample]:
    """Let a crowd watch one game, and measure each part. Raises CannotMeasure."""
    wanted = setup.scale.crowd
    if allow_files(wanted) < wanted:
        raise CannotMeasure(f"A process may open no files for {wanted} who look on here.")
    lines: list[LoadLine] = []
    playing = parties(REVERSI, 1, 1)
    with clustered(setup, EDGES) as (ports, parts), seated(ports[0], playing) as (pair,):
        table = msgspec.json.decode(pair.script.steps[0].line, type=WatchedStep).table
        try:
            while len(lines) < wanted:
                port = ports[len(lines) // WAVE % EDGES]
                look_on(port, lines, min(WAVE, wanted - len(lines)), WATCH % (b"", table))
            before = {name: part.cpu() for name, part in parts.items()}
            began, load = time.perf_counter_ns(), time.process_time_ns()
            play_before(pair, lines)
            moves = len(pair.script.steps)
            took, load = time.perf_counter_ns() - began, time.process_time_ns() - load
            spent = {name: part.cpu() - before[name] for name, part in parts.items()}
        finally:
            close(line.socket for line in lines)
    for name, cpu in spent.items():
        what = f"CPU a move of the {name}, {wanted} look on over two edges"
        yield Sample(what, cpu / moves / 1e6, "ms")
    yield Sample("  of the load itself", load / moves / 1e6, "ms")
    yield Sample("  until all have heard of a move", took / moves / 1e6, "ms")
