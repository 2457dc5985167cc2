"""Running an edge: listen, find the hall, and carry between the two until told to stop.

An edge keeps no log and decides nothing, so there may be any number of them.
"""

import asyncio
import contextlib
import signal
from typing import Final

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.plugins.watchdog import watched
from rookery.runtime.fairtime import FairTime
from rookery.server import limits
from rookery.server.addresses import ServerAddress, places_of
from rookery.server.config import BadSetting, Settings
from rookery.server.edges.app import edge_app
from rookery.server.edges.hall_end import HallEnd
from rookery.server.links.broker_check import reach_broker
from rookery.server.machine import THIS, Machine
from rookery.server.net.fair import SWITCHING
from rookery.server.net.listener import Listener, Say, listen, raise_limit, sessions_among
from rookery.server.net.tls import tls_of
from rookery.server.run import MILLIS_A_SECOND, loop_runner, sweep
from rookery.server.stopping import CRASHED, SIGNALS, Stop
from rookery.server.web.guard import RequestGuard, admission_of
from rookery.server.web.http import HttpServer

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
    """Carry between connections and the hall until there is a reason to stop; return the code."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(stop.complained)
    time = FairTime(machine.monotonic, machine.wall, looks=machine.looks(loop))
    edge = Edge(settings, time, machine)
    servers = await edge.open(settings, say)
    machine.settle()
    say(f"This is an edge of {settings.hall}; stop with Ctrl-C")
    code = await stop.wait()
    for server in servers:
        server.close()
    await edge.close(orderly=code != CRASHED)
    return code


class Edge:
    """Everything between the sockets and the broker. It mutates."""

    def __init__(self, settings: Settings, time: FairTime, machine: Machine = THIS) -> None:
        self._time, self._machine = time, machine
        self._listens: list[ServerAddress] = []  # once the ports are open
        self._end = end = HallEnd(settings, time, machine)
        self.listener = Listener(
            end.link,
            time,
            end.directory,
            limits.Bounds(sessions=sessions_among(raise_limit())),
            tls=tls_of(settings),
            elapsed=machine.elapsed,
            worked=machine.worked,
        )
        self._began = machine.monotonic()
        tls = self.listener.tls is not None
        admission = admission_of(settings.host, settings.public_host, tls=tls)
        guard = RequestGuard(time.now, admission=admission)
        app = edge_app(guard, end, self._gauges, self._listens)
        self.listener.web = HttpServer(app, admission=admission)
        end.link.dismiss = self.listener.dismiss
        end.link.certainty.hold = self.listener.hold
        end.link.terms_of = self.listener.terms.get
        self._sweeping: asyncio.Task[None] | None = None

    async def open(self, settings: Settings, say: Say) -> list[asyncio.Server]:
        """Open the ports, and then look for the hall. Raises Mistake."""
        servers = await listen(settings, self.listener, say)
        self._listens += places_of(settings, servers)
        self._end.open()
        self._sweeping = asyncio.get_running_loop().create_task(sweep(self.listener))
        return servers

    async def close(self, *, orderly: bool) -> None:
        """Tell everyone and hang up, if `orderly`; then tell the hall and go."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        if orderly:
            self.listener.close(GOING)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limits.SHUTDOWN_PATIENCE):
                    await self.listener.empty.wait()
        self.listener.abort()
        await self._end.close()

    def _gauges(self) -> dict[str, float]:
        return self._end.samples() | {
            "rookery_connections": len(self.listener),
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (self._machine.monotonic() - self._began) / MICROS_A_SECOND,
        }
