"""One process after the other on one machine: started, stopped, killed, kept waiting.

The server's own code runs, on a machine whose clocks, chance, threads, sockets and disk are the
world's. A subclass says what the process is (a server alone, a hall, an edge), and what it leaves
when it is gone.
"""

import asyncio
from abc import ABC, abstractmethod
from asyncio.events import _set_running_loop
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import Micros
from rookery.server.actor.log_writer import Written
from rookery.server.app import CRASHED, Stop
from rookery.server.environment import Environment
from rookery.server.fairtime import BEAT
from rookery.server.web.passphrases import SALT_BYTES, HashCosts
from rookery.store import Store
from rookery_tools.sim.machine.agenda import MICRO, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.disk import SimLogWriter, Slow
from rookery_tools.sim.machine.loop import SimLoop
from rookery_tools.sim.machine.wires import Network, Site
from rookery_tools.sim.snapshots import by_a_worker

HOST: Final = "10.9.9.9"
PORT: Final = 7350
ORGANISER: Final = "the-organisers-own-token"
EPOCH: Final[Micros] = 1_750_000_000 * 1_000_000  # the wall's time when the world begins
UPTIME: Final[Micros] = 90_000_000_000  # of a machine, then
RESTART: Final = SECOND // 2  # from a death to the next start
NO_HALL: Final = "no hall"  # of an outage: nobody leads
WAITED: Final = "waited for the disk"  # in the event loop
HASHING: Final = HashCosts(1, 8)  # as cheap as can be
LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
TURNS: Final = 8  # of loops, until the world is looked at again

Life = Callable[[Environment, Stop], Coroutine[Any, Any, int]]  # Any: as asyncio has them


class WorldOutage(Struct):
    """A time in which a server served nobody, or could not write its log."""

    kind: str
    since: Nanos
    until: Nanos | None = None


class Observed(Struct):
    """What the world sees of a server from outside."""

    mistakes: list[str] = []  # of the server's own
    raised: list[BaseException] = []
    stops: list[str] = []  # that a process made by itself
    refusals: list[str] = []  # why it could not start
    outages: list[WorldOutage] = []
    seeds: list[int] = []  # that were drawn: nobody may hear them
    tokens: list[str] = []
    lives: int = 0

    @property
    def is_well(self) -> bool:
        """Whether no process has failed, or stopped by itself."""
        return not self.mistakes and not self.stops


class Process(ABC):
    """A machine, and the processes that run on it, one after the other."""

    name = "the server"
    part = ""  # of an outage: in which part of a server it is

    def __init__(
        self,
        net: Network,
        chance: Chance,
        seen: Observed,
        *,
        up: Micros = UPTIME,
        ahead: Micros = 0,
    ) -> None:
        self.agenda, self.site, self.seen, self.chance = net.agenda, Site(net), seen, chance
        self.loop: SimLoop | None = None
        self.held: Nanos = 0  # until then the process gets no processor
        self.well = True  # it is started again when it is gone
        self._up, self._ahead = up, ahead  # by what its clocks are wrong
        self._stop: Stop | None = None
        self._writer: SimLogWriter | None = None
        self._task: asyncio.Task[int] | None = None

    # -- a life

    @abstractmethod
    def start(self) -> None:
        """Start a process, unless there is one."""

    @abstractmethod
    def gone(self, *, by_itself: bool) -> None:
        """Clean up after the process, which is gone."""

    @abstractmethod
    def snapshot(self, line: bytes) -> Iterator[bytes]:
        """The steps of a process beside this one that makes a snapshot; the last is its answer."""

    def begin(self, life: Life, disk: Slow) -> None:
        """Start the process: its loop, and this life on it."""
        self.seen.lives += 1
        loop = self.loop = SimLoop(self.agenda, self.chance)
        loop.jobs, loop.fails = {"snapshot": self.snapshot}, self._failed
        self.site.serve(loop)
        _set_running_loop(loop)
        stop = self._stop = Stop()
        task = self._task = loop.create_task(life(self._machine(loop, disk), stop))
        task.add_done_callback(self._ended)
        _set_running_loop(None)

    def _machine(self, loop: SimLoop, disk: Slow) -> Environment:
        return Environment(
            monotonic=self.monotonic,
            wall=lambda: EPOCH + self._ahead + self.agenda.now // MICRO,
            loop_metrics=lambda _: loop,
            elapsed=loop.watch,
            worked=loop.watch,
            seed=self._seed,
            token=self._token,
            writer=partial(self._hire, loop, disk),
            snapshots=by_a_worker,
            settle=lambda: None,
            hashing=HASHING,
            salt=self._salt,
        )

    def monotonic(self) -> Micros:
        """The monotonic clock of this machine, in microseconds."""
        return self._up + self.agenda.now // MICRO

    @property
    def inside(self) -> object:
        """The server's own runner, from which all else can be reached; None: no server runs."""
        return None if self._writer is None else self._writer.told

    @property
    def guest(self) -> object:
        """A connection that nobody has, from which all that runs here can be reached; or None."""
        _set_running_loop(self.loop)
        made = self.site.guest(PORT)
        _set_running_loop(None)
        return made

    def _hire(self, loop: SimLoop, disk: Slow, store: Store, written: Written) -> SimLogWriter:
        self._writer = SimLogWriter(
            disk, loop, lambda: self.held, store, written, waited=self._waited
        )
        return self._writer

    def _waited(self, since: Nanos) -> None:
        """Note that the loop has waited for the disk, if for long: nobody knows what came when."""
        if self.agenda.now - since > BEAT * MICRO:
            self.seen.outages.append(WorldOutage(WAITED, since, self.agenda.now))

    def _seed(self) -> int:
        self.seen.seeds.append(self.chance.bits())
        return self.seen.seeds[-1]

    def _token(self) -> str:
        self.seen.tokens.append("".join(self.chance.choice(LETTERS) for _ in range(24)))
        return self.seen.tokens[-1]

    def _salt(self) -> bytes:
        return b"".join(self.chance.bits().to_bytes(8, "big") for _ in range(SALT_BYTES // 8))

    def _ended(self, task: "asyncio.Task[int]") -> None:
        """Note how the process ended by itself: as asked, by a mistake, or refused to start."""
        wrong = task.exception()
        if wrong is not None and not isinstance(wrong, Mistake):
            self._failed(wrong)
        elif wrong is not None:
            self.seen.refusals.append(str(wrong))
        elif task.result() == CRASHED:
            self.seen.stops.append(f"{self.name} stopped, though nobody asked it to")
        self.agenda.after(0, partial(self._bury, task))

    def _failed(self, wrong: BaseException) -> None:
        """Note an error that ended the process, or one beside it."""
        self.seen.mistakes.append(f"{self.name}: {type(wrong).__name__}: {wrong}")
        self.seen.raised.append(wrong)

    def _bury(self, task: "asyncio.Task[int]") -> None:
        if self._task is task:
            self._die(by_itself=True)

    # -- deaths and other misfortunes

    def kill(self) -> None:
        """End the process here and now; what it was writing may be there or not."""
        if self.loop is None:
            return
        if self._writer is not None and self.chance.below(2):
            self._writer.finish()
        self._die(by_itself=False)

    def _die(self, *, by_itself: bool) -> None:
        assert self.loop is not None, "only the living die"
        loop = self.loop
        loop.die()
        self.loop, self._task, self._writer, self._stop = None, None, None, None
        self.site.die()
        self.held = 0
        self.gone(by_itself=by_itself)
        loop.bury()
        self.start_again()

    def start_again(self) -> None:
        """Start the process again in a while, unless the world is over."""
        if self.well:
            self.agenda.after(RESTART + self.chance.below(3 * SECOND), self.start)

    def ask_to_stop(self) -> None:
        """Ask the process to stop, as SIGTERM does."""
        if self._stop is not None and self.loop is not None:
            _set_running_loop(self.loop)
            self._stop.asked()
            _set_running_loop(None)

    def end(self) -> None:
        """End the process for good."""
        self.well = False
        if self.loop is not None:
            self._die(by_itself=False)

    def hold(self, wait: Nanos, *, frozen: bool) -> None:
        """Keep the process from its processor for so long; `frozen`: stopped as by SIGSTOP."""
        until = self.agenda.now + wait
        self.held = max(self.held, until)
        if frozen and self.loop is not None:
            self.loop.freeze(until)
        kind = f"{self.part}{'frozen' if frozen else 'kept'}"
        self.seen.outages.append(WorldOutage(kind, self.agenda.now, self.held))

    def set_clock(self, by: Micros) -> None:
        """Set the wall clock of this machine forward, or back, by so many microseconds."""
        self._ahead += by

    def step(self) -> None:
        """Let the loop of the process do its next step."""
        if self.loop is not None:
            _set_running_loop(self.loop)
            self.loop.step()
            _set_running_loop(None)


def advance(agenda: WorldAgenda, processes: Sequence[Process], chance: Chance, until: Nanos) -> int:
    """Let processes work, or time pass to the next entry, at most until then.

    Returns how many turns of loops that were.

    Each is on a machine of its own, and has the processor when nobody else does something: what
    it waits meanwhile is not its own doing, and its clocks know that.
    """
    due, alone = agenda.due, processes[0] if len(processes) == 1 else None
    for turn in range(TURNS):
        if due and due[0][0] <= agenda.now:
            agenda.run_due()
        now, soonest = agenda.now, until
        if alone is None:
            process, soonest = _next_of(processes, now, until, chance)
        elif (loop := alone.loop) is None:
            process = None
        else:
            when = max(alone.held, loop.wakes_at)
            process, soonest = (alone, until) if when <= now else (None, min(when, until))
        if process is None:
            agenda.now = max(now, min(soonest, due[0][0]) if due else soonest)
            return turn
        process.step()
    return TURNS


def _next_of(
    processes: Sequence[Process], now: Nanos, until: Nanos, chance: Chance
) -> tuple[Process | None, Nanos]:
    """A process that has something to do now; or None, and when the first will have."""
    ready, soonest = list[Process](), until
    for process in processes:
        loop = process.loop
        if loop is None:
            continue
        when = max(loop.wakes_at, process.held)
        if when <= now:
            ready.append(process)
        elif when < soonest:
            soonest = when
    if not ready:
        return None, soonest
    return ready[0] if len(ready) == 1 else chance.choice(ready), soonest
