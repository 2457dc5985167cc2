"""One process of a cluster on a machine of its own: a hall that leads or waits, or an edge.

It is started, stopped, killed and kept waiting; what runs in it is the server's own `live` or
`live_at_edge`. Its clocks are its own: they agree with nobody's. It mutates.
"""

import asyncio
from asyncio.events import _set_running_loop
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import Micros
from rookery.server.config import Settings
from rookery.server.edges.edge import live_at_edge
from rookery.server.keeping.scribe import Written
from rookery.server.machine import Machine
from rookery.server.organiser import Organiser
from rookery.server.run import CRASHED, Stop, live
from rookery.sim.agenda import MICRO, MILLI, SECOND, Agenda, Nanos
from rookery.sim.cluster.carrier import SimBroker, SimClient
from rookery.sim.cluster.database import MAIN, Database
from rookery.sim.disk import SimScribe
from rookery.sim.loop import SimLoop
from rookery.sim.process import (
    EPOCH,
    LETTERS,
    NO_HALL,
    ORGANISER,
    RESTART,
    UPTIME,
    Observed,
    Outage,
)
from rookery.sim.wires import Network, Site
from rookery.store import Store
from rookery.store.address import read_address
from rookery.store.postgres.lease import Waiting
from rookery.store.postgres.store import PostgresStore, standing_by
from rookery.store.reach import Reach, Round

DATA = f"postgresql://database/worlds?hall={MAIN}"
WAKES = 30 * MILLI  # a thread, after its process was stopped


class Around:
    """What the processes of a cluster share, and what is known of them. It mutates."""

    def __init__(
        self,
        net: Network,
        chance: Chance,
        broker: SimBroker,
        database: Database,
        *,
        settings: Settings,
        lease: float,
    ) -> None:
        self.agenda: Agenda = net.agenda
        self.net, self.chance, self.broker, self.database = net, chance, broker, database
        self.settings = settings
        self.lease = lease  # seconds
        self.halls: list[Node] = []
        self.seen = Observed()
        self.well = True  # whoever is gone is started again


class Node:
    """A machine with one process after the other."""

    def __init__(self, around: Around, *, is_hall: bool) -> None:
        self.around = around
        self.agenda = around.agenda
        self.site = Site(around.net)
        self.is_hall = is_hall
        self.loop: SimLoop | None = None
        self.held: Nanos = 0  # until then the process gets no processor
        self.client: SimClient | None = None
        self._frozen = False  # and does not even want one
        self._ahead: Micros = around.chance.between(-3_600, 3_600) * 1_000_000
        self._up = around.chance.between(0, UPTIME)
        self._stop: Stop | None = None
        self._store: PostgresStore | None = None
        self._scribe: SimScribe | None = None
        self._silence: Callable[[], None] = lambda: None  # ends the thread that keeps the lease
        self._opening: Waiting[PostgresStore | None] | None = None
        self._task: asyncio.Task[int] | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{'hall' if self.is_hall else 'edge'} {self.site.number}"

    @property
    def leads(self) -> bool:
        """Whether it is a hall that has taken up the log."""
        return self._store is not None

    # -- a life

    def start(self) -> None:
        """Start a process, which waits where another leads."""
        if self.loop is not None or self._opening is not None:
            return
        if not self.is_hall:
            self._live(
                lambda machine, stop: live_at_edge(self._settings(), self._say, stop, machine)
            )
            return
        reach = Reach(
            dial=self.around.database.dial,
            clock=lambda: self.monotonic() / 1_000_000,
            beside=self._beside,
            name=lambda: self.name,
        )
        address = read_address(DATA)
        self._opening = standing_by(address, reach, seconds=self.around.lease, waits=lambda _: True)
        self._wait(self._opening)

    def _wait(self, waiting: "Waiting[PostgresStore | None]") -> None:
        """Go on with waiting to lead."""
        if self._opening is not waiting:
            return
        if self.held > self.agenda.now:
            self.agenda.at(self.held, partial(self._wait, waiting))
            return
        try:
            wait = next(waiting)
        except StopIteration as end:
            self._opening, self._store = None, end.value
            self._lead(end.value)
        except Mistake as wrong:
            self._opening = None
            self.around.seen.refusals.append(str(wrong))
            self._again()
        else:
            self.agenda.after(round(wait * SECOND), partial(self._wait, waiting))

    def _lead(self, store: Store) -> None:
        organiser = Organiser(ORGANISER, "The organiser's token is in a file")
        settings = replace(self._settings(), data=DATA)
        self._live(
            lambda machine, stop: live(settings, store, organiser, self._say, stop, machine=machine)
        )

    def _live(self, life: "Callable[[Machine, Stop], Coroutine[Any, Any, int]]") -> None:
        self.around.seen.lives += 1
        loop = self.loop = SimLoop(self.agenda, self.around.chance)
        self.site.serve(loop)
        _set_running_loop(loop)
        self._stop = Stop()
        self._task = loop.create_task(life(self._machine(loop), self._stop))
        self._task.add_done_callback(self._ended)
        _set_running_loop(None)

    def _settings(self) -> Settings:
        return replace(self.around.settings, nats="nats://broker:4222")

    def _machine(self, loop: SimLoop) -> Machine:
        return Machine(
            monotonic=self.monotonic,
            wall=lambda: EPOCH + self._ahead + self.agenda.now // MICRO,
            looks=lambda _: loop,
            elapsed=loop.watch,
            worked=loop.watch,
            seed=self._seed,
            token=self._token,
            scribe=partial(self._hire, loop),
            reach=Reach(dial=self.around.database.dial, clock=lambda: self.monotonic() / 1_000_000),
            carrying=partial(self._carry, loop),
            settle=lambda: None,
        )

    def monotonic(self) -> Micros:
        """The clock of this machine that nobody sets."""
        return self._up + self.agenda.now // MICRO

    def _hire(self, loop: SimLoop, store: Store, written: Written) -> SimScribe:
        self._scribe = SimScribe(self.around.database, loop, lambda: self.held, store, written)
        return self._scribe

    def _carry(self, loop: SimLoop) -> SimClient:
        self.client = SimClient(self.around.broker, loop)
        return self.client

    def _beside(self, wait: float, work: Round) -> Callable[[], None]:
        """What a thread would do again and again is done by the agenda."""
        over = False

        def go_on() -> None:
            if over:
                return
            if self.held > self.agenda.now:
                self.agenda.at(self.held + self.around.chance.below(WAKES), go_on)
                return
            rest = work()
            if rest is not None:
                self.agenda.after(round(rest * SECOND), go_on)

        def end() -> None:
            nonlocal over
            over = True

        self._silence = end
        self.agenda.after(round(wait * SECOND), go_on)
        return end

    def _seed(self) -> int:
        self.around.seen.seeds.append(self.around.chance.bits())
        return self.around.seen.seeds[-1]

    def _token(self) -> str:
        chance = self.around.chance
        self.around.seen.tokens.append("".join(chance.choice(LETTERS) for _ in range(24)))
        return self.around.seen.tokens[-1]

    def _say(self, _: str) -> None:
        """It says that it listens."""
        for outage in self.around.seen.outages:
            if outage.until is None and outage.kind == self._kind:
                outage.until = self.agenda.now

    @property
    def _kind(self) -> str:
        return NO_HALL if self.is_hall else f"{self.name} down"

    def _ended(self, task: "asyncio.Task[int]") -> None:
        """It went by itself: as asked, followed by another, by a mistake, or it could not start."""
        wrong = task.exception()
        if wrong is not None and not isinstance(wrong, Mistake):
            self.around.seen.mistakes.append(f"{self.name}: {type(wrong).__name__}: {wrong}")
        elif wrong is not None:
            self.around.seen.refusals.append(str(wrong))
        elif task.result() == CRASHED:
            self.around.seen.mistakes.append(f"{self.name} stopped for a mistake of its own")
        self.agenda.after(0, partial(self._bury, task))

    def _bury(self, task: "asyncio.Task[int]") -> None:
        if self._task is task:
            store = self._store
            self._die()
            if store is not None:
                store.close()

    # -- deaths and other misfortunes

    def kill(self) -> None:
        """End the process here and now; what it was writing may be there or not."""
        if self._opening is not None:
            self._opening = None
            self._again()
        if self.loop is None:
            return
        if self._scribe is not None and self.around.chance.below(2):
            self._scribe.finish()
        self._die()

    def _die(self) -> None:
        assert self.loop is not None, "only the living die"
        self.loop.dead = True
        self._silence()
        if self.client is not None:
            self.client.gone()
        self.loop, self._task, self._scribe, self._stop = None, None, None, None
        self._store, self.client = None, None
        self.site.die()
        self.held = 0
        kind, outages = self._kind, self.around.seen.outages
        known = any(one.kind == kind and one.until is None for one in outages)
        if not known and not (self.is_hall and any(hall.leads for hall in self.around.halls)):
            outages.append(Outage(kind, self.agenda.now))
        self._again()

    def _again(self) -> None:
        if self.around.well:
            self.agenda.after(RESTART + self.around.chance.below(3 * SECOND), self.start)

    def ask_to_stop(self) -> None:
        """As by SIGTERM."""
        if self._stop is not None and self.loop is not None:
            _set_running_loop(self.loop)
            self._stop.asked()
            _set_running_loop(None)

    def end(self) -> None:
        """Never again."""
        self._opening = None
        if self.loop is not None:
            self._die()

    def hold(self, wait: Nanos, *, frozen: bool) -> None:
        """The process gets no processor for so long; `frozen`, it is stopped as by SIGSTOP."""
        self.held = max(self.held, self.agenda.now + wait)
        self._frozen = frozen
        kind = f"{'' if self.is_hall else 'edge '}{'frozen' if frozen else 'kept'}"
        self.around.seen.outages.append(Outage(kind, self.agenda.now, self.held))

    def set_clock(self, by: Micros) -> None:
        """Somebody sets the clock on the wall."""
        self._ahead += by

    # -- time

    def wakes(self) -> Nanos | None:
        """When there is something that it can do; None: not before something else happens."""
        found = None if self.loop is None else self.loop.wakes()
        return None if found is None else max(found, self.held)

    def step(self) -> None:
        """Do what is next, and all of a turn unless something else happens meanwhile."""
        loop, agenda = self.loop, self.agenda
        if loop is None:
            return
        _set_running_loop(loop)
        loop.step()
        while loop.runs and ((due := agenda.next()) is None or due > agenda.now):
            loop.step()
        _set_running_loop(None)

    def let_pass(self, passed: Nanos, *, since: Nanos, wants: bool) -> None:
        """Others did something meanwhile, or nobody did."""
        loop = self.loop
        if loop is not None:
            if not loop.runs:
                loop.waited += passed
            if wants and not (self._frozen and self.held > since):
                loop.kept += passed
