"""A table at a glance: the same as if all that was done before its game began were replayed."""

import pytest
from msgspec.structs import replace

from rookery.core.events import Left, Opened, Owned, Played, Sat, Seeded, Started, TableEvent
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.policy import Policy
from rookery.core.status import Status
from rookery.games.nim import Nim
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
