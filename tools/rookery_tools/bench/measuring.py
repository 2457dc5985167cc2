"""Running rows as often as wanted, and two servers in turns where two are compared.

Rows that this machine does not let us measure are left out, and a note says why: a benchmark
that stops half-way has wasted minutes. So has one that is interrupted and forgets what it knew;
rows measured before an interruption are kept.
"""

import sys
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import Mistake
from rookery_tools.bench.bench_setup import BenchSetup, Build
from rookery_tools.bench.figures import Figure, Sample, gather
from rookery_tools.bench.rows import ROWS

STOPPED = "stopped"


class Measurement(Struct, frozen=True):
    """The figures that were measured, and notes on rows that were not."""

    figures: tuple[Figure, ...]
    beside: tuple[Figure, ...]  # of the other server, where there was one
    notes: dict[str, str]  # by the names of rows


def measure(
    rows: Sequence[str], setup: BenchSetup, repeat: int, other: Build | None = None
) -> Measurement:
    """Measure these rows `repeat` times; every run of ours in turn with one of the other build."""
    figures: list[Figure] = []
    beside: list[Figure] = []
    notes: dict[str, str] = {}
    for name in rows:
        ours: list[tuple[Sample, ...]] = []
        theirs: list[tuple[Sample, ...]] = []
        try:
            _repeat(name, setup, repeat, other, (ours, theirs))
        except (Mistake, OSError) as wrong:
            notes[name] = str(wrong)
        except KeyboardInterrupt:
            notes[STOPPED] = f"in the middle of {name}"
        figures += gather(name, ours)
        beside += gather(name, theirs)
        if STOPPED in notes:
            break
    return Measurement(tuple(figures), tuple(beside), notes)


def _repeat(
    name: str,
    setup: BenchSetup,
    repeat: int,
    other: Build | None,
    runs: tuple[list[tuple[Sample, ...]], list[tuple[Sample, ...]]],
) -> None:
    if sys.platform != "linux":
        raise OSError("Servers are measured on Linux only.")
    row = ROWS[name]
    setups = [(setup, runs[0])]
    if other is not None:
        setups.append((replace(setup, build=other), runs[1]))
    for n in range(repeat):
        # Who goes first goes second the next time: what is warm, or busy, is so for both.
        for one, found in setups if n % 2 == 0 else reversed(setups):
            whose = "" if one.build is setup.build else ", the other server"
            setup.say(f"{name}: {row.what}, {n + 1} of {repeat}{whose}…")
            samples: list[Sample] = []
            try:
                samples.extend(row.run(one))  # one by one: what came before a failure stays
            finally:
                found.append(tuple(samples))
