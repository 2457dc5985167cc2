"""The whole crash test: day after day until enough servers were killed, and then the power cuts.

Every other day is on a small disk in memory, which can be full. On the others every write is
recorded, and when the day is over the power is cut at some of them.
"""

import asyncio
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import Micros
from rookery_tools.crashtest.day import CrashtestDay, DayReport
from rookery_tools.crashtest.keeping import keep_day
from rookery_tools.crashtest.machine.disk import FailingDisk
from rookery_tools.crashtest.machine.machine import CrashtestMachine, ServerGone
from rookery_tools.crashtest.machine.mishaps import Mishaps, mount_small, unmount
from rookery_tools.crashtest.machine.power import images, judge_image, read_trace
from rookery_tools.crashtest.observer.ledger import CrashtestLedger
from rookery_tools.sim.observer.observer import ENDS
from rookery_tools.sim.observer.verdict import Failing

A_DAY: Final = 50  # kills
POWER: Final = "a power cut loses nothing that was heard"


class CrashtestReport(Struct):
    """The reports of all days, and of the power cuts."""

    days: list[DayReport] = []
    images: int = 0
    checkpoints: int = 0  # images in which the log's own file was being written
    without: str = ""  # what could not be tried here
    kept: list[Path] = []  # folders with what was logged and said, of days with complaints

    @property
    def all_failings(self) -> list[Failing]:
        """Everything that was wrong, in the order it was found."""
        return [failing for day in self.days for failing in day.failings]


class Recording(Struct, frozen=True):
    """The file in which every write is recorded, and the log's two files as they were before."""

    trace: Path
    start: tuple[bytes, bytes]


Progressed = Callable[[CrashtestReport], None]  # told after every kill, and after every day


async def endure(
    kills: int, cuts: int, seed: int, folder: Path, progress: Progressed
) -> CrashtestReport:
    """Run this many kills and power cuts, in folders that are removed afterwards."""
    report, chance = CrashtestReport(), Chance(seed)
    days = -(-kills // A_DAY)
    rest = cuts
    for number in range(days):
        today = min(A_DAY, kills - number * A_DAY)
        share = -(-rest // ((days - number + 1) // 2))  # on every other day, the first of them
        before = report.images
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
            await _spend(Path(place), number, (today, share), (chance, report), progress)
        rest -= report.images - before
    return report


async def _spend(
    place: Path,
    number: int,
    counts: tuple[int, int],
    noted: tuple[Chance, CrashtestReport],
    progress: Progressed,
) -> None:
    """Run one day in this folder: its kills, and then its power cuts."""
    (kills, cuts), (chance, report) = counts, noted
    today = DayReport()
    report.days.append(today)
    disk: FailingDisk | None = FailingDisk(place)
    assert disk is not None, "one is made at first"
    if not disk.compile():
        report.without, disk = "no C compiler: the disk did not fail, the power was not cut", None
    machine = CrashtestMachine(place)
    small = number % 2 == 1 and mount_small(machine.folder)
    try:
        await machine.open({} if disk is None else disk.environment)
        recording = None
        if disk is not None and not small:
            recording = await _begin_recording(machine, disk)
        seed = chance.bits() >> 1
        mishaps = Mishaps(machine, disk, Chance(chance.bits() >> 1), small=small)
        day = CrashtestDay(machine, seed, mishaps, today)
        await day.live(kills, lambda: progress(report))
        if recording is not None:
            _cut(day, recording, cuts, chance, report)
    except (ServerGone, Mistake, TimeoutError) as wrong:  # the day is over, and the next begins
        today.failings.append(Failing(ENDS, f"Day {number + 1} broke off: {wrong!r}"))
    else:
        report.kept += keep_day(day, place, place.parent, number + 1)
    finally:
        progress(report)
        await machine.close()
        if small:
            unmount(machine.folder)


async def _begin_recording(machine: CrashtestMachine, disk: FailingDisk) -> Recording:
    """Make a fresh log, and record every write to it from now on."""
    await machine.start()
    await machine.stop()
    beside = machine.log_file.with_name(f"{machine.log_file.name}-wal")
    disk.record()
    start = machine.log_file.read_bytes(), beside.read_bytes() if beside.exists() else b""
    return Recording(disk.trace, start)


def _cut(
    day: CrashtestDay, recording: Recording, cuts: int, chance: Chance, report: CrashtestReport
) -> None:
    """Cut the power this many times, and judge the image of each cut."""
    steps = list(read_trace(recording.trace))
    moments, heard = _heard(day)
    place = recording.trace.with_name("image")
    for image in images(recording.start, steps, cuts, chance):
        known = bisect_right(moments, image.at)
        report.images += 1
        report.checkpoints += image.checkpoint
        safe = heard[known - 1] if known else 0
        for wrong in judge_image(image, place, day.ledger.records, safe):
            day.report.failings.append(Failing(POWER, wrong))


def _heard(day: CrashtestDay) -> tuple[Sequence[Micros], Sequence[int]]:
    """The moments at which news were heard, each with the highest record heard of by then."""
    ledger: CrashtestLedger = day.ledger
    numbers = {(record.stream, record.n): record.seq for record in ledger.records}
    news = sorted((told.at, told.table, told.n) for told in day.town.claims.heard)
    moments, highest, last = [], [], 0
    for at, table, n in news:
        seq = numbers.get((f"table/{table}", n), 0)
        if seq > last:
            last = seq
            moments.append(at)
            highest.append(last)
    return moments, highest


def run(kills: int, cuts: int, seed: int, folder: Path, progress: Progressed) -> CrashtestReport:
    """Run `endure` on an event loop of its own."""
    return asyncio.run(endure(kills, cuts, seed, folder, progress))
