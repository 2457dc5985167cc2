"""What is kept of a day on which something was wrong: what all parts logged, and the wires."""

import shutil
from pathlib import Path
from typing import Final

from rookery_tools.crashtest.day import CrashtestDay

FOLDER: Final = "rookery-crashtest"


def keep_day(day: CrashtestDay, place: Path, folder: Path, number: int) -> list[Path]:
    """Keep the servers' logs and the callers' tapes of a day with failings; returns the folders."""
    if not day.report.failings:
        return []
    kept = folder / FOLDER / f"day-{number}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for file in place.glob("*.txt"):
        shutil.copy(file, kept)
    for caller in day.callers():
        caller.wire.keep(kept / f"wire-{caller.name}.txt")
    return [kept]
