"""What reading over HTTP costs, and whether players feel it.

Readers ask for the list of tables, one table that is played, and one whose game is over, as
fast as they are answered. What a read costs is measured while nobody plays; then a pair plays
beside readers in a process of their own, and without them.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from msgspec import Struct

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample
from rookery_tools.bench.load.load import Pair, play
from rookery_tools.bench.load.processes import ServerProcess
from rookery_tools.bench.load.reading import read
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import parties, seated

READERS: Final = 8  # connections
ENDLESS: Final = 10**9
READ: Final = FigureBudget(200, 200)  # microseconds: 5,000 a second


class _Step(Struct):
    """The part of a move's line that tells its table."""

    table: int


def reads(setup: BenchSetup) -> Iterator[Sample]:
    """CPU of each kind of read, and the answers of players beside them."""
    with setup.rookery() as server:
        over = _play_one(server.port)
        with seated(server.port, parties(REVERSI, setup.scale.tables, 1)) as pairs:
            paths = {
                "the list of tables": "/api/tables",
                "one table": f"/api/tables/{_table(pairs[0])}",
                "a finished game": f"/api/tables/{over}/log",
            }
            for name, path in paths.items():
                yield from _cost(server, name, path, setup.scale.reads)
        yield from _beside(server, paths["the list of tables"], setup.scale.light_games)


def _cost(server: ServerProcess, name: str, path: str, wanted: int) -> Iterator[Sample]:
    before = server.cpu()
    seconds = read(server.port, path, READERS, wanted)
    yield Sample(f"CPU a read of {name}", (server.cpu() - before) / wanted / 1000, "µs", None, READ)
    yield Sample(f"  reads of {name}", wanted / seconds, "/s", more=True)


def _beside(server: ServerProcess, path: str, games: int) -> Iterator[Sample]:
    for name, many in (("with nobody reading", 0), (f"beside {READERS} readers", READERS)):
        with (
            _readers(server.port, path, many),
            seated(server.port, parties(REVERSI, 1, games)) as pairs,
        ):
            run = play(pairs)
        yield Sample(f"  answer to a player {name}, p50", run.answer(50) / 1000, "ms")
        yield Sample(f"  answer to a player {name}, p99", run.answer(99) / 1000, "ms")


@contextmanager
def _readers(port: int, path: str, many: int) -> Iterator[None]:
    """Run so many readers of this path within `with`."""
    if not many:
        yield
        return
    words = [sys.executable, "-m", "rookery_tools.bench.load.reading", str(port), path, str(many)]
    process = subprocess.Popen([*words, str(ENDLESS)])  # noqa: S603 # our own words, and no shell
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _play_one(port: int) -> int:
    """A table whose game is over."""
    with seated(port, parties(REVERSI, 1, 1)) as pairs:
        play(pairs)
        return _table(pairs[0])


def _table(pair: Pair) -> int:
    return msgspec.json.decode(pair.script.steps[0].line, type=_Step).table
