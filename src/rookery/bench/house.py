"""Whether house bots leave people alone: the answers to people's moves, with and without them.

A pair plays nim as fast as it is answered, first alone, and then while many bots of level 3
play reversi against opponents who answer at once. The bots think in processes of their own,
so what is left of them in the answers is the server's work for their moves.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from msgspec import Struct

from rookery.bench.load.load import play
from rookery.bench.load.processes import CannotMeasure, rookery
from rookery.bench.load.scripts import NIM
from rookery.bench.load.seats import parties, seated

LEVEL: Final = 3
ROUNDS: Final = 5  # each way, in turns would let the bots of one disturb the other
STOP_PATIENCE: Final = 15.0


class HouseBots(Struct, frozen=True):
    """Answers to people's moves; times are microseconds."""

    tables: int  # with a bot at each
    level: int
    moves: int  # of people, each way
    p50: int  # without bots
    p99: int
    bots_p50: int  # while they play
    bots_p99: int
    bot_moves_a_second: int


def house_bots(tables: int, games: int, folder: Path) -> HouseBots:
    """Measure both. Raises CannotMeasure."""
    house = f"on,wait=0,level={LEVEL},games=reversi"
    with TemporaryDirectory(dir=folder) as log, rookery(Path(log), house) as server:
        alone = _answers(server.port, games)
        with _opponents(server.port, tables) as (tell, hear):
            beside = _answers(server.port, games)
            tell.close()
            moves, seconds = hear.readline().split()
    return HouseBots(
        tables=tables,
        level=LEVEL,
        moves=len(alone),
        p50=_percentile(alone, 50),
        p99=_percentile(alone, 99),
        bots_p50=_percentile(beside, 50),
        bots_p99=_percentile(beside, 99),
        bot_moves_a_second=round(int(moves) / float(seconds)),
    )


def _answers(port: int, games: int) -> list[int]:
    """How long each answer took, in nanoseconds, sorted."""
    found: list[int] = []
    for _ in range(ROUNDS):
        with seated(port, parties(NIM, 1, games)) as pairs:
            found.extend(play(pairs).answers)
    return sorted(found)


@contextmanager
def _opponents(port: int, tables: int) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Bots play at so many tables; the pipes to who plays against them."""
    command = [sys.executable, "-m", "rookery.bench.load.opponents", str(port), str(tables)]
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


def _percentile(answers: list[int], percent: int) -> int:
    return answers[min(len(answers) - 1, len(answers) * percent // 100)] // 1000
