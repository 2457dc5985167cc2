"""One process with its disk: what goes wrong with it, and what can be tried at the end."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND
from rookery.server.app import Stop, live
from rookery.server.config import Settings
from rookery.server.datadir import LOG_FILE, Organiser
from rookery.server.environment import Environment
from rookery.store import Store, StoreBroken, StoreFailed
from rookery.store.sqlite import open_for_reading
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from rookery_tools.sim.machine.disk import DiskTrouble, WorldDisk
from rookery_tools.sim.machine.process import (
    ORGANISER,
    RESTART,
    Observed,
    Process,
    WorldOutage,
    advance,
)
from rookery_tools.sim.machine.wires import Network
from rookery_tools.sim.observer.flips import DAMAGED, Flip
from rookery_tools.sim.observer.memory import Sizes, measure
from rookery_tools.sim.observer.snapshots import SnapshotLeft, read_snapshot
from rookery_tools.sim.script import Fault, WorldScript
from rookery_tools.sim.snapshots import beside_a_file

LINGERS: Final = 130 * SECOND  # finished tables and house bots are kept for a minute


DOWN: Final = "down"  # of an outage: nobody is there


class SimServer(Process):
    """A server with its disk, in one process after the other."""

    def __init__(
        self, net: Network, disk: WorldDisk, chance: Chance, settings: Settings, script: WorldScript
    ) -> None:
        super().__init__(net, chance, Observed())
        self._disk, self._settings = disk, settings
        self._every, self._snapshots = script.bookmark_every, script.snapshot_every
        self._store: Store | None = None

    def start(self) -> None:
        """Start a process; where it cannot be, try again in a while."""
        if self.loop is not None:
            return
        try:
            self._store = self._disk.open(self._every)
        except Mistake as wrong:
            self.seen.refusals.append(str(wrong))
            self._disk.let_go(None)
            self.agenda.after(RESTART, self.start)
            return
        self.begin(partial(self._live, self._store), self._disk)

    def _live(self, store: Store, machine: Environment, stop: Stop) -> Coroutine[Any, Any, int]:
        organiser = Organiser(ORGANISER, "The organiser's token is in a file")
        settings = replace(self._settings, data=str(self._disk.folder))
        machine = replace(machine, file=self._disk.kind(), snapshot_every=self._snapshots)
        return live(settings, store, organiser, self._up_again, stop, environment=machine)

    def snapshot(self, line: bytes) -> Iterator[bytes]:
        """Make a snapshot of the log's file, step by step, and put it beside the file."""
        return beside_a_file(line, self._disk.kind(), self._disk.snapshots)

    def _up_again(self, _: str) -> None:
        """Note that the server listens, which ends its outages."""
        for outage in self.seen.outages:
            if outage.until is None:
                outage.until = self.agenda.now

    def cut_power(self) -> None:
        """Kill the server by a power cut, which also takes bytes that are not safe."""
        if self.loop is not None:
            self._disk.cut_power()
        self.kill()

    def gone(self, *, by_itself: bool) -> None:  # noqa: ARG002 # what it wrote is there or not
        """Leave the disk as the dead server left it, and note the outage."""
        store, self._store = self._store, None
        self._disk.die(store)
        if not any(one.kind == DOWN and one.until is None for one in self.seen.outages):
            self.seen.outages.append(WorldOutage(DOWN, self.agenda.now))


class SingleServer:
    """A server in one process, as its world drives it."""

    edges = halls = (0,)  # the sites where people call, and where they can call a hall itself

    def __init__(
        self, script: WorldScript, net: Network, chance: Chance, settings: Settings, place: Path
    ) -> None:
        agenda, counts = net.agenda, net.counts
        disk = self._disk = WorldDisk(agenda, Chance(chance.bits()), place, counts)
        disk.checkpoint_every, disk.quick = script.checkpoint_every, script.quick
        self._server = SimServer(net, disk, Chance(chance.bits()), settings, script)
        self._agenda, self._net, self._counts = agenda, net, counts
        self.start, self.end = self._server.start, self._server.end
        self.step = partial(advance, agenda, (self._server,), chance)
        self.seen: Observed = self._server.seen

    @property
    def safe(self) -> list[Nanos]:
        """When each record became safe, by its number."""
        return self._disk.safe

    def running(self) -> list[str]:
        """Streams that have no end."""
        return sorted(self._disk.running)

    def mend(self) -> None:
        """Let the disk work well from now on."""
        self._disk.mend()
        self._disk.due.clear()

    def read(self) -> tuple[tuple[Record, ...], str]:
        """Read the log as it is now; returns its records, and what is wrong with it or nothing."""
        records: list[Record] = []
        try:
            with closing(open_for_reading(self._disk.folder / LOG_FILE)) as log:
                records.extend(log.read())
        except (StoreBroken, StoreFailed) as wrong:
            return tuple(records), str(wrong)
        return tuple(records), ""

    def snapshot(self) -> SnapshotLeft | None:
        """Read the snapshot that is kept with the log, if there is one."""
        with closing(open_for_reading(self._disk.folder / LOG_FILE)) as log:
            return read_snapshot(log)

    # -- when the day is over

    def linger(self) -> Sizes:
        """Run on, until all is let go that is held for a while; what is kept then."""
        self._run_until(self._agenda.now + LINGERS)
        return {} if (inside := self._server.inside) is None else measure(inside)

    def _run_until(self, end: Nanos) -> None:
        while self._agenda.now < end and self.seen.is_well:
            self.step(end)

    def flip(self, said: list[str]) -> Flip:
        """Flip a bit of the log while no server runs; then start one, and read the log again."""
        before, seen = len(said), self.seen
        seen.refusals.clear()
        where, last = self._disk.flip(), self._disk.last_batch
        self.start()
        self._run_until(self._agenda.now + 2 * SECOND)
        self.end()
        after, broken = self.read()
        words = [one for one in said[before:] if DAMAGED in one]
        return Flip(where, after, last, " ".join((*words, *seen.refusals, broken)).strip())

    # -- what goes wrong

    def go_wrong(self, fault: Fault) -> None:
        """Let this fault happen now, or at a later write."""
        server = self._server
        match fault.kind:
            case "kill" | "power" as kind:
                self._disk.due.append((fault.number, partial(self._kill, kind)))
            case "stop":
                self._counts["stop"] += 1
                server.ask_to_stop()
            case "kept" | "frozen" as kind:
                self._counts[kind] += 1
                server.hold(fault.lasts, frozen=kind == "frozen")
            case "jerks":
                self._counts["jerks"] += 1
                jerk(self._net, server.hold, Chance(fault.number), self._agenda.now + fault.lasts)
            case "clock":
                self._counts["clock set"] += 1
                server.set_clock(fault.number * MICROS_A_SECOND)
            case kind:
                self._disk.trouble(
                    DiskTrouble(
                        kind.removeprefix("disk "), self._agenda.now + fault.lasts, fault.number
                    )
                )

    def _kill(self, kind: str) -> None:
        if self._server.loop is not None:
            self._counts[kind] += 1
            self._server.cut_power() if kind == "power" else self._server.kill()


def jerk(net: Network, hold: Callable[..., None], chance: Chance, until: Nanos) -> None:
    """A process gets a processor now and then."""
    if net.agenda.now < until:
        hold(chance.below(140 * MILLI), frozen=False)
        later = partial(jerk, net, hold, chance, until)
        net.agenda.after(chance.below(300 * MILLI), later)
