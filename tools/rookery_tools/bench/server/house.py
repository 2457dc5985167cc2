"""Measures whether house bots slow people down: answers to moves, with and without bots.

A pair plays nim as fast as it is answered, for some seconds alone, and then for as long while
many bots of level 3 play reversi against opponents who answer at once. The bots think in
processes of their own, so what is left of them in the answers is the server's work for their
moves; it is measured until there was one at least.
"""

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import IO, Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample, percentile
from rookery_tools.bench.load.load import play
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import NIM
from rookery_tools.bench.load.seats import parties, seated

LEVEL: Final = 3
STOP_PATIENCE: Final = 15.0
PATIENCE: Final = 60.0  # seconds for a bot's first move


def house_bots(setup: BenchSetup) -> Iterator[Sample]:
    """Measure both. Raises CannotMeasure."""
    tables, games, seconds = setup.scale.bots, setup.scale.light_games, setup.scale.bots_seconds
    with setup.rookery(house=f"on,wait=0,level={LEVEL},games=reversi") as server:
        alone = _answers(server.port, games, seconds, lambda: True)
        with _opponents(server.port, tables) as (tell, hear):
            beside = _answers(server.port, games, seconds, partial(_has_word, hear))
            if hear.readline() != b"moved\n":
                raise CannotMeasure("The opponents of the bots have gone.")
            tell.close()
            moves, took = hear.readline().split()
    name = f"answer to a move beside {tables} tables of level-{LEVEL} house bots, p50"
    yield Sample(name, percentile(beside, 50) / 1e6, "ms")
    yield Sample("  without the bots, p50", percentile(alone, 50) / 1e6, "ms")
    yield Sample("  beside the bots, p99", percentile(beside, 99) / 1e6, "ms")
    yield Sample("  without the bots, p99", percentile(alone, 99) / 1e6, "ms")
    yield Sample("  moves of the bots", int(moves) / float(took), "/s", more=True)


def _answers(port: int, games: int, seconds: float, enough: Callable[[], bool]) -> list[int]:
    """How long each answer to a pair's moves took, in nanoseconds, sorted.

    The pair plays for so many seconds, and on until `enough` says so.
    """
    found: list[int] = []
    began = perf_counter()
    while (lasted := perf_counter() - began) < seconds or not enough():
        if lasted > PATIENCE:
            raise CannotMeasure("The bots made no move while the pair played.")
        with seated(port, parties(NIM, 1, games)) as pairs:
            found.extend(play(pairs).answers)
    return sorted(found)


def _has_word(hear: IO[bytes]) -> bool:
    """Whether this pipe has something to read."""
    return bool(select.select([hear], [], [], 0)[0])


@contextmanager
def _opponents(port: int, tables: int) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Let bots play at so many tables; yields the pipes to and from their opponents."""
    command = [sys.executable, "-m", "rookery_tools.bench.load.opponents", str(port), str(tables)]
    process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None, "its input is a pipe"
    assert process.stdout is not None, "its output is a pipe"
    try:
        if process.stdout.readline() != b"ready\n":
            raise CannotMeasure("The opponents of the bots found no bots.")
        yield process.stdin, process.stdout
    finally:
        process.stdin.close()
        process.kill()
        process.wait(STOP_PATIENCE)
        process.stdout.close()
