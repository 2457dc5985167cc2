"""The observer: reads the wires and the log of a day that is over, and judges."""

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.server.limits import SHUTDOWN_TIMEOUT_S
from rookery_tools.sim.machine.agenda import SECOND
from rookery_tools.sim.observer.absences import judge_absences
from rookery_tools.sim.observer.clocks import Span, judge_clocks, judge_left
from rookery_tools.sim.observer.flips import judge_flip
from rookery_tools.sim.observer.keeping import judge_keeping, judge_news
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.memory import judge_memory
from rookery_tools.sim.observer.people.conduct import judge_conduct
from rookery_tools.sim.observer.people.privacy import judge_private
from rookery_tools.sim.observer.people.secrets import judge_secrets, judge_wires
from rookery_tools.sim.observer.people.selves import judge_selves
from rookery_tools.sim.observer.replay import judge_games
from rookery_tools.sim.observer.serving import judge_serving, longest_wait
from rookery_tools.sim.observer.snapshots import judge_snapshot
from rookery_tools.sim.observer.standing import judge_shown, judge_starting, judge_staying
from rookery_tools.sim.observer.tours.judging import judge_log
from rookery_tools.sim.observer.transcript import Transcript, read_person
from rookery_tools.sim.observer.verdict import Failing
from rookery_tools.sim.observer.web import judge_web
from rookery_tools.sim.script import DAY
from rookery_tools.sim.world import WorldDay

MISTAKE: Final = "the server makes no mistakes"
STAYS: Final = "the server stays up"
SOUND: Final = "the log can be read"
# What they say is read word by word.
NATIVE: Final = ("host", "member", "moderator", "native", "peeper")
WEB: Final = ("organiser", "reader")
ENDS: Final = "everything ends"
STOPS: Final = int(SHUTDOWN_TIMEOUT_S + 1) * SECOND  # for who does not read what it was told
RECOVERS: Final = 4 * SECOND  # for edges to find a hall, and to tell it what they know


def judge(day: WorldDay) -> Iterator[Failing]:
    """Yields all that is wrong with this day."""
    yield from _judge_processes(day)
    yield from judge_log(day.records)
    for stream in day.unfinished:
        yield Failing(ENDS, f"{stream} did not come to its end")
    for person in day.people:
        if not person.gone:
            yield Failing(ENDS, f"{person.name} ({person.habits.kind}) could not finish")
    yield from judge_games(day.records)
    yield from judge_memory(day.kept, len(day.people), day.records)
    if day.snapshot is not None:
        yield from judge_snapshot(day.records, day.snapshot)
    if day.flip is not None:
        yield from judge_flip(day.records, day.flip)
    ledger = WorldLedger(day.records, day.safe)
    read = [read_person(person) for person in day.people if person.habits.kind in NATIVE]
    day.longest_wait = longest_wait(read)
    yield from judge_keeping(ledger, read)
    yield from judge_news(ledger, read)
    yield from judge_wires(day.net.lines, day.people, day.seeds, day.tokens)
    yield from judge_secrets(ledger, read)
    yield from judge_private(ledger, read, day.people)
    yield from _judge_charges(day, ledger, read)
    yield from judge_left(ledger, read)
    yield from judge_shown(ledger, read)
    yield from judge_staying(ledger, read)
    yield from judge_selves(day.people)
    steady = not day.script.edges and not any(one.kind == "clock" for one in day.script.faults)
    yield from judge_conduct(ledger, read, timed=steady)
    if steady:
        yield from judge_absences(day.records)
        yield from judge_starting(day.records, [*_troubles(day), *_stops(day)])
    unread = [*_disk_troubles(day, "disk read"), *_disk_troubles(day, "database")]
    yield from judge_serving(ledger, read, day.net.lines, _troubles(day), unread)
    for person in day.people:
        if person.habits.kind in WEB:
            yield from judge_web(ledger, person, _troubles(day), unread)


def _judge_processes(day: WorldDay) -> Iterator[Failing]:
    """Judge what became of the server's processes, and whether what they left can be read."""
    for mistake in day.mistakes:
        yield Failing(MISTAKE, mistake)
    for stop in day.stops:
        yield Failing(STAYS, stop)
    if day.damage:
        yield Failing(SOUND, day.damage)


def _judge_charges(
    day: WorldDay, ledger: WorldLedger, read: Sequence[Transcript]
) -> Iterator[Failing]:
    """Judge what moves were charged, and whether anybody paid for an outage."""
    many = bool(day.script.edges)
    yield from judge_clocks(
        ledger,
        read,
        day.outages,
        _troubles(day) if many else [],
        linked=many,
        hung=_disk_troubles(day, "disk"),
        outages_of_all=list(_outages_of_all(day)),
    )


def _troubles(day: WorldDay) -> list[Span]:
    """The spans in which a machine was not well; of a cluster, until it has recovered."""
    later = RECOVERS if day.script.edges else 0
    spans = [(one.since, (one.until or day.lasted) + later) for one in day.outages]
    return spans + _disk_troubles(day, "disk")


def _outages_of_all(day: WorldDay) -> Iterator[Span]:
    """The spans in which no hall heard anybody, or the database answered nobody, long enough."""
    for one in day.script.faults:
        if one.kind in ("nats down", "database hangs") and one.lasts >= SECOND:
            yield one.at, min(one.at + one.lasts, max(DAY, one.at))


def _stops(day: WorldDay) -> list[Span]:
    """The spans from when a server was asked to stop until it must have stopped."""
    asked = [one.at for one in day.script.faults if one.kind == "stop"]
    return [(at, at + STOPS) for at in asked]


def _disk_troubles(day: WorldDay, kind: str) -> list[Span]:
    faults = [one for one in day.script.faults if one.kind.startswith(kind)]
    return [(one.at, one.at + one.lasts + 2 * SECOND) for one in faults]
