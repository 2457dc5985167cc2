"""All that was measured, as one value; what was not asked for is not in it."""

from msgspec import UNSET, Struct, UnsetType

from rookery.bench.hostile.hostile import Beset
from rookery.bench.machine import Machine
from rookery.bench.rules import Timing
from rookery.bench.server import ServerReport


class Report(Struct, frozen=True):
    """Every number, and where it was measured."""

    machine: Machine
    rules: tuple[Timing, ...] | UnsetType = UNSET
    server: ServerReport | UnsetType = UNSET
    hostile: tuple[Beset, ...] | UnsetType = UNSET
