"""The machine that a cluster runs on: two halls of which one leads, and two edges.

To the day this is a machine like that of a single server: a `kill` ends the hall that leads, by
SIGKILL, by SIGTERM, or by a sleep that is longer than its lease; and it is over when the other hall
leads. Every part has lines of its own to the engines, which can be cut.
"""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

from rookery.core.chance import Chance
from rookery.core.ids import Micros
from rookery.server.app import TAKEN
from rookery.server.datadir import TOKEN_FILE
from rookery.store import Log
from rookery_tools.crashtest.clients.calling import HOST, now
from rookery_tools.crashtest.clients.player_groups import PORTS, SETTINGS
from rookery_tools.crashtest.cluster.engines import Engines
from rookery_tools.crashtest.cluster.proxy import CutLine
from rookery_tools.crashtest.machine.machine import (
    PATIENCE,
    CrashtestOutage,
    Nursery,
    ServerGone,
    spare_port,
)

LEASE: Final = 0.6  # seconds
LEADS: Final = '"ok"'  # what a hall says of itself that leads
STANDS: Final = '"standing by"'
LOOK: Final = 0.02  # seconds between looks
ENDS: Final = {
    signal.SIGKILL: "kill -9",
    signal.SIGTERM: "stop in good order",
    signal.SIGSTOP: "sleep past its lease",
}
# How it ends then. Where the database had been away for longer than a lease, the other may have
# taken over in the moment before: then it has gone by itself.
CODES: Final = {
    signal.SIGKILL: (-signal.SIGKILL, TAKEN),
    signal.SIGTERM: (0, TAKEN),
    signal.SIGSTOP: (TAKEN,),
}
WAIT: Final = 30  # seconds that an engine may be away when a part begins


class ClusterPart:
    """A hall or an edge: a process that is begun again with the same words."""

    def __init__(self, words: list[str], port: int) -> None:
        self.words = words
        self.port = port
        self.pid = 0

    @property
    def alive(self) -> bool:
        """Whether the process of this part still runs."""
        with suppress(OSError):
            return Path(f"/proc/{self.pid}/stat").read_text("ascii").split(") ")[1][0] != "Z"
        return False


class ClusterMachine:
    """Starts, ends and watches the halls and edges, each in a process of its own."""

    def __init__(self, folder: Path, engines: Engines, chance: Chance) -> None:
        self.folder = folder / "data"
        self.folder.mkdir()
        self.outages: list[CrashtestOutage] = []
        self.restarts: list[Micros] = []  # how long it took until another led
        self.takeovers: dict[str, list[Micros]] = {}  # the same, by how who led before had gone
        self.lines: list[CutLine] = []
        self._place = folder
        self._engines, self._chance = engines, chance
        self._nursery = Nursery()
        self._ends: list[signal.Signals] = []  # each comes once before any comes twice
        self.halls: list[ClusterPart] = []
        self.edges: list[ClusterPart] = []
        self.ports: dict[str, int] = {}
        self.other_ports: dict[str, int] = {}  # where one may call as well

    def said(self) -> str:
        """All that the parts wrote to their logs."""
        files = sorted(self._place.glob("*.txt"))
        return "\n".join(f"{file.stem}: {file.read_text('utf-8', 'replace')}" for file in files)

    def open_log(self) -> Log:
        """Open the log of the cluster, to read it."""
        return self._engines.open_log()

    async def open(self) -> None:
        """Lines to the engines, and everything imported."""
        await self._nursery.open({})
        database, broker = self._engines.database.port, self._engines.broker.port
        for n in range(2):
            data = self._engines.address_at(await self._line(f"hall {n} PostgreSQL", database))
            port = spare_port()
            words = ["hall", "--data", data, "--lease", str(LEASE), "--house", "off"]
            words += ["--nats", f"nats://{HOST}:{await self._line(f'hall {n} NATS', broker)}"]
            self.halls.append(ClusterPart([*words, "--port", str(port), "--wait", str(WAIT)], port))
        for n in range(2):
            ports = {name: spare_port() for name in ("", *PORTS)}
            settings = self._place / f"edge-{n}.toml"
            settings.write_text(SETTINGS.format(**ports), "utf-8")
            words = ["edge", "--config", str(settings), "--port", str(ports[""])]
            words += ["--nats", f"nats://{HOST}:{await self._line(f'edge {n} NATS', broker)}"]
            self.edges.append(ClusterPart([*words, "--wait", str(WAIT)], ports[""]))
            self.other_ports, self.ports = self.ports, ports  # of the last, which is never killed

    async def _line(self, name: str, target: int) -> int:
        line = CutLine(name, target)
        self.lines.append(line)
        return await line.open()

    @property
    def alive(self) -> bool:
        """Whether any hall runs, be it one that stands by."""
        return any(hall.alive for hall in self.halls)

    async def start(self) -> None:
        """Begin whatever does not run, and wait until edges have a hall."""
        for part in (*self.halls, *self.edges):
            if not part.alive:
                await self.begin(part)
        await self.seen(self.edges, LEADS)
        token = self._place / "data" / TOKEN_FILE
        if not token.exists():
            token.write_text(self._token(), "ascii")

    def _token(self) -> str:
        from rookery.store.address import read_address
        from rookery.store.database import read_organiser

        return read_organiser(read_address(self._engines.address_at(self._engines.database.port)))

    async def begin(self, part: ClusterPart) -> None:
        """Start a part; raises ServerGone if it had ended in a way that it may not."""
        if part.pid:
            code = int(await self._nursery.ask(part.pid))
            if code not in (0, TAKEN, -signal.SIGKILL):
                raise ServerGone(f"A part ended with {code}: {self.said()[-3000:]}")
        said = self._place / f"{part.words[0]}-{part.port}.txt"
        words = [str(said), *part.words, "--log-level", "info"]
        part.pid = int(await self._nursery.ask(words))

    async def seen(self, parts: list[ClusterPart], status: str) -> ClusterPart:
        """Wait until one of the parts has this status, all of them if they are the edges."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            found = [part for part in parts if status in await healthz(part.port)]
            if found and (parts is not self.edges or len(found) == len(parts)):
                return found[0]
            if asyncio.get_running_loop().time() > until:
                raise ServerGone(f"Nobody is {status}: {self.said()[-3000:]}")
            await asyncio.sleep(LOOK)

    async def _pair(self) -> tuple[ClusterPart, ClusterPart]:
        """Wait for a hall that leads and one that stands by; starts one anew that has ended."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            said = [await healthz(hall.port) for hall in self.halls]
            for leader, other in ((0, 1), (1, 0)):
                if LEADS in said[leader] and STANDS in said[other]:
                    return self.halls[leader], self.halls[other]
            for hall in self.halls:
                if not hall.alive:
                    await self.begin(hall)
            if asyncio.get_running_loop().time() > until:
                raise ServerGone(f"Nobody stands by: {said} {self.said()[-3000:]}")
            await asyncio.sleep(LOOK)

    async def kill(self) -> None:
        """End the hall that leads, in one of three ways, and wait until the other leads."""
        leader, other = await self._pair()
        if not self._ends:
            self._ends = self._chance.shuffled(list(ENDS))
        how, began = self._ends.pop(), now()
        os.kill(leader.pid, how)
        outage = CrashtestOutage("kill", began)
        until = asyncio.get_running_loop().time() + PATIENCE
        asked = now()
        while LEADS not in (said := await healthz(other.port)):
            if asyncio.get_running_loop().time() > until:
                raise ServerGone(f"Nobody takes over: {self.said()[-3000:]}")
            if STANDS in said:
                outage.until = asked  # so late it did not lead yet
            await asyncio.sleep(LOOK)
            asked = now()
        outage.until = outage.until or began
        if how == signal.SIGTERM:
            outage.decides_until = now()
        self.outages.append(outage)
        self.restarts.append(now() - began)
        self.takeovers.setdefault(ENDS[how], []).append(now() - began)
        if how == signal.SIGSTOP:
            os.kill(leader.pid, signal.SIGCONT)
        code = int(await self._nursery.ask(leader.pid))
        leader.pid = 0
        if code not in CODES[how]:
            raise ServerGone(f"After {how.name} a hall ended with {code}: {self.said()[-3000:]}")

    async def stop(self) -> int:
        """Ask everybody to stop; the first exit code that is not 0."""
        codes = [0]
        for part in (*self.halls, *self.edges):
            if part.alive:
                os.kill(part.pid, signal.SIGTERM)
                codes.append(int(await self._nursery.ask(part.pid)))
                part.pid = 0
        return max(codes)

    async def close(self) -> None:
        """End all parts, and close their lines."""
        await self._nursery.close()
        for line in self.lines:
            line.close()


async def healthz(port: int) -> str:
    """The answer of a part to `GET /healthz`; empty where it is not there."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return ""
    try:
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        return (await asyncio.wait_for(reader.read(-1), PATIENCE)).decode("latin-1")
    except OSError:
        return ""
    finally:
        writer.close()
