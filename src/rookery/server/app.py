"""One server process: open the log, take up what it says, listen, and stop in good order.

`run` is the whole life of the process. It ends on SIGTERM or SIGINT, after what was asked has been
written and all clients have been notified; or, loudly, on a mistake of our own. The exit code says
which.
"""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.core.messages import Notice
from rookery.dialects import LANGUAGES
from rookery.games import origin_of
from rookery.hall.hall import Hall, HallSettings
from rookery.plugins.watchdog import Busy, Overran, watched
from rookery.server import limits
from rookery.server.actor.heartbeat import TimedSelector
from rookery.server.actor.log_writer import ArchiveReader, Commits
from rookery.server.actor.runner import HallRunner
from rookery.server.addresses import ServerAddress, bots_of, places_of
from rookery.server.bots.bots import Dispatcher
from rookery.server.bots.pool import Pool
from rookery.server.cluster.gateway import EdgeGateway, open_gateway
from rookery.server.config import MINUTE, Settings
from rookery.server.datadir import Organiser
from rookery.server.environment import THIS_MACHINE, Environment, undisturbed
from rookery.server.fairtime import FairTime, ahead
from rookery.server.hall_log import (
    bytes_of,
    find,
    open_beside,
    open_organiser,
    open_store,
    words_for,
)
from rookery.server.jobs import Pairer, PositionStudy, Snapshots
from rookery.server.metrics import Counters
from rookery.server.net.listener import Listener, listen, raise_limit, sessions_among
from rookery.server.net.tls import tls_of
from rookery.server.web.app import make_app
from rookery.server.web.guard import admission_of, guard_of
from rookery.server.web.hall_client import HallClient
from rookery.server.web.history import LogReader
from rookery.server.web.http import HttpServer
from rookery.server.web.passphrases import Passphrases
from rookery.server.web.routes import AppState
from rookery.store import Store, StoreTaken

RETURNING: Final[Micros] = 10 * MICROS_A_SECOND  # for edges to attach before seats are given up
MILLI: Final[Micros] = 1_000
MILLIS_A_SECOND: Final = 1_000

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
# Exit codes beside 0, as in sysexits.h.
MADE_WAY: Final = 69  # for a stand-by that hears the broker: EX_UNAVAILABLE
CRASHED: Final = 70  # a mistake of our own: EX_SOFTWARE
UNSAVED: Final = 74  # went down while the log could not be written: EX_IOERR
TAKEN: Final = 75  # another server has taken the hall over: EX_TEMPFAIL

log = logging.getLogger(__name__)

Say = Callable[[str], None]


class Stop:
    """The reason to stop, once there is one: a signal, a stand-by, or a mistake of our own."""

    def __init__(self) -> None:
        self._code: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._fallen: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._is_asked = False  # by a signal

    async def wait(self) -> int:
        """Wait until there is a reason to stop; return the exit code."""
        return await self._code

    def code(self) -> int:
        """The exit code, once there is a reason to stop."""
        return 0 if self._is_asked and self._is_orderly() else self._code.result()

    def is_asked(self) -> bool:
        """Whether there is a reason to stop."""
        return self._code.done()

    def asked(self) -> None:
        """Stop, because somebody asked us to."""
        self._is_asked = True
        self._set(0)

    def make_way(self, standby: str) -> None:
        """Stop, because the broker does not reach us, and reaches this stand-by."""
        if not self._code.done():
            log.warning("the broker is not heard here, and %s hears it: making way", standby)
            self._set(MADE_WAY)

    def crashed(self, mistake: BaseException) -> None:
        """Stop, because of a mistake of ours, or because another server has taken over."""
        if isinstance(mistake, StoreTaken):
            log.critical("%s", mistake)
            self._fall(TAKEN)
            return
        log.critical("the server made a mistake and stops", exc_info=mistake)
        self._fall(CRASHED)

    def complained(self, _: asyncio.AbstractEventLoop, report: dict[str, Any]) -> None:
        """Take what went wrong in a callback: log the world's doing, stop for our own."""
        mistake = report.get("exception")
        if isinstance(mistake, Exception) and not isinstance(mistake, OSError):
            self.crashed(mistake)
        else:
            log.warning("%s: %s", report.get("message"), mistake)

    async def falls_before(self, work: asyncio.Task[bool]) -> int | None:
        """Wait for this work; the exit code if something goes wrong before it is done.

        A server that was asked to stop, and is taken over from before everything was written, stops
        in good order: what is not written was not announced, and the next hall is asked for it.
        """
        work.add_done_callback(lambda _: self._fallen.cancel())
        with contextlib.suppress(asyncio.CancelledError):
            fell = await self._fallen
            work.cancel()
            return self.code() if fell == TAKEN and self._is_orderly() else fell
        return None

    def _is_orderly(self) -> bool:
        """Whether we stop because we were asked to, or to make way."""
        return self._code.result() in (0, MADE_WAY)

    def _fall(self, code: int) -> None:
        if not self._fallen.done():
            self._fallen.set_result(code)
        self._set(code)

    def _set(self, code: int) -> None:
        if not self._code.done():
            self._code.set_result(code)


def run(settings: Settings, say: Say) -> int:
    """Run a server until it is told to stop; return its exit code. Raises Mistake before."""
    store = open_store(settings.data, lease=settings.lease, patience=settings.wait)
    return run_on(settings, store, say)


def run_on(
    settings: Settings, store: Store, say: Say, asked: Callable[[], bool] = lambda: False
) -> int:
    """Run a server on an open log, and close that; stop at once if `asked` says so."""
    try:
        organiser = open_organiser(settings.data, store)
        return loop_runner()(_serve(settings, store, organiser, say, asked))
    finally:
        store.close()


def loop_runner() -> Callable[..., int]:
    """Uvloop's runner if it can be had, which moves three times the bytes; else asyncio's."""
    try:
        import uvloop  # noqa: PLC0415 # not on every system
    except ImportError:
        return _run_watched
    return uvloop.run


def _run_watched(main: Coroutine[Any, Any, int]) -> int:
    """Run this in a loop of asyncio's own, which remembers when it looked at its sockets."""
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(TimedSelector())) as runner:
        return runner.run(main)


async def _serve(
    settings: Settings, store: Store, organiser: Organiser, say: Say, asked: Callable[[], bool]
) -> int:
    loop = asyncio.get_running_loop()
    stop = Stop()
    for number in SIGNALS:  # before we say that we listen: then somebody may ask us to stop
        loop.add_signal_handler(number, stop.asked)
    if asked():
        stop.asked()
    with watched(settings.rules_timeout / MILLIS_A_SECOND) as watchdog:
        code = await live(settings, store, organiser, say, stop, beside=watchdog.look_at)
    for number in SIGNALS:  # a second signal must not kill us while the log is closed
        loop.remove_signal_handler(number)
        if code != MADE_WAY:  # then it is closed already, and we stand by
            signal.signal(number, signal.SIG_IGN)
    return code


async def live(
    settings: Settings,
    store: Store,
    organiser: Organiser,
    say: Say,
    stop: Stop,
    *,
    environment: Environment = THIS_MACHINE,
    beside: Callable[[Busy, Overran], object] = lambda *_: None,
) -> int:
    """Serve until there is a reason to stop; return the exit code.

    `beside` is given a function that says which thread reads the log, and one that puts a game out
    of use; it may call them from any thread.
    """
    server = Server(settings, store, organiser, stop, environment)
    await server.open(say)
    server.look_after_rules(beside)
    await stop.wait()
    return await server.close()


class Server:
    """The parts of a server, each made once those that it needs are there."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        organiser: Organiser,
        stop: Stop,
        environment: Environment,
    ) -> None:
        self._settings, self._store, self._organiser = settings, store, organiser
        self._stop, self._environment = stop, environment
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(stop.complained)
        metrics = environment.loop_metrics(self._loop)
        self._time = FairTime(environment.monotonic, environment.wall, metrics=metrics)
        if (warning := ahead(store.last_at(), self._time.wall())) is not None:
            log.warning(warning)
        self._counters = Counters()
        self._hall = self._make_hall()
        self._runner = self._make_runner()
        self._pairer = Pairer(self._runner.solved)
        self._snapshots = self._restore()
        self._began = environment.monotonic()
        self._listener = Listener(
            self._runner,
            self._time,
            self._hall.directory,
            limits.Bounds(sessions=sessions_among(raise_limit())),
            tls=tls_of(settings),
        )
        self._places: list[ServerAddress] = []
        self._web = self._make_web()
        self._listener.web = HttpServer(make_app(self._web), admission=self._web.guard.admission)

    async def open(self, say: Say) -> None:
        """Listen, and reach out to edges and house bots. Raises Mistake."""
        settings, listener, web = self._settings, self._listener, self._web
        self._servers = await listen(settings, listener, say)
        self._places += places_of(settings, self._servers)
        self._edges = open_gateway(
            settings,
            self._store,
            self._runner,
            listener,
            web,
            self._organiser.is_token,
            self._environment.nats_client,
        )
        if self._edges is not None:
            self._counters.beside.append(self._edges.samples)
            self._watch_broker(self._edges)
        self._house = self._open_house()
        self._sweeping = asyncio.create_task(sweep(listener))
        say(self._organiser.sentence)
        say(f"The log is {words_for(settings.data)}; stop with Ctrl-C")

    def look_after_rules(self, beside: Callable[[Busy, Overran], object]) -> None:
        """Let a watchdog, in any thread, see which thread reads, and put a game out of use."""
        suspend = self._hall.suspend
        busy = self._web.log_reader.busy
        beside(busy, lambda game: self._loop.call_soon_threadsafe(suspend, game))

    async def close(self) -> int:
        """Finish the batch, tell the clients, and close everything; return the exit code."""
        self._sweeping.cancel()
        if self._house is not None:
            await self._house.close()
        await asyncio.gather(self._pairer.close(), self._snapshots.close())
        for server in self._servers:
            server.close()
        if self._web.study is not None:
            await self._web.study.close()
        closing = asyncio.ensure_future(self._runner.close(limits.SHUTDOWN_TIMEOUT_S))
        if (fell := await self._stop.falls_before(closing)) is not None:
            self._web.log_reader.close()  # whatever we would say now may not be so
            self._listener.abort()
            self._runner.let_go()
            return fell
        await self._close_in_order()
        if not closing.result():
            log.error("what was asked last could not be written; what anyone was told is safe")
            return UNSAVED
        return self._stop.code()

    async def _close_in_order(self) -> None:
        self._web.hall_client.close()
        if self._edges is not None:
            await self._edges.stop()
            self._store.close()  # now, so that a stand-by can take over
            await self._edges.close()
        self._web.log_reader.close()
        self._listener.close(Notice("closing", "The server is going down; your games are safe."))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limits.SHUTDOWN_TIMEOUT_S):
                await self._listener.empty.wait()
        self._listener.abort()

    # -- the hall, as the log left it

    def _make_hall(self) -> Hall:
        """Make a hall that knows nothing yet."""
        settings, environment = self._settings, self._environment
        hold, returning = settings.hold_minutes * MINUTE, RETURNING if settings.nats else 0
        return Hall(
            seeds=environment.seed,
            tokens=environment.token,
            archive=ArchiveReader(self._store).read,
            organiser=self._organiser.token,
            bots=settings.house_terms().games_at(settings.host),
            pairs_away=True,
            settings=HallSettings(hold=hold, returning=returning, remark=log.warning, broke=_broke),
            languages=LANGUAGES,
        )

    def _make_runner(self) -> HallRunner:
        writer, leeway = self._environment.writer, 0
        if self._settings.nats:  # a hall with edges says how long batches take to be safe
            commits = Commits(self._environment.monotonic)
            self._counters.beside.append(commits.samples)
            writer, leeway = partial(commits.around, writer), self._settings.leeway * MILLI
        return HallRunner(
            self._hall,
            self._store,
            self._time,
            self._stop.crashed,
            wrote=self._counters.wrote,
            clock=self._environment.worked,
            elapsed=self._environment.elapsed,
            writer=writer,
            leeway=leeway,
        )

    def _restore(self) -> Snapshots:
        """Take up what the log says, and look after the next snapshot of it."""
        hall, runner, store, environment = self._hall, self._runner, self._store, self._environment
        began, time = environment.monotonic(), self._time
        runner.tell_of_wishes(self._pairer.want)
        runner.tell_of_records(self._pairer.wrote)
        hall.resume_counting(store.last_seq(), store.last_table())
        with undisturbed():
            known, remembered = find(store)
            hall.restoring.recall(remembered, known.seq)
            unfinished = self._counters.taking_up(store.unfinished(known.seq))
            runner.begin(hall.restore(unfinished, time.now(), time.wall(), store.damaged))
        for stream, why in hall.restoring.aside.items():
            log.error("%s is damaged and set aside; all others go on. %s", stream, why)
        environment.settle()
        took_s = (environment.monotonic() - began) / MICROS_A_SECOND
        log.info("took up the log in %.2f s", took_s)
        snapshots = Snapshots(
            self._settings.data,
            lambda: hall.restoring.own_records,
            known.n,
            environment.snapshot_every,
            environment.snapshots,
        )
        runner.tell_of_records(snapshots.wrote)
        snapshots.wrote()  # the log may be long already
        return snapshots

    # -- what is around it

    def _make_web(self) -> AppState:
        """Gather what HTTP is answered from."""
        settings, environment, listener = self._settings, self._environment, self._listener
        # With a connection of its own, what is read in its thread keeps nobody else waiting.
        log_beside = open_beside(settings.data, environment.file, environment.reach, checked=True)
        admission = admission_of(settings.host, settings.public_host, tls=listener.tls is not None)
        return AppState(
            HallClient(self._runner, self._hall),
            LogReader(self._store) if log_beside is None else LogReader(log_beside, own=True),
            guard_of(self._hall, self._time, self._organiser.is_token, admission),
            self._samples,
            lambda: self._runner.failing,
            self._hall,
            self._places,
            bots_of(settings),
            PositionStudy(),
            Passphrases(self._time.now, costs=environment.hashing, salt=environment.salt),
        )

    def _samples(self) -> dict[str, float]:
        uptime = self._environment.monotonic() - self._began
        return self._counters.samples() | {
            "rookery_connections": len(self._listener),
            "rookery_log_bytes": bytes_of(self._settings.data),
            "rookery_log_failing": int(self._runner.failing),
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": uptime / MICROS_A_SECOND,
        }

    def _watch_broker(self, edges: EdgeGateway) -> None:
        """Make way for a stand-by that the broker reaches, once it has not reached us for long."""

        def make_way(standby: str) -> None:
            self._loop.call_soon_threadsafe(self._stop.make_way, standby)

        # Half of that time ago we were deaf already: a stand-by that it reached since is better.
        self._store.when_deaf(edges.is_deaf, self._settings.deaf / 2, make_way)

    def _open_house(self) -> Dispatcher | None:
        """Open the house bots; None if the settings have none for anyone."""
        terms, edges = self._settings.house_terms(), self._edges
        for_all = terms.open_at(self._settings.host)
        ports = any(port.house is not None for port in self._settings.ports())
        if not (for_all or ports or edges is not None):
            return None
        house = Dispatcher(
            self._runner,
            self._hall,
            self._time,
            Pool(size=terms.workers),
            terms,
            for_all=for_all,
            terms_of=self._listener.terms.get,
            crashed=self._stop.crashed,
            seed=self._environment.seed,
        )
        house.open()
        return house


def _broke(game: str, table: TableId, wrong: BaseException) -> None:
    """Log that the rules of a game failed, whose rules they are, and how."""
    whose = origin_of(game).words()
    where = f"at table {table}" if table else "before a table was opened"
    log.error("the rules of %s, of %s, failed %s", game, whose, where, exc_info=wrong)


async def sweep(listener: Listener) -> None:
    """Let the listener close silent connections, every so often."""
    while True:
        await asyncio.sleep(limits.SWEEP_EVERY_S)
        listener.sweep()
