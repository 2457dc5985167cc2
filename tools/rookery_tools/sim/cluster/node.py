"""One process of a cluster on a machine of its own: a hall that leads or waits, or an edge.

The server's own `live` or `live_at_edge` runs in it. Its clocks are its own, and agree with those
of no other machine.
"""

from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.ids import MICROS_A_SECOND
from rookery.server.app import Stop, live
from rookery.server.cluster.edge import live_at_edge
from rookery.server.config import DEAF, Settings
from rookery.server.datadir import Organiser
from rookery.server.environment import Environment
from rookery.store.address import Reach, Round, read_address
from rookery.store.database import Waiting
from rookery.store.postgres import PostgresStore, standing_by
from rookery_tools.sim.cluster.broker import SimBroker, SimClient
from rookery_tools.sim.cluster.database import MAIN, Database, SimConnection
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.process import (
    NO_HALL,
    ORGANISER,
    UPTIME,
    Observed,
    Process,
    WorldOutage,
)
from rookery_tools.sim.machine.wires import Network
from rookery_tools.sim.snapshots import in_a_database

DATA: Final = f"postgresql://database/worlds?hall={MAIN}"
WAKES: Final = 30 * MILLI  # a thread, after its process was stopped
APART: Final = 3_600  # seconds by which a clock on a wall may be wrong


class Surroundings:
    """What the processes of a cluster share, and what the world knows of them."""

    def __init__(
        self,
        net: Network,
        chance: Chance,
        broker: SimBroker,
        database: Database,
        *,
        settings: Settings,
        lease: float,
        snapshot_every: int,
    ) -> None:
        self.agenda: WorldAgenda = net.agenda
        self.net, self.chance, self.broker, self.database = net, chance, broker, database
        self.settings = replace(settings, nats="nats://broker:4222")
        self.lease = lease  # seconds
        self.snapshot_every = snapshot_every
        self.halls: list[Node] = []
        self.seen = Observed()


class NodeEar:
    """What a machine that stands by knows of the broker."""

    def __init__(self, node: "Node") -> None:
        self._node, self._began = node, node.agenda.now

    def is_deaf(self) -> bool:
        """Whether it is cut off, or was just now."""
        return self._node.agenda.now <= self._node.hears_since()

    def is_steady(self) -> bool:
        """Whether it has heard the broker for long enough."""
        since = max(self._began, self._node.hears_since())
        return self._node.agenda.now - since >= round(DEAF * SECOND)

    def silent_for(self) -> float:
        """Always heard just now: who is deaf is not steady."""
        return 0.0


class Node(Process):
    """A machine with one process of a cluster after the other."""

    def __init__(self, around: Surroundings, *, is_hall: bool) -> None:
        chance = around.chance
        ahead = chance.between(-APART, APART) * MICROS_A_SECOND
        super().__init__(around.net, chance, around.seen, up=chance.between(0, UPTIME), ahead=ahead)
        self.around = around
        self.is_hall = is_hall
        self.name = f"{'hall' if is_hall else 'edge'} {self.site.number}"
        self.part = "" if is_hall else "edge "
        self.client: SimClient | None = None
        self._store: PostgresStore | None = None
        self._ends: list[Callable[[], None]] = []  # of the threads that keep the lease
        self._opening: Waiting[PostgresStore | None] | None = None
        self._pauses = 0  # in waiting to lead
        self.deaf: Nanos = 0  # until then this machine does not reach the broker

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
            self.begin(self._live_at_edge, self.around.database)
            return
        reach = replace(self._reach(), beside=self._beside, name=lambda: self.name)
        address = read_address(DATA)
        self._opening = standing_by(
            address,
            reach,
            seconds=self.around.lease,
            waits=lambda _: True,
            broker=NodeEar(self),
        )
        self._wait(self._opening, self._pauses)

    def _reach(self) -> Reach:
        return Reach(
            dial=self.around.database.dial, clock=lambda: self.monotonic() / MICROS_A_SECOND
        )

    def _wait(
        self, waiting: "Waiting[PostgresStore | None]", pause: int, *, told: bool | None = None
    ) -> None:
        """Go on with waiting to lead after this pause, which may have been cut short."""
        if self._opening is not waiting or pause != self._pauses:
            return
        if self.held > self.agenda.now:
            self.agenda.at(self.held, partial(self._wait, waiting, pause, told=told))
            return
        self._pauses += 1
        try:
            wanted = waiting.send(told)
        except StopIteration as end:
            self._opening, self._store = None, end.value
            self.begin(partial(self._lead, end.value), self.around.database)
        except Mistake as wrong:
            self._opening = None
            self.seen.refusals.append(str(wrong))
            self.start_again()
        else:
            go_on = partial(self._wait, waiting, self._pauses)
            self.agenda.after(round(wanted.seconds * SECOND), go_on)
            listener = None if wanted.line is None else wanted.line.listener
            if isinstance(listener, SimConnection):
                listener.told = partial(go_on, told=True)

    def _lead(
        self, store: PostgresStore, machine: Environment, stop: Stop
    ) -> Coroutine[Any, Any, int]:
        organiser = Organiser(ORGANISER, "The organiser's token is in a file")
        settings = replace(self.around.settings, data=DATA)
        here = self._here(machine)
        return live(settings, store, organiser, self._say, stop, environment=here)

    def snapshot(self, line: bytes) -> Iterator[bytes]:
        """Made from the database, by a connection of its own, and put there."""
        return in_a_database(line, self._reach())

    def _live_at_edge(self, machine: Environment, stop: Stop) -> Coroutine[Any, Any, int]:
        return live_at_edge(self.around.settings, self._say, stop, self._here(machine))

    def _here(self, machine: Environment) -> Environment:
        """The machine with its ways to the broker and the database."""
        every = self.around.snapshot_every
        return replace(machine, reach=self._reach(), nats_client=self._carry, snapshot_every=every)

    def _carry(self) -> SimClient:
        assert self.loop is not None, "who calls a broker lives"
        self.client = SimClient(self.around.broker, self.loop)
        self.client.away = self.deaf
        return self.client

    def _beside(self, wait: float, work: Round) -> Callable[[], None]:
        """Let the agenda do the rounds that a thread would do; returns what ends them."""
        over = False

        def go_on() -> None:
            if over:
                return
            if self.held > self.agenda.now:
                self.agenda.at(self.held + self.chance.below(WAKES), go_on)
                return
            rest = work()
            if rest is not None:
                self.agenda.after(round(rest * SECOND), go_on)

        def end() -> None:
            nonlocal over
            over = True

        self._ends.append(end)
        self.agenda.after(round(wait * SECOND), go_on)
        return end

    def go_deaf(self, until: Nanos) -> None:
        """Cut this machine off from the broker until then, whatever runs on it."""
        self.deaf = until
        if self.client is not None:
            self.client.cut(until)

    def hears_since(self) -> Nanos:
        """Since when this machine reaches the broker, or until when it does not."""
        return max(self.deaf, self.around.broker.down)

    def _say(self, _: str) -> None:
        """Note that the process listens, which ends its outage."""
        for outage in self.seen.outages:
            if outage.until is None and outage.kind == self._kind:
                outage.until = self.agenda.now

    @property
    def _kind(self) -> str:
        return NO_HALL if self.is_hall else f"{self.name} down"

    # -- deaths

    def kill(self) -> None:
        """End the process here and now, if it only waits to lead."""
        if self._opening is not None:
            self._opening = None
            self.start_again()
        super().kill()

    def gone(self, *, by_itself: bool) -> None:
        """Note that the process is gone; one that ended by itself closes its store."""
        for end in self._ends:
            end()
        self._ends.clear()
        if self.client is not None:
            self.client.gone()
        store, self._store, self.client = self._store, None, None
        kind, outages = self._kind, self.seen.outages
        known = any(one.kind == kind and one.until is None for one in outages)
        if not known and not (self.is_hall and any(hall.leads for hall in self.around.halls)):
            outages.append(WorldOutage(kind, self.agenda.now))
        if by_itself and store is not None:
            store.close()

    def end(self) -> None:
        """End the process for good."""
        self._opening = None
        super().end()
