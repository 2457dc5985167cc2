"""The whole crash test of a cluster: days on which its parts die, for as many ends as wanted."""

import asyncio
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery_tools.crashtest.cluster.bystanders import Bystanders
from rookery_tools.crashtest.cluster.engines import Another, Engines
from rookery_tools.crashtest.cluster.machine import ClusterMachine
from rookery_tools.crashtest.cluster.mishaps import ClusterMishaps
from rookery_tools.crashtest.day import CrashtestDay, DayReport
from rookery_tools.crashtest.keeping import keep_day
from rookery_tools.crashtest.machine.machine import ServerGone
from rookery_tools.crashtest.run import A_DAY, CrashtestReport, Progressed
from rookery_tools.sim.observer.observer import ENDS
from rookery_tools.sim.observer.verdict import Failing

STAYS: Final = "who asked nothing stays connected"


async def endure_cluster(
    kills: int, seed: int, folder: Path, another: Another, progress: Progressed
) -> CrashtestReport:
    """End the hall that leads this many times, with a mishap before each end."""
    report, chance = CrashtestReport(), Chance(seed)
    for number in range(-(-kills // A_DAY)):
        today = DayReport()
        report.days.append(today)
        ends = min(A_DAY, kills - number * A_DAY)
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
            told = partial(progress, report)
            day = await _spend(ends, Path(place), another(), chance, today, told=told)
            report.kept += keep_day(day, Path(place), folder, number + 1)
        progress(report)
    return report


async def _spend(
    kills: int,
    place: Path,
    engines: Engines,
    chance: Chance,
    today: DayReport,
    *,
    told: Callable[[], None],
) -> CrashtestDay:
    """Let a cluster live through one day in this folder."""
    machine = ClusterMachine(place, engines, Chance(chance.bits() >> 1))
    bystanders = Bystanders()
    await machine.open()
    mishaps = ClusterMishaps(machine, engines, Chance(chance.bits() >> 1))
    day = CrashtestDay(machine, chance.bits() >> 1, mishaps, today)
    try:
        await machine.start()
        await bystanders.come(machine.ports[""])
        await day.live(kills, told, before_the_end=bystanders.go)
    except (ServerGone, Mistake, TimeoutError) as wrong:  # the day is over, and the next begins
        today.failings.append(Failing(ENDS, f"The day broke off: {wrong!r}"))
    finally:
        bystanders.go()
        today.failings += [Failing(STAYS, words) for words in bystanders.lost]
        today.takeovers = machine.takeovers
        await machine.close()
    return day


def run_cluster(
    kills: int, seed: int, folder: Path, another: Another, progress: Progressed
) -> CrashtestReport:
    """Run `endure_cluster` on an event loop of its own."""
    return asyncio.run(endure_cluster(kills, seed, folder, another, progress))
