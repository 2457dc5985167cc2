"""One server process: open the log, take up what it says, listen, and stop in good order.

`run` is the whole life of the process. It ends on SIGTERM or SIGINT, after what was asked has been
written and everyone was told; or, loudly, on a mistake of our own. The exit code says which.
"""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

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
from rookery.server.net.fair import SWITCHING
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
        self._told = False  # somebody has asked us to stop

    async def wait(self) -> int:
        """Wait until there is a reason to stop; return the exit code."""
        return await self._code

    def code(self) -> int:
        """The exit code, once there is a reason to stop."""
        return 0 if self._told and self._is_orderly() else self._code.result()

    def is_asked(self) -> bool:
        """Whether there is a reason to stop."""
        return self._code.done()

    def asked(self) -> None:
        """Stop, because somebody asked us to."""
        self._told = True
        self._set(0)

    def make_way(self, standby: str) -> None:
        """Stop, because we do not hear the broker, and this stand-by does."""
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

        A server that was asked to stop, and is taken over from before all was written, has done as
        it was told: nobody was told what is not written, and the next hall is asked for it.
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
        SWITCHING.calm()
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

    `beside` is given what says who reads, and what puts a game out of use, from any thread.
    """
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(stop.complained)
    fair = _fair_time(environment, loop, store)
    tally = Counters()
    here = _watched(settings, environment, tally)
    taken = _take_up(settings, store, organiser, fair, stop, tally=tally, here=here)
    (runner, hall, pairer, snapshots), places = taken, list[ServerAddress]()
    door = _door(settings, runner, hall, fair, here)
    web = _web(
        settings, store, taken[:2], door, tally, here=here, places=places, organiser=organiser
    )
    door.web = HttpServer(make_app(web), admission=web.guard.admission)
    servers = await listen(settings, door, say)
    places += places_of(settings, servers)
    edges = open_gateway(settings, store, runner, door, web, organiser.is_token, here.carrying)
    _mind_broker(settings, store, edges, stop)
    house = _house(settings, runner, hall, door, stop, seed=here.seed, edges=edges)
    say(organiser.sentence)
    say(f"The log is {words_for(settings.data)}; stop with Ctrl-C")
    sweeping = asyncio.create_task(sweep(door))
    beside(web.log_reader.busy, lambda game: loop.call_soon_threadsafe(hall.suspend, game))
    await stop.wait()
    sweeping.cancel()
    if house is not None:
        await house.close()
    await asyncio.gather(pairer.close(), snapshots.close())
    for server in servers:
        server.close()
    return await shut(runner, door, web, stop, edges=edges, store=store)


def _fair_time(here: Environment, loop: asyncio.AbstractEventLoop, store: Store) -> FairTime:
    """Make the clock of the hall; warn if the log has been written in what it calls the future."""
    fair = FairTime(here.monotonic, here.wall, looks=here.looks(loop))
    if (warning := ahead(store.last_at(), fair.wall())) is not None:
        log.warning(warning)
    return fair


def _mind_broker(settings: Settings, store: Store, edges: EdgeGateway | None, stop: Stop) -> None:
    """Make way for a stand-by that hears the broker when we have not heard it for long."""
    if edges is not None:
        loop = asyncio.get_running_loop()

        def make_way(standby: str) -> None:
            loop.call_soon_threadsafe(stop.make_way, standby)

        # Half of that time ago we were deaf already: a stand-by that heard it since hears more.
        store.when_deaf(edges.is_deaf, settings.deaf / 2, make_way)


def _watched(settings: Settings, here: Environment, tally: Counters) -> Environment:
    """The same with a watch on how long batches take to be safe, if the hall has edges."""
    if not settings.nats:
        return here
    commits = Commits(here.monotonic)
    tally.beside.append(commits.samples)
    return replace(here, writer=partial(commits.around, here.writer))


def _take_up(
    settings: Settings,
    store: Store,
    organiser: Organiser,
    fair: FairTime,
    stop: Stop,
    *,
    tally: Counters,
    here: Environment,
) -> tuple[HallRunner, Hall, Pairer, Snapshots]:
    """Make the hall as the log left it, with its runner, its pairer and its snapshots."""
    began = here.monotonic()
    hall = _new_hall(settings, store, organiser, here)
    runner = HallRunner(
        hall,
        store,
        fair,
        stop.crashed,
        wrote=tally.wrote,
        clock=here.worked,
        elapsed=here.elapsed,
        writer=here.writer,
        leeway=settings.leeway * MILLI if settings.nats else 0,
    )
    pairer = Pairer(runner.solved)
    runner.tell_of_wishes(pairer.want)
    runner.tell_of_records(pairer.wrote)
    hall.resume_counting(store.last_seq(), store.last_table())
    with undisturbed():
        known, remembered = find(store)
        hall.restoring.recall(remembered, known.seq)
        unfinished = tally.taking_up(store.unfinished(known.seq))
        runner.begin(hall.restore(unfinished, fair.now(), fair.wall(), store.damaged))
    for stream, why in hall.restoring.aside.items():
        log.error("%s is damaged and set aside; all others go on. %s", stream, why)
    here.settle()
    log.info("took up the log in %.2f s", (here.monotonic() - began) / MICROS_A_SECOND)
    every, make = here.snapshot_every, here.snapshots
    snapshots = Snapshots(settings.data, lambda: hall.restoring.own_records, known.n, every, make)
    snapshots.follow(runner.tell_of_records)
    return runner, hall, pairer, snapshots


def _new_hall(settings: Settings, store: Store, organiser: Organiser, here: Environment) -> Hall:
    """Make a hall that knows nothing yet."""
    hold, returning = settings.hold_minutes * MINUTE, RETURNING if settings.nats else 0
    return Hall(
        seeds=here.seed,
        tokens=here.token,
        archive=ArchiveReader(store).read,
        organiser=organiser.token,
        bots=settings.house_terms().games_at(settings.host),
        pairs_away=True,
        settings=HallSettings(hold=hold, returning=returning, remark=log.warning, broke=_broke),
        languages=LANGUAGES,
    )


def _broke(game: str, table: TableId, wrong: BaseException) -> None:
    """Log that the rules of a game failed, whose rules they are, and how."""
    whose = origin_of(game).words()
    where = f"at table {table}" if table else "before a table was opened"
    log.error("the rules of %s, of %s, failed %s", game, whose, where, exc_info=wrong)


def _door(
    settings: Settings, runner: HallRunner, hall: Hall, fair: FairTime, here: Environment
) -> Listener:
    """Make the door, for as many connections as there can be."""
    return Listener(
        runner,
        fair,
        hall.directory,
        limits.Bounds(sessions=sessions_among(raise_limit())),
        tls=tls_of(settings),
        elapsed=here.elapsed,
        worked=here.worked,
    )


def _web(
    settings: Settings,
    store: Store,
    taken: tuple[HallRunner, Hall],
    door: Listener,
    tally: Counters,
    *,
    here: Environment,
    places: Sequence[ServerAddress],
    organiser: Organiser,
) -> AppState:
    """Gather what HTTP is answered from."""
    began, (runner, hall) = here.monotonic(), taken

    def gauges() -> dict[str, float]:
        return tally.samples() | {
            "rookery_connections": len(door),
            "rookery_log_bytes": bytes_of(settings.data),
            "rookery_stalled_seconds_total": door.time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (here.monotonic() - began) / MICROS_A_SECOND,
        }

    # With a connection of its own, what is read in its thread keeps nobody else waiting.
    beside = open_beside(settings.data, here.file, here.reach, checked=True)
    log_reader = LogReader(store) if beside is None else LogReader(beside, own=True)
    admission = admission_of(settings.host, settings.public_host, tls=door.tls is not None)
    return AppState(
        HallClient(runner, hall),
        log_reader,
        guard_of(hall, door.time, organiser.is_token, admission),
        tally,
        gauges,
        lambda: runner.failing,
        hall,
        places,
        bots_of(settings),
        PositionStudy(),
        Passphrases(door.time.now, costs=here.hashing, salt=here.salt),
    )


def _house(
    settings: Settings,
    runner: HallRunner,
    hall: Hall,
    door: Listener,
    stop: Stop,
    *,
    seed: Callable[[], int],
    edges: EdgeGateway | None,
) -> Dispatcher | None:
    """Open the house bots; None if the settings have none for anyone."""
    terms = settings.house_terms()
    for_all = terms.open_at(settings.host)
    ports = any(port.house is not None for port in settings.ports())
    if not (for_all or ports or edges is not None):
        return None
    house = Dispatcher(
        runner,
        hall,
        door.time,
        Pool(size=terms.workers),
        terms,
        for_all=for_all,
        terms_of=door.terms.get,
        crashed=stop.crashed,
        seed=seed,
    )
    house.open()
    return house


async def sweep(door: Listener) -> None:
    """Let the door close silent connections, every so often."""
    while True:
        await asyncio.sleep(limits.SWEEP)
        door.sweep()


async def shut(
    runner: HallRunner,
    listener: Listener,
    web: AppState,
    stop: Stop,
    *,
    edges: EdgeGateway | None,
    store: Store,
) -> int:
    """Finish the batch, tell the clients, and close everything; return the exit code."""
    if web.study is not None:
        await web.study.close()
    closing = asyncio.ensure_future(runner.close(limits.SHUTDOWN_PATIENCE))
    if (fell := await stop.falls_before(closing)) is not None:
        web.log_reader.close()  # whatever we would say now may not be so
        listener.abort()
        runner.let_go()
        return fell
    web.hall_client.close()
    if edges is not None:
        await edges.stop()
        store.close()  # now, so that a stand-by can take over
        await edges.close()
    web.log_reader.close()
    listener.close(Notice("closing", "The server is going down; your games are safe."))
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(limits.SHUTDOWN_PATIENCE):
            await listener.empty.wait()
    listener.abort()
    if not closing.result():
        log.error("what was asked last could not be written; what anyone was told is safe")
        return UNSAVED
    return stop.code()
