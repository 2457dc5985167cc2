"""A world: plays a script, from the first call until every game has come to its end.

Things go wrong for a while; then all is mended, nobody begins anything more, and every game and
tour that can finish must. What passed is given to the observer, who was not there.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.events import Record
from rookery.server.config import Settings
from rookery_tools.sim.clients import LISTEN, make_person
from rookery_tools.sim.clients.person import WorldPerson, WorldTown
from rookery_tools.sim.cluster.cluster import Cluster
from rookery_tools.sim.machine.agenda import SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.process import HOST, PORT, Observed, WorldOutage
from rookery_tools.sim.machine.wires import Network
from rookery_tools.sim.observer.flips import Flip
from rookery_tools.sim.observer.memory import Sizes
from rookery_tools.sim.observer.snapshots import SnapshotLeft
from rookery_tools.sim.script import DAY, Fault, WorldScript
from rookery_tools.sim.single_server import SingleServer

PATIENCE: Final = 240 * SECOND  # for everything to end, once nothing goes wrong any more
CRASHES_MAX: Final = 12  # of a server that stops by itself, until it is not started again
TURNS_MAX: Final = 150_000  # of loops: five times what a busy day has
HURRY: Final = 3 * SECOND  # until everybody is asked once more to finish
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 # where there is such a place
OURS, WEB = "rookery", "uvicorn"  # the loggers that speak to a server's operator
REQUESTS: Final = "uvicorn.error"  # and who of those, when a request goes wrong


class WorldDay(Struct):
    """All that passed in a world, for the observer."""

    script: WorldScript
    people: list[WorldPerson]
    net: Network
    counts: Counter[str]
    outages: list[WorldOutage] = []
    records: list[Record] = []
    safe: list[Nanos] = []
    seeds: list[int] = []
    tokens: list[str] = []
    mistakes: list[str] = []
    damage: str = ""  # why the log that is left cannot be read
    stops: list[str] = []  # that processes made by themselves
    raised: list[BaseException] = []  # what ended a process or a request
    said: list[str] = []  # what the server logged for its operator
    unfinished: list[str] = []  # streams that have no end
    lasted: Nanos = 0
    digest: str = ""
    longest_wait: Nanos = 0
    kept: Sizes = {}  # in the server's memory, when all was over and everyone gone
    flip: Flip | None = None
    snapshot: SnapshotLeft | None = None  # that is kept with the log


def play(script: WorldScript) -> WorldDay:
    """Play the world of this script to its end."""
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rookery-sim-", dir=where) as place:
        return _World(script, Path(place)).play()


def _house(wait: int) -> dict[str, object]:
    """House bots that come after so many seconds, or none."""
    if not wait:
        return {"enabled": False}
    return {"enabled": True, "wait": wait, "level": 1 + wait % 2, "workers": 1}


class Served(Protocol):
    """A server, in one process or in many, as its world knows it."""

    seen: Observed

    @property
    def edges(self) -> Sequence[int]:
        """The sites where people call."""

    @property
    def halls(self) -> Sequence[int]:
        """The sites where people can call a hall itself."""

    @property
    def safe(self) -> list[Nanos]:
        """When each record became safe, by its number."""

    @property
    def start(self) -> Callable[[], None]:
        """Start the server."""

    @property
    def step(self) -> Callable[[Nanos], int]:
        """Advance the server and time, at most until then; returns how many turns that were."""

    @property
    def end(self) -> Callable[[], None]:
        """End the server for good."""

    def go_wrong(self, fault: Fault) -> None:
        """Let this fault happen now."""

    def mend(self) -> None:
        """End all faults."""

    def running(self) -> list[str]:
        """Streams that have no end."""

    def read(self) -> tuple[tuple[Record, ...], str]:
        """Read the log as it is now; returns its records, and what is wrong with it or nothing."""

    def snapshot(self) -> SnapshotLeft | None:
        """Read the snapshot that is kept with the log, if there is one."""

    def linger(self) -> Sizes:
        """Run on, until all is let go that is held for a while; what is kept then."""

    def flip(self, said: list[str]) -> Flip:
        """Flip a bit of the log, and start a server with it."""


class _World:
    """A world while it lasts."""

    def __init__(self, script: WorldScript, place: Path) -> None:
        chance = Chance(script.seed ^ 0x5EED)
        agenda = self.agenda = WorldAgenda()
        counts: Counter[str] = Counter()
        net = self.net = Network(agenda, Chance(chance.bits()), counts)
        settings = Settings(
            host=HOST, port=PORT, listen=LISTEN, hold_minutes=1, house=_house(script.house)
        )
        self.server: Served = (
            Cluster(script, net, chance, settings)
            if script.edges
            else SingleServer(script, net, chance, settings, place)
        )
        self.town = WorldTown(agenda, net, script.fares, self.server.edges, self.server.halls)
        self.people = [make_person(self.town, habits) for habits in script.people]
        self.day = WorldDay(script, self.people, net, counts)

    def play(self) -> WorldDay:
        with _listening(self.day, self.agenda):
            try:
                return self._play()
            except BaseException:
                self.server.end()  # so that no part of it is left behind
                raise

    def _play(self) -> WorldDay:
        day, server = self.day, self.server
        server.start()
        for person in self.people:
            self.agenda.at(person.habits.comes, person.call)
        for fault in day.script.faults:
            self.agenda.at(fault.at, partial(self._go_wrong, fault))
        self.agenda.at(DAY, self._calm)
        self._run()
        if day.script.lingers and server.seen.is_well:
            day.kept = server.linger()
        self._close()
        if day.script.flips and day.records and server.seen.is_well and not day.mistakes:
            day.flip = server.flip(day.said)
            day.mistakes += server.seen.mistakes
            day.stops += server.seen.stops
            day.counts["flips"] += 1
            day.counts["flips found"] += bool(day.flip.said)
        return day

    def _run(self) -> None:
        end, turns = DAY + PATIENCE, 0
        seen = self.server.seen
        while self.agenda.now < end and len(seen.mistakes) + len(seen.stops) < CRASHES_MAX:
            turns += self.server.step(end)
            if turns > TURNS_MAX:
                self.day.mistakes.append("the server has something to do at every moment")
                return
            if self.town.calm and self._is_over():
                return

    def _is_over(self) -> bool:
        return all(person.gone for person in self.people) and not self.server.running()

    def _calm(self) -> None:
        self.server.mend()
        self.town.calm = True
        self._hurry()

    def _hurry(self) -> None:
        for person in self.people:
            if not person.gone:
                person.hurry()
                person.call()
        self.agenda.after(HURRY, self._hurry)

    def _close(self) -> None:
        day, server, seen = self.day, self.server, self.server.seen
        server.end()
        records, broken = server.read()
        day.records.extend(records)
        day.damage = broken
        day.snapshot = None if broken else server.snapshot()
        day.outages, day.safe = seen.outages, server.safe
        day.seeds, day.tokens = seen.seeds, seen.tokens
        day.mistakes += seen.mistakes
        day.stops += seen.stops
        day.raised += seen.raised
        day.unfinished = server.running()
        day.lasted, day.digest = self.agenda.now, self.net.digest()
        day.counts["restarts"] = seen.lives - 1

    def _go_wrong(self, fault: Fault) -> None:
        if fault.kind != "cut":
            self.server.go_wrong(fault)
        elif lines := self.net.open():
            lines[fault.number % len(lines)].doom = fault.number >> 12


class _Ear(logging.Handler):
    """Keeps what the server logs for its operator."""

    def __init__(self, day: WorldDay, agenda: WorldAgenda) -> None:
        super().__init__(logging.WARNING)
        self._day, self._agenda = day, agenda

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a log record; errors of the web server are mistakes of the day."""
        words = f"{self._agenda.now / SECOND:.3f} {record.levelname} {record.getMessage()}"
        if record.exc_info is not None:
            if record.levelno >= logging.ERROR and record.exc_info[1] is not None:
                self._day.raised.append(record.exc_info[1])
            words += "\n" + logging.Formatter().formatException(record.exc_info)
        self._day.said.append(words)
        if record.name.startswith(WEB) and record.levelno >= logging.ERROR:
            self._day.mistakes.append(words)  # an answer of ours that failed on the way


def _is_of_the_living(record: logging.LogRecord) -> bool:
    """Whether this log record is of a process that lives.

    A request that was being answered when its process died is let go of some time later, perhaps
    when the world is over, and uvicorn takes that for an error. Nothing else ends one so: what is
    answered on a loop that runs is cancelled, or fails.
    """
    return record.exc_info is None or record.exc_info[0] is not GeneratorExit


@contextmanager
def _listening(day: WorldDay, agenda: WorldAgenda) -> Iterator[None]:
    """Send what the server logs within `with` to the day, and nowhere else."""
    logging.getLogger(REQUESTS).addFilter(_is_of_the_living)  # and stays: see there
    loggers, ear = [logging.getLogger(name) for name in (OURS, WEB)], _Ear(day, agenda)
    before = [(logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.propagate = False
        logger.setLevel(logging.WARNING)
        logger.addHandler(ear)
    try:
        yield
    finally:
        for logger, (logger.propagate, logger.level) in zip(loggers, before, strict=True):
            logger.removeHandler(ear)
