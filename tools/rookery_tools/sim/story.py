"""The story of a world, for a person: who was there, what went wrong, and what was said."""

from collections.abc import Iterator

from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from rookery_tools.sim.observer.verdict import Failing
from rookery_tools.sim.world import WorldDay

LINE_MAX = 150  # characters of what somebody said


def tell(day: WorldDay, failings: list[Failing], *, wires: bool) -> Iterator[str]:
    """Line by line; with `wires` also all that went over them."""
    script = day.script
    yield f"The world of seed {script.seed}, which lasted {_time(day.lasted)}."
    for fare in script.fares:
        yield f"  They play {fare.variant}, {fare.seats} at a table, {fare.time}."
    for person in day.people:
        habits = person.habits
        flaky = f", hangs up one time in {habits.flaky}" if habits.flaky else ""
        yield (
            f"  {person.name} speaks {habits.kind}, wants {habits.games} games, "
            f"thinks {habits.think / MILLI:.0f} ms{flaky}."
        )
    for fault in script.faults:
        lasts = f" for {_time(fault.lasts)}" if fault.lasts else ""
        yield f"  {_time(fault.at)}: {fault.kind}{lasts} ({fault.number})"
    for outage in day.outages:
        until = "the end" if outage.until is None else _time(outage.until)
        yield f"  {_time(outage.since)}: {outage.kind} until {until}"
    yield from (f"  the server said: {said}" for said in day.said)
    if wires:
        yield from _wires(day)
    yield f"{len(day.records)} records in the log."
    yield from (f"WRONG, {one.judgement}: {one.sentence}" for one in failings)


def _wires(day: WorldDay) -> Iterator[str]:
    whose = {
        line.number: person.name
        for person in day.people
        for line in (*person.lines, *person.errands)
    }
    passed = [
        (at, line.number, way, words)
        for line in day.net.lines
        for way, pieces in (("says", line.up), ("hears", line.down))
        for at, words in pieces
    ]
    for at, number, way, words in sorted(passed, key=lambda one: one[0]):
        for said in words.decode(errors="replace").splitlines():
            yield f"  {_time(at)} {whose[number]} ({number}) {way} {said[:LINE_MAX]}"


def _time(moment: Nanos) -> str:
    return f"{moment / SECOND:.6f} s"
