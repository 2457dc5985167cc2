"""What happens to a cluster besides the end of who leads: engines and edges die, lines are cut."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from functools import partial

from rookery.core.chance import Chance
from rookery_tools.crashtest.cluster.engines import Engines
from rookery_tools.crashtest.cluster.machine import LEADS, ClusterMachine
from rookery_tools.crashtest.cluster.proxy import CutLine


class ClusterMishaps:
    """Draws the next mishap of a cluster, and lets it happen."""

    one_in = 1

    def __init__(self, machine: ClusterMachine, engines: Engines, chance: Chance) -> None:
        self._machine, self._engines, self._chance = machine, engines, chance
        self._kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "edge killed": self._kill_edge,
            "NATS killed": self._kill_broker,
            "PostgreSQL killed": self._kill_database,
            "PostgreSQL hanging": self._hang_database,
        }
        for line in machine.lines:
            self._kinds[f"cut: {line.name}"] = partial(self._cut, line)
            self._kinds[f"silent: {line.name}"] = partial(self._hush, line)
        self._rest: list[str] = []

    async def happen(self) -> str:
        """Let one mishap happen to its end; returns its kind. Each comes before any comes twice."""
        if not self._rest:
            self._rest = self._chance.shuffled(list(self._kinds))
        kind = self._rest.pop()
        await self._kinds[kind]()
        await self._machine.seen(self._machine.edges, LEADS)
        return kind

    async def happen_last(self) -> str | None:
        """None: nothing more happens at the end of a cluster's day."""
        return None

    def mend(self) -> None:
        """Mend all lines that were cut."""
        for line in self._machine.lines:
            line.mend()

    async def _wait(self) -> None:
        await asyncio.sleep(self._chance.between(100, 900) / 1000)

    async def _kill_edge(self) -> None:
        edge = self._machine.edges[0]
        os.kill(edge.pid, signal.SIGKILL)
        await self._wait()
        await self._machine.begin(edge)

    async def _kill_broker(self) -> None:
        self._engines.broker.kill()
        await self._wait()
        await asyncio.to_thread(self._engines.broker.again)

    async def _kill_database(self) -> None:
        await asyncio.to_thread(self._engines.database.kill)
        await self._wait()
        await asyncio.to_thread(self._engines.database.start)

    async def _hang_database(self) -> None:
        with self._engines.database.hanging():
            await self._wait()

    async def _cut(self, line: CutLine) -> None:
        line.cut()
        await self._wait()
        line.mend()

    async def _hush(self, line: CutLine) -> None:
        line.hush()
        await self._wait()
        line.mend()
