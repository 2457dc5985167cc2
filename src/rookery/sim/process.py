"""One server process after the other on one machine: started, stopped, killed, kept waiting.

What runs is the server's own `live`, on a machine whose clocks, chance, threads, sockets and
disk are the world's. It mutates.
"""

import asyncio
from asyncio.events import _set_running_loop
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import Micros
from rookery.server.config import Settings
from rookery.server.fairness.pace import PACE
from rookery.server.keeping.scribe import Written
from rookery.server.machine import Machine
from rookery.server.organiser import Organiser
from rookery.server.run import CRASHED, Stop, live
from rookery.sim.agenda import MICRO, SECOND, Nanos
from rookery.sim.disk import Disk, SimScribe
from rookery.sim.loop import SimLoop
from rookery.sim.wires import Network, Site
from rookery.store import Store

HOST: Final = "10.9.9.9"
PORT: Final = 7350
ORGANISER: Final = "the-organisers-own-token"
EPOCH: Final[Micros] = 1_750_000_000 * 1_000_000  # the wall's time when the world begins
UPTIME: Final[Micros] = 90_000_000_000  # of the machine, then
RESTART: Final = SECOND // 2  # from a death to the next start
NO_HALL: Final = "no hall"  # of an outage: nobody leads
LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


class Outage(Struct):
    """A time in which nobody was served, or nothing could be written. It mutates."""

    kind: str
    since: Nanos
    until: Nanos | None = None


class Observed(Struct):
    """What is known of a server by who does not run in it. It mutates."""

    mistakes: list[str] = []  # of the server's own
    refusals: list[str] = []  # why it could not start
    outages: list[Outage] = []
    seeds: list[int] = []  # that were drawn: nobody may hear them
    tokens: list[str] = []
    lives: int = 0


class Machinery:
    """Whatever a server runs on, and the server."""

    def __init__(
        self, net: Network, disk: Disk, chance: Chance, settings: Settings, *, bookmark_every: int
    ) -> None:
        self.agenda, self.site, self.disk = net.agenda, Site(net), disk
        self.loop: SimLoop | None = None
        self.seen = Observed()
        self.well = True  # it is started again when it is gone
        self._chance = chance
        self._settings = settings
        self._every = bookmark_every
        self._held: Nanos = 0  # until then the process gets no processor
        self._frozen = False  # and does not even want one
        self._jump: Micros = 0  # by which the clock on the wall is wrong
        self._store: Store | None = None
        self._stop: Stop | None = None
        self._scribe: SimScribe | None = None
        self._task: asyncio.Task[int] | None = None

    # -- a life

    def start(self) -> None:
        """Start a process; where it cannot be, try again in a while."""
        if self.loop is not None:
            return
        try:
            self._store = self.disk.open(self._every)
        except Mistake as wrong:
            self.seen.refusals.append(str(wrong))
            self.disk.let_go(None)
            self.agenda.after(RESTART, self.start)
            return
        self.seen.lives += 1
        loop = self.loop = SimLoop(self.agenda, self._chance)
        self.site.serve(loop)
        _set_running_loop(loop)
        self._stop = Stop()
        organiser = Organiser(ORGANISER, "The organiser's token is in a file")
        settings = replace(self._settings, data=str(self.disk.folder))
        life = live(
            settings,
            self._store,
            organiser,
            self._up,
            self._stop,
            machine=self._machine(loop),
        )
        self._task = loop.create_task(life)
        self._task.add_done_callback(self._ended)

    def _machine(self, loop: SimLoop) -> Machine:
        return Machine(
            monotonic=lambda: UPTIME + self.agenda.now // MICRO,
            wall=lambda: EPOCH + self._jump + self.agenda.now // MICRO,
            looks=lambda _: loop,
            elapsed=loop.watch,
            worked=loop.watch,
            seed=self._seed,
            token=self._token,
            scribe=partial(self._hire, loop),
            file=self.disk.kind(),
            settle=lambda: None,
        )

    @property
    def inside(self) -> object:
        """The server's own keeper, from which all else can be reached; None: no server runs."""
        return None if self._scribe is None else self._scribe.told

    def _hire(self, loop: SimLoop, store: Store, written: Written) -> SimScribe:
        self._scribe = SimScribe(self.disk, loop, lambda: self._held, store, written)
        return self._scribe

    def _seed(self) -> int:
        self.seen.seeds.append(self._chance.bits())
        return self.seen.seeds[-1]

    def _token(self) -> str:
        self.seen.tokens.append("".join(self._chance.choice(LETTERS) for _ in range(24)))
        return self.seen.tokens[-1]

    def _up(self, _: str) -> None:
        """It says that it listens."""
        for outage in self.seen.outages:
            if outage.until is None:
                outage.until = self.agenda.now

    def _ended(self, task: "asyncio.Task[int]") -> None:
        """It went by itself: as asked, by a mistake of its own, or because it could not start."""
        wrong = task.exception()
        if wrong is not None and not isinstance(wrong, Mistake):
            self.seen.mistakes.append(f"{type(wrong).__name__}: {wrong}")
        elif wrong is not None:
            self.seen.refusals.append(str(wrong))
        elif task.result() == CRASHED:
            self.seen.mistakes.append("the server stopped for a mistake of its own")
        self.agenda.after(0, self._bury)

    def _bury(self) -> None:
        if self._task is not None and self._task.done():
            self._die()

    # -- deaths and other misfortunes

    def kill(self, *, power: bool = False) -> None:
        """End the process here and now; what it was writing may be there or not."""
        if self.loop is None:
            return
        if power:
            self.disk.cut_power()
        if self._scribe is not None and self._chance.below(2):
            self._scribe.finish()
        self._die()

    def _die(self) -> None:
        assert self.loop is not None, "only the living die"
        self.loop.dead = True
        self.loop, self._task, self._scribe, self._stop = None, None, None, None
        _set_running_loop(None)
        self.site.die()
        store, self._store = self._store, None
        self.disk.die(store)
        PACE.calm()
        self._held = 0
        if not any(one.kind == "down" and one.until is None for one in self.seen.outages):
            self.seen.outages.append(Outage("down", self.agenda.now))
        if self.well:
            self.agenda.after(RESTART + self._chance.below(3 * SECOND), self.start)

    def ask_to_stop(self) -> None:
        """As by SIGTERM."""
        if self._stop is not None:
            self._stop.asked()

    def end(self) -> None:
        """Never again."""
        self.well = False
        if self.loop is not None:
            self._die()

    def hold(self, wait: Nanos, *, frozen: bool) -> None:
        """The process gets no processor for so long; `frozen`, it is stopped as by SIGSTOP."""
        self._held = max(self._held, self.agenda.now + wait)
        self._frozen = frozen
        self.seen.outages.append(
            Outage("frozen" if frozen else "kept", self.agenda.now, self._held)
        )

    def set_clock(self, by: Micros) -> None:
        """Somebody sets the clock on the wall."""
        self._jump += by

    # -- time

    def step(self, until: Nanos) -> None:
        """Do one thing, or let time pass to the next thing there is, at most until then."""
        agenda, loop = self.agenda, self.loop
        agenda.run_due()
        loop = self.loop
        wakes = None if loop is None else loop.wakes()
        if loop is not None and wakes is not None and wakes <= agenda.now >= self._held:
            loop.step()
            return
        if wakes is not None and wakes <= agenda.now:
            wakes = self._held
        moments = [when for when in (wakes, agenda.next()) if when is not None]
        self._pass(max(agenda.now, min([until, *moments])))

    def _pass(self, until: Nanos) -> None:
        passed = until - self.agenda.now
        if self.loop is not None:
            wakes = self.loop.wakes()
            wants = wakes is not None and wakes <= self.agenda.now
            if not self.loop.runs:
                self.loop.waited += passed
            if wants and not self._frozen:
                self.loop.kept += passed
        self.agenda.now = until
