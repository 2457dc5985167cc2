"""All that was measured, as one value; what was not asked for is not in it."""

from msgspec import UNSET, Struct, UnsetType

from rookery.bench.figures import Figure
from rookery.bench.hostile.hostile import Beset
from rookery.bench.machine import MachineFacts
from rookery.bench.rules import Timing


class BenchReport(Struct, frozen=True):
    """Every number, and where it was measured."""

    machine: MachineFacts
    rules: tuple[Timing, ...] | UnsetType = UNSET
    figures: tuple[Figure, ...] | UnsetType = UNSET  # of servers
    beside: tuple[Figure, ...] | UnsetType = UNSET  # of the server that was measured in turns
    notes: dict[str, str] | UnsetType = UNSET  # what could not be measured, and why
    hostile: tuple[Beset, ...] | UnsetType = UNSET
