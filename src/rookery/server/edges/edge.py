"""Running an edge: listen, find the hall, and carry between the two until told to stop.

An edge keeps no log and decides nothing, so there may be any number of them.
"""

import asyncio
import contextlib
import signal
from typing import Final

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.plugins.watchman import watched
from rookery.runtime.fairtime import FairTime
from rookery.server import limits
from rookery.server.addresses import ServerAddress, places_by_hall
from rookery.server.config import BadSetting, Settings
from rookery.server.connections.door import Door
from rookery.server.connections.open_files import raise_limit, sessions_among
from rookery.server.connections.ports import Say, listen
from rookery.server.connections.tls import tls_of
from rookery.server.edges.app import Around, edge_app
from rookery.server.edges.hall_by_address import Choosing
from rookery.server.edges.hall_end import HallEnd
from rookery.server.fairness.thread_switching import SWITCHING
from rookery.server.links.broker_check import reach_broker
from rookery.server.machine import THIS, Machine
from rookery.server.port import Port
from rookery.server.run import MILLIS_A_SECOND, loop_runner, sweep
from rookery.server.stopping import CRASHED, SIGNALS, Stop
from rookery.server.web.guard.admission import admission_of
from rookery.server.web.guard.request_guard import RequestGuard
from rookery.server.web.protocol.http_connection import HttpServer

GOING: Final = Notice("closing", "The server is going down; your games are safe.")


def run_edge(settings: Settings, say: Say) -> int:
    """Run an edge until told to stop; return the exit code. Raises Mistake before it starts."""
    if not settings.nats:
        raise BadSetting("An edge needs --nats, where its hall is to be found.")
    try:
        return loop_runner()(_serve(settings, say))
    finally:
        SWITCHING.calm()


async def _serve(settings: Settings, say: Say) -> int:
    loop, stop = asyncio.get_running_loop(), Stop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.asked)
    await reach_broker(settings.nats, settings.wait, stop.is_asked)
    with watched(settings.rules_timeout / MILLIS_A_SECOND):
        code = await live_at_edge(settings, say, stop)
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    return code


async def live_at_edge(settings: Settings, say: Say, stop: Stop, machine: Machine = THIS) -> int:
    """Carry between connections and halls until there is a reason to stop; return the code."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(stop.complained)
    time = FairTime(machine.monotonic, machine.wall, looks=machine.looks(loop))
    edge = Edge(settings, time, machine)
    servers = await edge.open(settings, say)
    machine.settle()
    halls = ", ".join(dict.fromkeys((settings.hall, *settings.halls)))
    say(f"This is an edge of {halls}; stop with Ctrl-C")
    code = await stop.wait()
    for server in servers:
        server.close()
    await edge.close(orderly=code != CRASHED)
    return code


class Edge:
    """Everything between the sockets and the broker. It mutates."""

    def __init__(self, settings: Settings, time: FairTime, machine: Machine = THIS) -> None:
        self._time, self._machine = time, machine
        self._places = {place.hall: place for place in settings.hall_places()}
        self._listens: dict[str, tuple[ServerAddress, ...]] = {}  # by hall, once the ports are open
        name = f"{machine.seed():x}"
        halls = dict.fromkeys((settings.hall, *self._places))
        self._ends = {hall: HallEnd(settings, hall, name, time, machine) for hall in halls}
        usual = self._ends[settings.hall]
        self.door = Door(
            usual.link,
            time,
            usual.directory,
            limits.Bounds(sessions=sessions_among(raise_limit())),
            tls=tls_of(settings),
            elapsed=machine.elapsed,
            worked=machine.worked,
        )
        self.door.halls = self._ends
        self._began = machine.monotonic()
        names = [*settings.public_host, *(n for one in self._places.values() for n in one.names)]
        guard = RequestGuard(
            time.now, admission=admission_of(settings.host, names, tls=self.door.tls is not None)
        )
        for end in self._ends.values():
            end.link.dismiss = self.door.dismiss
            end.link.certainty.hold = self.door.hold
            end.link.terms_of = self.door.terms.get
            end.web = self._web(guard, Choosing(end.hall, self._ends, self._places.values()))
        self.door.web = usual.web
        self._sweeping: asyncio.Task[None] | None = None

    def _web(self, guard: RequestGuard, choosing: Choosing) -> HttpServer:
        usual = next(iter(self._ends))
        around = Around(self._ends, self._places, self._gauges, usual, self._listens)
        app = edge_app(guard, choosing, around)
        return HttpServer(app, admission=guard.admission, hall_at=choosing.hall_at)

    async def open(self, settings: Settings, say: Say) -> list[asyncio.Server]:
        """Open the ports, and then look for halls. Raises Mistake."""
        ports = [
            Port(port=place.port, by=settings.by, hall=place.hall)
            for place in self._places.values()
            if place.port
        ]
        servers = await listen(settings, self.door, say, ports)
        self._listens |= places_by_hall(settings, servers, [port.hall for port in ports])
        for end in self._ends.values():
            end.open()
        self._sweeping = asyncio.get_running_loop().create_task(sweep(self.door))
        return servers

    async def close(self, *, orderly: bool) -> None:
        """Tell everyone and hang up, if `orderly`; then tell the halls and go."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        if orderly:
            self.door.close(GOING)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limits.SHUTDOWN_PATIENCE):
                    await self.door.empty.wait()
        self.door.abort()
        await asyncio.gather(*(end.close() for end in self._ends.values()))

    def _gauges(self) -> dict[str, float]:
        found: dict[str, float] = {
            "rookery_connections": len(self.door),
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (self._machine.monotonic() - self._began) / MICROS_A_SECOND,
        }
        for end in self._ends.values():
            found |= end.samples()
        return found
