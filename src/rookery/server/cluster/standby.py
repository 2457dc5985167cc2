"""A hall of a cluster: lead it, or stand by until the leader has gone, and then lead it.

    StandBy ── waits for the lease of the log; answers /healthz; asks whether the broker is heard
       │  its own
       ▼
    server (`run_on`) ── the lease given back, because the broker is not heard ──▶ StandBy again

Two processes that are started alike are a pair of which one plays. Everything that takes time
(imports, above all) is done before the waiting, so that taking over is reading the log and no
more.
"""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from rookery.server.app import MADE_WAY, SIGNALS, loop_runner, run_on
from rookery.server.cluster.nats import Broker, BrokerMonitor, reach_broker
from rookery.server.config import IN_MEMORY, WAIT_MAX, BadSetting, Settings
from rookery.server.environment import settle
from rookery.server.hall_log import wait_for_store
from rookery.server.metrics import HealthPort, ProcessStatus
from rookery.server.net.listener import Say
from rookery.server.web.app import make_ready
from rookery.store import Store, StoreFailed
from rookery.store.address import MAIN, is_address, read_address

log = logging.getLogger(__name__)

NOBODY: Final = "nobody"
CANCEL_EVERY_S: Final = 0.02  # for a task that does not end


def run_hall(settings: Settings, say: Say) -> int:
    """Run a hall until it is told to stop; return its exit code. Raises Mistake before."""
    if not settings.nats:
        raise BadSetting("A hall needs --nats, where its edges are to be found.")
    settings = replace(settings, data=_log_of(settings.data, settings.hall))
    patience, deaf = settings.wait, False
    while True:
        standby = StandBy(replace(settings, wait=patience), say, deaf=deaf)
        loop_runner()(standby.wait())
        if standby.store is None:
            return 0
        here = replace(settings, port=standby.port)
        try:
            code = run_on(here, standby.store, say, asked=standby.stopped)
        except StoreFailed as wrong:
            if not standby.has_waited:
                raise
            log.warning("the log cannot be taken up: %s Standing by again.", wrong)
        else:
            if code != MADE_WAY:
                return code
            log.warning("the lease is given back; standing by until the broker is heard again")
            settings, deaf = here, True
        patience = WAIT_MAX


def _log_of(data: str, hall: str) -> str:
    """Where a hall has its log: in the folder or one of its name in it; or a part of a database."""
    if hall == MAIN or data == IN_MEMORY:
        return data
    if not is_address(data):
        return str(Path(data) / hall)
    if read_address(data).hall != MAIN:  # the address has a name of its own
        return data
    return f"{data}{'&' if '?' in data else '?'}hall={hall}"


async def cancel(task: "asyncio.Task[None]") -> None:
    """Cancel this task until it is over: what it waits for, as a broker, may swallow that once."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_EVERY_S)


class StandBy:
    """A process that waits for a log which another writes."""

    def __init__(self, settings: Settings, say: Say, *, deaf: bool = False) -> None:
        """`deaf`: the broker is known to be away, and may be for any while."""
        self._monitor = BrokerMonitor(settings.deaf, deaf=deaf)
        self._deaf = deaf
        self.store: Store | None = None  # once it is ours
        self.port = settings.port  # where we listen
        self.has_waited = False  # another process led before us
        self._settings = settings
        self._say = say
        self._stopped = threading.Event()
        self._leader = NOBODY
        self._waits = asyncio.Event()

    async def wait(self) -> int:
        """Wait until the log is ours, or we are told to stop. Raises Mistake."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.stop)
        if not self._deaf:
            await reach_broker(self._settings.nats, self._settings.wait, self.stopped)
        begun = partial(loop.call_soon_threadsafe, self._waits.set)
        answering = asyncio.create_task(self._answer())
        waiting = asyncio.create_task(asyncio.to_thread(self._wait_for_store, begun))
        await asyncio.wait({answering, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():  # there is no port for us
            self._stopped.set()
            await asyncio.wait({waiting})
            await answering
        await cancel(answering)
        self.store = await waiting
        if self.store is not None and self.stopped():  # it became ours at the last moment
            self.store.close()
            self.store = None
        self._keep_signals(loop)
        return 0

    def stop(self) -> None:
        """Stop waiting."""
        self._stopped.set()

    def stopped(self) -> bool:
        """Whether somebody has told us to stop."""
        return self._stopped.is_set()

    def _keep_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set handlers so that no signal is missed between this loop and the next."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        for number in SIGNALS:
            loop.remove_signal_handler(number)
            signal.signal(number, lambda *_: self.stop())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def _wait_for_store(self, begun: Callable[[], object]) -> Store | None:
        """Wait for the log, in a thread; None if we were told to stop first."""

        def waits(leader: str) -> bool:
            self._leader = leader or NOBODY
            if not self.has_waited:  # it is asked many times a second
                self.has_waited = True
                begun()
            return not self._stopped.is_set()

        settings = self._settings
        return wait_for_store(
            settings.data,
            seconds=settings.lease,
            waits=waits,
            patience=settings.wait,
            broker=self._monitor,
        )

    async def _answer(self) -> None:
        """Answer on our port, as soon as we have to wait."""
        await self._waits.wait()
        host, hall = self._settings.host, self._settings.hall
        health = HealthPort(self._status, lambda: {"rookery_leads": 0})
        self.port = await health.open(host, self._settings.port)
        self._say(f"A stand-by of the hall {hall} listens on {host}:{self.port}")
        log.info("%s leads the hall %s: standing by", self._leader, hall)
        make_ready()
        settle()
        try:
            await self._monitor.watch(Broker(self._settings.nats, hall))
        finally:
            health.close()

    def _status(self) -> ProcessStatus:
        sentence = f"This one stands by for the hall {self._settings.hall}; {self._leader} leads."
        return ProcessStatus("standing by", sentence)
