"""Where a measurement was made: numbers mean little without it."""

import os
import platform

from msgspec import Struct

from rookery import __version__


class MachineFacts(Struct, frozen=True):
    """The facts that a reader of the numbers asks for first."""

    rookery: str
    python: str
    platform: str
    cpus: int


def this_machine() -> MachineFacts:
    """The machine and the Python that this process runs on."""
    python = f"{platform.python_version()} ({platform.python_implementation()})"
    return MachineFacts(__version__, python, platform.platform(), os.cpu_count() or 1)
