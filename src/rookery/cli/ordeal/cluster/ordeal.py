"""The whole ordeal of a cluster: a day on which its parts die, for as many ends as wanted."""

import asyncio
import tempfile
from pathlib import Path

from rookery.cli.ordeal.cluster.bystanders import Bystanders
from rookery.cli.ordeal.cluster.engines import Engines
from rookery.cli.ordeal.cluster.machine import ClusterMachine
from rookery.cli.ordeal.cluster.mishaps import ClusterMishaps
from rookery.cli.ordeal.day import Day, DayReport
from rookery.cli.ordeal.machine.machine import ServerGone
from rookery.cli.ordeal.ordeal import OrdealReport, Progressed
from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.sim.observer.observer import ENDS
from rookery.sim.observer.verdict import Failing

STAYS = "who asked nothing stays connected"


async def endure_cluster(
    kills: int, seed: int, folder: Path, engines: Engines, progress: Progressed
) -> OrdealReport:
    """So many ends of who leads, with something else before each."""
    report, chance, today = OrdealReport(), Chance(seed), DayReport()
    report.days.append(today)
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
        machine = ClusterMachine(Path(place), engines, Chance(chance.bits() >> 1))
        bystanders = Bystanders()
        try:
            await machine.open()
            await machine.start()
            await bystanders.come(machine.ports[""])
            mishaps = ClusterMishaps(machine, engines, Chance(chance.bits() >> 1))
            day = Day(machine, chance.bits() >> 1, mishaps, today)
            await day.live(kills, lambda: progress(report), before_the_end=bystanders.go)
        except (ServerGone, Mistake, TimeoutError) as wrong:
            today.failings.append(Failing(ENDS, f"The day broke off: {wrong!r}"))
        finally:
            bystanders.go()
            today.failings += [Failing(STAYS, words) for words in bystanders.lost]
            progress(report)
            await machine.close()
    return report


def run_cluster(
    kills: int, seed: int, folder: Path, engines: Engines, progress: Progressed
) -> OrdealReport:
    """The same, on a loop of its own."""
    return asyncio.run(endure_cluster(kills, seed, folder, engines, progress))
