"""Running an edge: listen, find the hall, and carry between the two until told to stop.

It keeps no log and decides nothing, so there may be any number of them.
"""

import asyncio
import contextlib
import secrets
import signal
from typing import Final

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.server import limits
from rookery.server.config import BadSetting, Settings
from rookery.server.connections.door import Door
from rookery.server.connections.open_files import raise_limit, sessions_among
from rookery.server.connections.ports import Say, listen, tls_of
from rookery.server.edges.app import Around, edge_app
from rookery.server.fairness.pace import PACE
from rookery.server.links.broker import Broker
from rookery.server.links.edge import EdgeLink
from rookery.server.links.frames import read_lead
from rookery.server.links.requests import WebAsking
from rookery.server.machine import THIS, settle
from rookery.server.run import CRASHED, SIGNALS, Stop, loop_runner, sweep
from rookery.server.web.guard.admission import admission_of
from rookery.server.web.guard.gate import Gate
from rookery.server.web.protocol.http_connection import Carrier
from rookery.shell.fairtime import FairTime

BEAT: Final = 0.1  # seconds between saying that one is there
GOING: Final = Notice("closing", "The server is going down; your games are safe.")


def run_edge(settings: Settings, say: Say) -> int:
    """Run an edge until it is told to stop; its exit code. Raises Mistake before it starts."""
    if not settings.nats:
        raise BadSetting("An edge needs --nats, where its hall is to be found.")
    try:
        return loop_runner()(_serve(settings, say))
    finally:
        PACE.calm()


async def _serve(settings: Settings, say: Say) -> int:
    loop, stop = asyncio.get_running_loop(), Stop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.asked)
    loop.set_exception_handler(stop.complained)
    time = FairTime(THIS.monotonic, THIS.wall, looks=THIS.looks(loop))
    edge = Edge(settings, time)
    servers = await edge.open(settings, say)
    settle()
    say(f"This is an edge of the hall {settings.hall}; stop with Ctrl-C")
    code = await stop.wait()
    for server in servers:
        server.close()
    await edge.close(orderly=code != CRASHED)
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    return code


class Edge:
    """Everything between the sockets and the broker. It mutates."""

    def __init__(self, settings: Settings, time: FairTime) -> None:
        self.name = secrets.token_hex(6)
        self._time = time
        self._broker = Broker(settings.nats, settings.hall)
        self.link = link = EdgeLink(time, self._up)
        bounds = limits.Bounds(sessions=sessions_among(raise_limit()))
        self.door = Door(link, time, link.directory, bounds, tls=tls_of(settings))
        link.dismiss = self.door.dismiss
        link.terms_of = self.door.terms.get
        self._asking = WebAsking(self._ask)
        admission = admission_of(settings.host, settings.public_host, tls=self.door.tls is not None)
        self._began = THIS.monotonic()
        app = edge_app(
            Gate(time.now, admission=admission),
            self._asking,
            Around(lambda: link.away, self._gauges),
        )
        self.door.web = Carrier(app, admission=admission)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, settings: Settings, say: Say) -> list[asyncio.Server]:
        """Listen, and then look for a hall. Raises Mistake."""
        servers = await listen(settings, self.door, say)
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(work) for work in (self._find(), self._beat(), sweep(self.door))
        ]
        return servers

    async def _find(self) -> None:
        """Find the broker, however long that takes, and a hall."""
        await self._broker.open()
        await self._broker.hear("lead", lambda _, said: self.link.led(read_lead(said)))
        await self._broker.hear(f"down.{self.name}", lambda _, said: self.link.receive(said))
        await self._broker.hear(f"web.down.{self.name}", lambda _, said: self._asking.receive(said))
        self._broker.send("hello", b"")

    async def _beat(self) -> None:
        """Say every so often that we are there, and notice where the hall is not."""
        while True:
            await asyncio.sleep(BEAT)
            self.link.beat()

    async def close(self, *, orderly: bool) -> None:
        """Tell everyone, hang up, and tell the hall."""
        for task in self._tasks:
            task.cancel()
        if orderly:
            self.door.close(GOING)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.door.empty.wait(), limits.SHUTDOWN_PATIENCE)
        self.door.abort()
        self.link.close()
        await self._broker.close()

    def _up(self, epoch: int, said: bytes) -> None:
        self._broker.send(f"up.{epoch}.{self.name}", said)

    def _ask(self, said: bytes) -> None:
        self._broker.send(f"web.up.{self.name}", said)

    def _gauges(self) -> dict[str, float]:
        return {
            "rookery_connections": len(self.door),
            "rookery_edge_has_hall": 0 if self.link.away else 1,
            "rookery_edge_attached_total": self.link.attached,
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (THIS.monotonic() - self._began) / MICROS_A_SECOND,
        }
