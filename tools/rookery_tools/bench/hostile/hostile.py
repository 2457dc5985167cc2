"""Measures whether a flood keeps others waiting: answers to a pair's moves, with and without it.

A pair plays nim as fast as it is answered, in slices: alone, beside a flood, alone, and so on.
Each slice beside the flood is compared with the one alone just before it, and of these ratios
the median counts: what else the machine does meanwhile changes from second to second, and
mostly meets both of such two. How far the middle half of them lies apart is said beside it.

The server, the pair and the flood are processes of their own; each flood has a server of its
own. To the server all are of one host, which is the worst case: people elsewhere have a host's
share of their own. So is that all share the processors of one machine; but the flood has them
only where no other process wants to run, since it stands for people elsewhere.
"""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import percentile
from rookery_tools.bench.hostile.flooding import certificate, flooding, newcomer
from rookery_tools.bench.hostile.floods import FLOODS, NAMES, SHAKERS, SHAKING
from rookery_tools.bench.load.load import Pair, play
from rookery_tools.bench.load.processes import CannotMeasure, ServerProcess
from rookery_tools.bench.load.scripts import NIM
from rookery_tools.bench.load.seats import parties, seated

BUDGET: Final = 2.0  # times a bystander's p99 without the flood
CONNECTIONS: Final = 10
NEWCOMERS: Final = 3  # one after the other, in each slice with the flood
REST_PATIENCE: Final = 30.0
# A server is at rest that uses less than a tenth of a CPU for so long; after a second its host
# may let the log grow again.
LOOK, IDLE = 1.1, 0.1


class Slice(Struct, frozen=True):
    """A pair alone, and then beside a flood; times are nanoseconds, and sorted."""

    alone: Sequence[int]  # its answers
    beside: Sequence[int]
    newcomers: Sequence[int]  # from calling to being greeted, beside the flood
    rate: float  # answers a second that the flood had

    @property
    def ratio(self) -> float:
        """How many times its p99 alone the p99 beside the flood was."""
        return percentile(self.beside, 99) / percentile(self.alone, 99)


class Beset(Struct, frozen=True):
    """A bystander beside one flood; times are microseconds, and medians of the slices."""

    flood: str
    connections: int
    slices: int
    moves: int  # of the bystanders, each way
    p50: int  # without the flood
    p99: int
    flooded_p50: int
    flooded_p99: int
    newcomer: int  # from calling to being greeted, beside the flood; under TLS where that is it
    flood_a_second: int  # answers that the flooders had
    ratio: float  # of the p99, slice by slice
    ratios: tuple[float, float]  # between which the middle half of the slices lies
    within: bool


def hostile(setup: BenchSetup, slices: int, names: Sequence[str] = NAMES) -> tuple[Beset, ...]:
    """Measure these floods. Raises CannotMeasure."""
    found = []
    for name in names:
        setup.say(f"A flood: {name}…")
        found.append(_beset(name, setup, slices))
    return tuple(found)


def _beset(name: str, setup: BenchSetup, slices: int) -> Beset:
    with TemporaryDirectory(dir=setup.folder) as folder:
        tls = certificate(Path(folder)) if name == SHAKING else ()
        with setup.rookery(*tls) as server:
            return summed(name, [cut(server, name, setup.scale.flooded) for _ in range(slices)])


def connections_of(name: str) -> int:
    """How many connections this flood has."""
    return FLOODS[name].connections or CONNECTIONS if name in FLOODS else SHAKERS


def cut(server: ServerProcess, name: str, games: int) -> Slice:
    """Let a pair play so many games at this server, once alone and once beside the flood."""
    _calm(server)
    with _pair(server.port, games) as pair:
        alone = play(pair).answers
    # Seated before: a host that floods opens no tables for a while, and this is the same host.
    with (
        _pair(server.port, games) as pair,
        flooding(server.port, name, connections_of(name)) as stop,
    ):
        beside = play(pair).answers
        came = sorted(newcomer(server.port, sealed=name == SHAKING) for _ in range(NEWCOMERS))
        return Slice(alone, beside, came, stop())


def summed(name: str, slices: Sequence[Slice]) -> Beset:
    """The result of a flood, from all its slices."""
    ratios = sorted(one.ratio for one in slices)
    middle = median(ratios)
    alone, beside = [one.alone for one in slices], [one.beside for one in slices]
    return Beset(
        flood=name,
        connections=connections_of(name),
        slices=len(slices),
        moves=sum(map(len, alone)),
        p50=_middle(alone, 50),
        p99=_middle(alone, 99),
        flooded_p50=_middle(beside, 50),
        flooded_p99=_middle(beside, 99),
        newcomer=_middle([one.newcomers for one in slices], 50),
        flood_a_second=round(median(one.rate for one in slices)),
        ratio=round(middle, 2),
        ratios=(round(percentile(ratios, 25), 2), round(percentile(ratios, 75), 2)),
        within=middle <= BUDGET,
    )


def _middle(slices: Sequence[Sequence[int]], percent: int) -> int:
    """The percentile of a slice, of all slices the median, in microseconds."""
    return round(median(percentile(one, percent) for one in slices) / 1000)


def _calm(server: ServerProcess) -> None:
    """Wait until the server has worked off what the flood before asked."""
    until = time.monotonic() + REST_PATIENCE
    while time.monotonic() < until:
        before = server.cpu()
        time.sleep(LOOK)
        if server.cpu() - before < IDLE * LOOK * 1e9:
            return
    raise CannotMeasure("The server did not come to rest after a flood.")


def _pair(port: int, games: int) -> AbstractContextManager[list[Pair]]:
    """Seat a pair at so many tables of nim."""
    return seated(port, parties(NIM, 1, games))
