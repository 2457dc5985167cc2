"""Outages of a cluster in made-up worlds: nobody's clock runs while they cannot be heard."""

from collections.abc import Iterator

import pytest

from rookery.core.events import Out, Played
from rookery.core.game import Forfeit
from rookery.core.ids import Micros
from rookery_tools.sim.clients.person import Fare, Habits
from rookery_tools.sim.machine.agenda import MICRO, MILLI, SECOND, Nanos
from rookery_tools.sim.observer.observer import judge
from rookery_tools.sim.script import Fault, WorldScript
from rookery_tools.sim.world import WorldDay, play

SEEDS = (3,)  # more of them find no more, and take long
THINKS = 50 * MILLI  # about; and at most sixteen times as long
MOST: Micros = 16 * THINKS // MICRO + 400_000  # words are on their way for up to 0.1 s, four times
PLAYERS = 4


def outages(*kinds: tuple[str, Nanos, Nanos]) -> tuple[Fault, ...]:
    """Faults of these kinds: the moment of each, and how long it lasts."""
    return tuple(Fault(kind, at, lasts, number=7) for kind, at, lasts in kinds)


def day_of(seed: int, faults: tuple[Fault, ...], *, edges: int = 2) -> WorldDay:
    """Quick players with two seconds for each move, while this goes wrong."""
    people = tuple(
        Habits("native", n, seed * 100 + n, games=30, think=THINKS) for n in range(1, PLAYERS + 1)
    )
    fares = (Fare("nim sticks=3,4,5", 2, "2s/move", 60 * SECOND),)
    return play(WorldScript(seed, fares, people, faults, edges=edges))


def late(day: WorldDay) -> Iterator[object]:
    """Whose flag fell."""
    for record in day.records:
        if isinstance(record.event, Out) and record.event.why is Forfeit.LATE:
            yield record


def charges(day: WorldDay) -> list[Micros]:
    """What moves were charged."""
    return [one.event.spent for one in day.records if isinstance(one.event, Played)]


OUTAGES = {
    "broker": outages(("nats down", 5 * SECOND, 3 * SECOND)),
    "brokers": outages(*(("nats down", n * SECOND, SECOND) for n in (3, 6, 9, 12))),
    "edge cut off": outages(("edge lost", 5 * SECOND, 2 * SECOND)),
    "edge cut off for long": outages(("edge lost", 5 * SECOND, 20 * SECOND)),
    "edge stopped": outages(("edge frozen", 5 * SECOND, 2500 * MILLI)),
    "edge stopped for long": outages(("edge frozen", 5 * SECOND, 20 * SECOND)),
    "database hangs": outages(("database hangs", 5 * SECOND, 3 * SECOND)),
    "database away": outages(("database away", 5 * SECOND, 3 * SECOND)),
    "both": outages(
        ("database hangs", 5 * SECOND, 4 * SECOND), ("nats down", 6 * SECOND, 4 * SECOND)
    ),
}


@pytest.mark.parametrize("what", OUTAGES)
def test_no_flag_falls_and_nobody_is_charged_for_an_outage(what: str) -> None:
    for seed in SEEDS:
        day = day_of(seed, OUTAGES[what])
        assert list(judge(day)) == []
        assert list(late(day)) == []
        assert len(charges(day)) > 20, "people play"
        assert max(charges(day)) <= MOST, f"seed {seed}"


DEAF = outages(("hall deaf", 3 * SECOND, 12 * SECOND))  # until the day is over
LATER = 3 * SECOND + 8 * SECOND  # a leader makes way after five seconds, and edges find the other


def test_a_leader_that_does_not_hear_the_broker_makes_way_for_one_that_does() -> None:
    for seed in SEEDS:
        day = day_of(seed, DEAF)
        assert list(judge(day)) == []
        assert list(late(day)) == []
        moves = [day.safe[one.seq - 1] for one in day.records if isinstance(one.event, Played)]
        assert any(LATER < at < 15 * SECOND for at in moves), "another hall lets people play on"


KEPT = {
    "the broker is away for all": outages(("nats down", 3 * SECOND, 11 * SECOND)),
    "the broker comes and goes": outages(
        *(("nats down", n * SECOND, 2 * SECOND) for n in (2, 5, 8, 11))
    ),
    "the leader is cut off again and again, for less long": outages(
        *(("hall deaf", n * SECOND, 2 * SECOND) for n in (2, 6, 10))
    ),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_leader_keeps_its_lease_where_nobody_hears_more_than_it_does(what: str) -> None:
    for seed in SEEDS:
        day = day_of(seed, KEPT[what])
        assert list(judge(day)) == []
        assert day.counts["restarts"] == 2, "there are two edges, and one hall led from the start"
