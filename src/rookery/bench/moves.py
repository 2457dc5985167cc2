"""What a move costs the whole server, log included, against a server that moves only bytes.

Both are processes of their own, driven in turns by the same load with the same lines. The
bare one sends as many bytes as Rookery was seen to send. Other processes can only make a
round dearer, so the cheapest of several counts; answers are timed in all of them.
"""

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from rookery.bench.load.load import Course, Pair, play
from rookery.bench.load.processes import rookery, running
from rookery.bench.load.scripts import NIM, REVERSI
from rookery.bench.load.seats import Party, Sizes, paired, parties, seated

BUDGET: Final = 6.0  # times a bare server's CPU
GOAL: Final = 3.0
BUDGET_FROM: Final = 100  # tables: a disk that serves one move at a time is no matter of CPU
PAGE: Final = 4096  # bytes; about what a small commit writes
DISK_TRIES: Final = 51


class Load(Struct, frozen=True):
    """One load. Times are microseconds, `bare` is the server that only moves bytes."""

    load: str  # light or full
    tables: int  # played at the same time
    moves: int  # a round
    rounds: int
    moves_a_second: int
    micros: float  # CPU of the server, a move
    bare_micros: float
    ratio: float
    load_micros: float  # CPU of the load itself, a move
    p50: int  # from sending a move to hearing the answer
    p99: int
    bare_p50: int
    bare_p99: int
    bytes_in: int  # a move, as the server sees it
    bytes_out: int
    budget: float | None  # of the ratio
    goal: float | None
    within: bool | None


class Round(Struct, frozen=True):
    """One server played once: what it cost, what the load saw, and the bytes by variant."""

    cpu: int
    course: Course
    sizes: dict[str, Sizes]


def light_load(games: int, folder: Path) -> Load:
    """One table of reversi: every move has the server, and the disk, to itself."""
    return _measure("light", parties(REVERSI, 1, games), 1, folder)


def full_load(tables: int, games: int, rounds: int, folder: Path) -> Load:
    """Half the tables play reversi and half nim, which is twice as short."""
    half = tables // 2
    playing = parties(REVERSI, tables - half, games) + parties(NIM, half, 2 * games)
    return _measure("full", playing, rounds, folder)


def disk_micros(folder: Path) -> int:
    """How long this disk takes to make one page safe, which no answer to a move can beat."""
    times = []
    with TemporaryDirectory(dir=folder) as inside, (Path(inside) / "page").open("wb", 0) as file:
        for _ in range(DISK_TRIES):
            began = time.perf_counter_ns()
            file.write(bytes(PAGE))
            os.fdatasync(file.fileno())
            times.append(time.perf_counter_ns() - began)
    return sorted(times)[DISK_TRIES // 2] // 1000


def _measure(load: str, playing: Sequence[Party], rounds: int, folder: Path) -> Load:
    ours, bare = [], []
    for _ in range(rounds):
        ours.append(_rookery_round(playing, folder))
        bare.append(_bare_round(playing, ours[-1].sizes))
    moves = ours[0].course.moves
    best, best_bare = (min(one.cpu for one in each) / moves / 1000 for each in (ours, bare))
    course = min((one.course for one in ours), key=lambda one: one.nanos)
    ratio = best / best_bare
    budget = BUDGET if len(playing) >= BUDGET_FROM else None
    return Load(
        load=load,
        tables=len(playing),
        moves=moves,
        rounds=rounds,
        moves_a_second=round(moves / course.nanos * 1e9),
        micros=round(best, 1),
        bare_micros=round(best_bare, 1),
        ratio=round(ratio, 2),
        load_micros=round(min(one.course.cpu for one in ours) / moves / 1000, 1),
        p50=_percentile(ours, 50),
        p99=_percentile(ours, 99),
        bare_p50=_percentile(bare, 50),
        bare_p99=_percentile(bare, 99),
        bytes_in=round(course.sent / moves),
        bytes_out=round(course.heard / moves),
        budget=budget,
        goal=GOAL if budget else None,
        within=ratio <= budget if budget else None,
    )


def _rookery_round(playing: Sequence[Party], folder: Path) -> Round:
    with (
        TemporaryDirectory(dir=folder) as log,
        rookery(Path(log)) as server,
        seated(server.port, playing) as pairs,
    ):
        before = server.cpu()
        course = play(pairs)
        return Round(server.cpu() - before, course, _sizes(playing, pairs))


def _bare_round(playing: Sequence[Party], sizes: dict[str, Sizes]) -> Round:
    with (
        running("rookery.bench.load.bare") as server,
        paired(server.port, playing, sizes) as pairs,
    ):
        before = server.cpu()
        course = play(pairs)
        return Round(server.cpu() - before, course, sizes)


def _sizes(playing: Sequence[Party], pairs: Sequence[Pair]) -> dict[str, Sizes]:
    """What the two of a pair were sent for a move, on the average, by variant."""
    heard: dict[str, int] = defaultdict(int)
    moves: dict[str, int] = defaultdict(int)
    for party, pair in zip(playing, pairs, strict=True):
        heard[party.variant] += sum(line.size for line in pair.lines)
        moves[party.variant] += len(pair.script.steps)
    answer = len(b'{"type":"done","table":1000,"seat":0}\n')  # what only the mover gets
    sizes = {}
    for variant, size in heard.items():
        other = round((size / moves[variant] - answer) / 2)
        sizes[variant] = Sizes(other + answer, other)
    return sizes


def _percentile(rounds: Sequence[Round], percent: int) -> int:
    answers = sorted(nanos for one in rounds for nanos in one.course.answers)
    return answers[min(len(answers) - 1, len(answers) * percent // 100)] // 1000
