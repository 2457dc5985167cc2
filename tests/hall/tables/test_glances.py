"""A table at a glance: the same as if all that was done before its game began were replayed."""

import pytest
from msgspec.structs import replace

from rookery.core.events import (
    Ended,
    Left,
    Opened,
    Owned,
    Played,
    Record,
    Said,
    Sat,
    Seeded,
    Started,
    TableEvent,
    TakenOver,
    table_stream,
)
from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat, Status, TableId
from rookery.core.policy import Policy
from rookery.games.nim import Nim
from rookery.hall.tables.registry import STIRRING, TableRegistry
from rookery.hall.tables.replay import before_start, glance, replay

ONE = TableId(1)
OPENED = Opened("nim", Nim.rules, 2, "5m", Policy(), PlayerId(1))
SEEDED = Seeded(7, "locked")
ANN, BOB, CID = (
    Sat(Seat(n % 2), PlayerId(n + 1), name) for n, name in enumerate(("ann", "bob", "cid"))
)
BEGINNINGS: list[list[TableEvent]] = [
    [OPENED],
    [OPENED, SEEDED],
    [OPENED, SEEDED, ANN],
    [OPENED, SEEDED, ANN, BOB],
    [OPENED, SEEDED, BOB, ANN],
    [OPENED, ANN, BOB],
    [OPENED, SEEDED, ANN, Left(Seat(0), PlayerId(1)), CID],
    [OPENED, SEEDED, ANN, Left(Seat(0), PlayerId(1)), CID, BOB],
    [OPENED, SEEDED, ANN, Owned(PlayerId(9)), BOB],
]


@pytest.mark.parametrize("events", BEGINNINGS)
def test_before_the_start_it_is_what_was_done(events: list[TableEvent]) -> None:
    assert glance(ONE, events) == replay(ONE, events)


@pytest.mark.parametrize("events", BEGINNINGS)
def test_after_the_start_it_is_that_without_the_moves(events: list[TableEvent]) -> None:
    moves: list[TableEvent] = [Started(), Played(Seat(0), "0,1", 5), Played(Seat(1), "1,1", 5)]
    begun = replay(ONE, before_start(events))
    found = glance(ONE, [*events, *moves])
    assert found == replace(begun, status=Status.PLAYING, n=len(events) + len(moves))


MOVE, TALK = Played(Seat(0), "0,1", 5), Said(PlayerId(1), "ann", "Hello.")
ENDED = Ended(Outcome((1, 2), "resigned", "Bob resigned."))
COURSES: list[list[TableEvent]] = [
    [],
    [TALK],
    [Started()],
    [TALK, Started(), TALK, MOVE],
    [Started(), MOVE, TakenOver(Seat(1), PlayerId(4), "dan"), MOVE],
    [Started(), TakenOver(Seat(1), PlayerId(4), "dan")],
    [Started(), MOVE, ENDED, TALK],
]


@pytest.mark.parametrize(
    ("events", "course"),
    [
        (events, course)
        for events in BEGINNINGS
        for course in COURSES
        if BOB in events or not any(type(event) is TakenOver for event in course)
    ],
)
def test_of_a_table_that_sleeps_it_is_the_same_without_a_look_at_its_moves(
    events: list[TableEvent], course: list[TableEvent]
) -> None:
    tables, past = TableRegistry(lambda _: ()), list[Record]()
    lay_down = tables.sleep
    for n, event in enumerate([*events, *course], 1):
        record = Record(n, table_stream(ONE), n, 0, event)
        if type(event) in STIRRING or n == 1:
            past = lay_down(record, ONE)
        else:
            past.append(record)  # as a restart does
    assert tables.glance(ONE) == glance(ONE, [*events, *course])
