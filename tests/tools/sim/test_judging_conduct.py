"""Who judges whether the muted say nothing, and the banned neither speak nor move."""

import pytest

from rookery.core.events import (
    BanLifted,
    Banned,
    HallEvent,
    Muted,
    Played,
    Record,
    Said,
    Sat,
    Swapped,
    TableEvent,
    Unmuted,
)
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import Ban, Say
from rookery.core.messages import Done, Refused
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.people.conduct import judge_conduct
from rookery_tools.sim.observer.transcript import Exchange, Transcript

ANN, BOB = PlayerId(1), PlayerId(2)
SAT = Sat(Seat(0), ANN, "ann")
MOVE = Played(Seat(0), "0,1", Micros(1))
OTHER, SWAPPED = Sat(Seat(1), BOB, "bob"), Swapped(Seat(0), Seat(1))
WORD = Said(ANN, "ann", "hello")
MUTED, UNMUTED = Muted("", ANN), Unmuted("", ANN)
BANNED, LIFTED = Banned("", ANN), BanLifted("", ANN)


def ledger_of(*events: TableEvent | HallEvent) -> WorldLedger:
    """A log with these, each safe in its own microsecond."""
    records = [
        Record(n, "table/1" if isinstance(event, TableEvent) else "hall", n, Micros(n), event)
        for n, event in enumerate(events, 1)
    ]
    return WorldLedger(records, [record.seq * 10 for record in records])


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ((SAT, MOVE, WORD), False),
        ((SAT, MUTED, MOVE), False),
        ((SAT, MUTED, WORD), True),
        ((SAT, MUTED, UNMUTED, WORD), False),
        ((SAT, BANNED, WORD), True),
        ((SAT, BANNED, MOVE), True),
        ((SAT, BANNED, LIFTED, MOVE), False),
        ((SAT, Banned("", BOB), MOVE), False),
        ((SAT, Banned("", ANN, until=3), MOVE), False),
        ((SAT, Banned("", ANN, until=4), MOVE), True),
        ((SAT, Banned("", home="10.0.1.1"), MOVE), False),
        ((SAT, OTHER, SWAPPED, BANNED, MOVE), False),
        ((SAT, OTHER, SWAPPED, Banned("", BOB), MOVE), True),
        ((SAT, SWAPPED, BANNED, MOVE), False),
    ],
)
def test_who_may_not_does_not(events: tuple[TableEvent | HallEvent, ...], *, wrong: bool) -> None:
    assert bool(list(judge_conduct(ledger_of(*events), []))) is wrong


@pytest.mark.parametrize(
    ("came", "answered", "wrong"), [(15, 20, False), (15, 19, True), (21, 30, True)]
)
def test_what_the_organiser_hears_is_done_then(came: int, answered: int, *, wrong: bool) -> None:
    done = Exchange(1, came, Ban(ANN), answered, Done())
    ruler = Transcript("p9", exchanges=[done])
    assert bool(list(judge_conduct(ledger_of(SAT, BANNED), [ruler]))) is wrong


@pytest.mark.parametrize(
    ("events", "who", "wrong"),
    [
        ((SAT, MUTED), ANN, False),
        ((SAT, MUTED), BOB, True),
        ((SAT, BANNED), ANN, True),
        ((SAT, MUTED, UNMUTED), ANN, True),
        ((SAT, MUTED, UNMUTED, MUTED), ANN, False),
        ((SAT,), ANN, True),
    ],
)
def test_nobody_is_refused_as_muted_who_is_not(
    events: tuple[TableEvent | HallEvent, ...], who: PlayerId, *, wrong: bool
) -> None:
    refused = Exchange(1, 99, Say(TableId(1), "hello"), 100, Refused("muted", "No."))
    source = Transcript("p1", player=who, players=[who], exchanges=[refused])
    assert bool(list(judge_conduct(ledger_of(*events), [source]))) is wrong
