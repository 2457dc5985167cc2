"""A world: a script is played, from the first call until everything has come to its end.

Things go wrong for a while; then all is mended, nobody begins anything more, and whatever can
finish must. What passed is given to the observer, who was not there.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND
from rookery.server.config import Settings
from rookery.server.folder import LOG_FILE
from rookery.sim.agenda import MILLI, SECOND, Agenda, Nanos
from rookery.sim.disk import Disk, Trouble
from rookery.sim.observer.flips import DAMAGED, Flip
from rookery.sim.observer.memory import Sizes, measure
from rookery.sim.people import LISTEN, make_person
from rookery.sim.people.person import Person, Town
from rookery.sim.process import HOST, PORT, Machinery, Outage
from rookery.sim.script import DAY, Fault, Script
from rookery.sim.wires import Network
from rookery.store import StoreBroken, StoreFailed
from rookery.store.reading import open_for_reading

PATIENCE: Final = 240 * SECOND  # for everything to end, once nothing goes wrong any more
STEPS_MAX: Final = 400_000  # ten times what a busy day has
LINGERS: Final = 130 * SECOND  # finished tables and house bots are kept for a minute
HURRY: Final = 3 * SECOND  # until everybody is asked once more to finish
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 # where there is such a place


# Languages whose games here are smaller than usual have ports of their own.


class Day(Struct):
    """All that passed in a world: what the observer is shown. It mutates until it is over."""

    script: Script
    people: list[Person]
    net: Network
    counts: Counter[str]
    outages: list[Outage] = []
    records: list[Record] = []
    safe: list[Nanos] = []
    seeds: list[int] = []
    tokens: list[str] = []
    mistakes: list[str] = []
    said: list[str] = []  # by the server, to whoever runs it
    unfinished: list[str] = []  # streams that have no end
    lasted: Nanos = 0
    digest: str = ""
    longest_wait: Nanos = 0
    kept: Sizes = {}  # in the server's memory, when all was over and everyone gone
    flip: Flip | None = None


def play(script: Script) -> Day:
    """Play this world to its end."""
    where = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rookery-sim-", dir=where) as place:
        return _World(script, Path(place)).play()


def _house(wait: int) -> dict[str, object]:
    """House bots that come after so many seconds, or none."""
    if not wait:
        return {"enabled": False}
    return {"enabled": True, "wait": wait, "level": 1 + wait % 2, "workers": 1}


class _World:
    """A world while it lasts. It mutates."""

    def __init__(self, script: Script, place: Path) -> None:
        chance = Chance(script.seed ^ 0x5EED)
        agenda = self.agenda = Agenda()
        counts: Counter[str] = Counter()
        net = self.net = Network(agenda, Chance(chance.bits()), counts)
        disk = self.disk = Disk(agenda, Chance(chance.bits()), place, counts)
        disk.checkpoint_every = script.checkpoint_every
        settings = Settings(
            host=HOST, port=PORT, listen=LISTEN, hold_minutes=1, house=_house(script.house)
        )
        every = script.bookmark_every
        self.server = Machinery(net, disk, Chance(chance.bits()), settings, bookmark_every=every)
        self.town = Town(agenda, net, script.fares)
        self.people = [make_person(self.town, habits) for habits in script.people]
        self.day = Day(script, self.people, net, counts)

    def play(self) -> Day:
        with _listening(self.day.said, self.agenda):
            self.server.start()
            for person in self.people:
                self.agenda.at(person.habits.comes, person.call)
            for fault in self.day.script.faults:
                self.agenda.at(fault.at, partial(self._go_wrong, fault))
            self.agenda.at(DAY, self._calm)
            self._run()
            if self.day.script.lingers and not self.server.mistakes:
                self._linger()
            self._close()
            if self.day.script.flips and self.day.records and not self.day.mistakes:
                self._flip()
            return self.day

    def _run(self) -> None:
        end, steps = DAY + PATIENCE, 0
        while self.agenda.now < end and not self.server.mistakes:
            self.server.step(end)
            steps += 1
            if steps > STEPS_MAX:
                self.day.mistakes.append("the server has something to do at every moment")
                return
            if self.town.calm and self._is_over():
                return

    def _is_over(self) -> bool:
        return not self.disk.running and all(person.gone for person in self.people)

    def _calm(self) -> None:
        self.disk.mend()
        self.disk.due.clear()
        self.town.calm = True
        self._hurry()

    def _hurry(self) -> None:
        for person in self.people:
            if not person.gone:
                person.hurry()
                person.call()
        self.agenda.after(HURRY, self._hurry)

    def _linger(self) -> None:
        """The server runs on, until all is let go that is held for a while."""
        self._run_until(self.agenda.now + LINGERS)
        if (inside := self.server.inside) is not None:
            self.day.kept = measure(inside)

    def _run_until(self, end: Nanos) -> None:
        while self.agenda.now < end and not self.server.mistakes:
            self.server.step(end)

    def _flip(self) -> None:
        """A bit of the log flips while no server runs; then one is started with it."""
        day, server, before = self.day, self.server, len(self.day.said)
        server.refusals.clear()
        where, last = self.disk.flip(), self.disk.last_batch
        server.start()
        self._run_until(self.agenda.now + 2 * SECOND)
        server.end()
        day.mistakes += server.mistakes
        after, broken = self._read()
        said = [one for one in day.said[before:] if DAMAGED in one]
        day.flip = Flip(where, after, last, " ".join((*said, *server.refusals, broken)).strip())
        day.counts["flips"] += 1
        day.counts["flips found"] += bool(day.flip.said)

    def _read(self) -> tuple[tuple[Record, ...], str]:
        """The log as it is now, and what is wrong with it."""
        records: list[Record] = []
        try:
            with closing(open_for_reading(self.disk.folder / LOG_FILE)) as log:
                records.extend(log.read())
        except (StoreBroken, StoreFailed) as wrong:
            return tuple(records), str(wrong)
        return tuple(records), ""

    def _close(self) -> None:
        day = self.day
        self.server.end()
        records, broken = self._read()
        day.records.extend(records)
        if broken:
            day.mistakes.append(broken)
        day.outages, day.safe = self.server.outages, self.disk.safe
        day.seeds, day.tokens = self.server.seeds, self.server.tokens
        day.mistakes += self.server.mistakes
        day.unfinished = sorted(self.disk.running)
        day.lasted, day.digest = self.agenda.now, self.net.digest()
        day.counts["restarts"] = self.server.lives - 1

    def _go_wrong(self, fault: Fault) -> None:
        server = self.server
        match fault.kind:
            case "kill" | "power" as kind:
                self.disk.due.append((fault.number, partial(self._kill, kind)))
            case "stop":
                self.day.counts["stop"] += 1
                server.ask_to_stop()
            case "kept" | "frozen" as kind:
                self.day.counts[kind] += 1
                server.hold(fault.lasts, frozen=kind == "frozen")
            case "jerks":
                self.day.counts["jerks"] += 1
                self._jerk(Chance(fault.number), self.agenda.now + fault.lasts)
            case "clock":
                self.day.counts["clock set"] += 1
                server.set_clock(fault.number * MICROS_A_SECOND)
            case "cut":
                if lines := list(self.net.open.values()):
                    lines[fault.number % len(lines)].doom = fault.number >> 12
            case kind:
                self.disk.trouble(
                    Trouble(kind.removeprefix("disk "), self.agenda.now + fault.lasts, fault.number)
                )

    def _jerk(self, chance: Chance, until: Nanos) -> None:
        """The process gets a processor now and then."""
        if self.agenda.now < until:
            self.server.hold(chance.below(140 * MILLI), frozen=False)
            self.agenda.after(chance.below(300 * MILLI), partial(self._jerk, chance, until))

    def _kill(self, kind: str) -> None:
        if self.server.loop is not None:
            self.day.counts[kind] += 1
            self.server.kill(power=kind == "power")


class _Ear(logging.Handler):
    """Keeps what the server says to whoever runs it."""

    def __init__(self, said: list[str], agenda: Agenda) -> None:
        super().__init__(logging.WARNING)
        self._said, self._agenda = said, agenda

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, with what went wrong."""
        words = f"{self._agenda.now / SECOND:.3f} {record.levelname} {record.getMessage()}"
        if record.exc_info is not None:
            words += "\n" + logging.Formatter().formatException(record.exc_info)
        self._said.append(words)


@contextmanager
def _listening(said: list[str], agenda: Agenda) -> Iterator[None]:
    """What the server says goes here, and nowhere else."""
    logger, ear = logging.getLogger("rookery"), _Ear(said, agenda)
    before = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(ear)
    try:
        yield
    finally:
        logger.removeHandler(ear)
        logger.propagate, logger.level = before
