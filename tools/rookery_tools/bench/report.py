"""The report of a benchmark as one value; measurements that were not asked for stay unset."""

from msgspec import UNSET, Struct, UnsetType

from rookery_tools.bench.figures import Figure
from rookery_tools.bench.hostile.hostile import Beset
from rookery_tools.bench.machine import MachineFacts
from rookery_tools.bench.rules import Timing
from rookery_tools.bench.verdict import FigureVerdict


class BenchReport(Struct, frozen=True):
    """Every number that was measured, and the machine it was measured on."""

    machine: MachineFacts
    rules: tuple[Timing, ...] | UnsetType = UNSET
    figures: tuple[Figure, ...] | UnsetType = UNSET  # of servers
    beside: tuple[Figure, ...] | UnsetType = UNSET  # of the server that was measured in turns
    verdicts: tuple[FigureVerdict, ...] | UnsetType = UNSET  # on ours, where there is another
    notes: dict[str, str] | UnsetType = UNSET  # what could not be measured, and why
    hostile: tuple[Beset, ...] | UnsetType = UNSET
