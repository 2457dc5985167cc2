"""Where a measurement was made: numbers mean little without it."""

import os
import platform

from msgspec import Struct

from rookery import __version__


class Machine(Struct, frozen=True):
    """The facts that a reader of the numbers asks for first."""

    rookery: str
    python: str
    platform: str
    cpus: int


def this_machine() -> Machine:
    """The machine and the Python that this process runs on."""
    python = f"{platform.python_version()} ({platform.python_implementation()})"
    return Machine(__version__, python, platform.platform(), os.cpu_count() or 1)
