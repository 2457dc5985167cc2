"""A cluster: two halls of which one leads, edges, a broker, a database, and what goes wrong.

Every process is on a machine of its own.
"""

from contextlib import closing
from typing import Final

from rookery.core.chance import Chance
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND
from rookery.server.config import Settings
from rookery.store import StoreBroken, StoreFailed
from rookery.store.address import Reach, read_address
from rookery.store.postgres import open_hall
from rookery_tools.sim.cluster.broker import SimBroker
from rookery_tools.sim.cluster.database import Database
from rookery_tools.sim.cluster.node import DATA, Node, Surroundings
from rookery_tools.sim.machine.agenda import SECOND, Nanos
from rookery_tools.sim.machine.process import NO_HALL, WorldOutage, advance
from rookery_tools.sim.machine.wires import Network
from rookery_tools.sim.observer.flips import Flip
from rookery_tools.sim.observer.memory import Sizes, measure
from rookery_tools.sim.observer.snapshots import SnapshotLeft, read_snapshot
from rookery_tools.sim.script import Fault, WorldScript
from rookery_tools.sim.single_server import LINGERS, jerk

HALLS: Final = 2
AFTER: Final = 4 * SECOND  # until edges, halls and what they wait for are themselves again


class Cluster:
    """All processes of a server, with the broker and the database between them."""

    def __init__(
        self, script: WorldScript, net: Network, chance: Chance, settings: Settings
    ) -> None:
        counts, self._agenda = net.counts, net.agenda
        self._broker = SimBroker(net.agenda, Chance(chance.bits()), counts)
        self._database = Database(net.agenda, Chance(chance.bits()), counts)
        self._counts, self._net = counts, net
        around = self._around = Surroundings(
            net,
            Chance(chance.bits()),
            self._broker,
            self._database,
            settings=settings,
            lease=script.lease,
            snapshot_every=script.snapshot_every,
        )
        self._halls = [Node(around, is_hall=True) for _ in range(HALLS)]
        self._edges = [Node(around, is_hall=False) for _ in range(script.edges)]
        around.halls = self._halls
        self._database.kill = lambda: self._one("hall", 0).kill()
        self._nodes = (*self._halls, *self._edges)
        self._chance = around.chance
        self.halls = [node.site.number for node in self._halls]
        self.edges = [node.site.number for node in self._edges]
        self.seen = around.seen

    @property
    def safe(self) -> list[Nanos]:
        """When each record became safe, by its number."""
        return self._database.safe

    def running(self) -> list[str]:
        """Streams that have no end."""
        return sorted(self._database.running())

    def start(self) -> None:
        """Start all processes; until a hall leads it is an outage."""
        self.seen.outages.append(WorldOutage(NO_HALL, 0))
        for node in self._nodes:
            self._agenda.after(self._chance.below(SECOND // 4), node.start)

    def end(self) -> None:
        """End all processes for good."""
        for node in self._nodes:
            node.end()

    def mend(self) -> None:
        """Let broker and database work well from now on."""
        for node in self._nodes:
            node.deaf = min(node.deaf, self._agenda.now)
        self._broker.mend()
        self._database.mend()

    def read(self) -> tuple[tuple[Record, ...], str]:
        """Read the log as it is now; returns its records, and what is wrong with it or nothing."""
        records: list[Record] = []
        reach = Reach(dial=self._database.dial)
        try:
            with closing(open_hall(read_address(DATA), reach)) as log:
                records.extend(log.read())
        except (StoreBroken, StoreFailed) as wrong:
            return tuple(records), str(wrong)
        return tuple(records), ""

    def snapshot(self) -> SnapshotLeft | None:
        """Read the snapshot that is kept with the log, if there is one."""
        with closing(open_hall(read_address(DATA), Reach(dial=self._database.dial))) as log:
            return read_snapshot(log)

    def linger(self) -> Sizes:
        """Run on, until all is let go that is held for a while; what is kept by any process."""
        end, kept = self._agenda.now + LINGERS, Sizes()
        while self._agenda.now < end and self.seen.is_well:
            self.step(end)
        for node in self._nodes:
            for name, size in measure(node.guest).items():
                kept[name] = max(size, kept.get(name, 0))
        return kept

    def flip(self, said: list[str]) -> Flip:
        """Never called: scripts flip no bit of a cluster's database."""
        raise AssertionError(f"no bit flips in a cluster, {len(said)} words or none")

    # -- time

    def step(self, until: Nanos) -> int:
        """Advance processes and time, at most until then; returns how many turns that were."""
        return advance(self._agenda, self._nodes, self._chance, until)

    # -- what goes wrong

    def go_wrong(self, fault: Fault) -> None:
        """Let this fault happen now."""
        part, _, what = fault.kind.partition(" ")
        match part:
            case "hall" | "edge":
                self._go_wrong_with(self._one(part, fault.number), fault, what)
            case "nats":
                self._go_wrong_between(fault, what)
            case _:
                self._go_wrong_beneath(fault, what)
        self._counts[fault.kind] += 1
        if part in ("nats", "database"):
            self._outage(part, fault)

    def _outage(self, part: str, fault: Fault) -> None:
        now = self._agenda.now
        self.seen.outages.append(WorldOutage(part, now, now + fault.lasts + AFTER))

    def _one(self, part: str, number: int) -> Node:
        """A process: of halls the one that leads, of edges any."""
        nodes = self._halls if part == "hall" else self._edges
        leading = [node for node in nodes if node.leads]
        return leading[0] if leading else nodes[number % len(nodes)]

    def _go_wrong_with(self, node: Node, fault: Fault, what: str) -> None:
        match what:
            case "kill":
                node.kill()
            case "stop":
                node.ask_to_stop()
            case "late":  # for longer than a lease: another leads, and has something written
                lease = round(self._around.lease * SECOND)
                node.hold(lease + SECOND + fault.lasts, frozen=True)
            case "written":  # killed as soon as something is safe, before anybody is told
                self._database.due.append((fault.number % 8, "last"))
            case "lost":  # cut off for so long that its people are given up, and their clocks run
                if node.client is not None:
                    node.client.cut(self._agenda.now + fault.lasts)
                    self._outage("nats", fault)
            case "deaf":  # it alone does not reach the broker
                node.go_deaf(self._agenda.now + fault.lasts)
                self._outage("nats", fault)
            case "clock":
                node.set_clock((fault.number % 7_200 - 3_600) * MICROS_A_SECOND)
            case "jerks":
                until = self._agenda.now + fault.lasts
                jerk(self._net, node.hold, Chance(fault.number), until)
            case _:
                node.hold(fault.lasts, frozen=what == "frozen")

    def _go_wrong_between(self, fault: Fault, what: str) -> None:
        until = self._agenda.now + fault.lasts
        clients = self._broker.clients
        match what:
            case "down":
                self._broker.go_down(until)
            case "bad":
                self._broker.carry_badly(until)
            case _:
                if clients:
                    clients[fault.number % len(clients)].cut(until)

    def _go_wrong_beneath(self, fault: Fault, what: str) -> None:
        until = self._agenda.now + fault.lasts
        match what:
            case "away":
                self._database.go_away(until)
            case "slow":
                self._database.slow_down(until)
            case "hangs":
                self._database.hang(until)
            case _:
                self._database.due.append((fault.number % 8, what))
