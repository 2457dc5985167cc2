"""Who judges what people may know of private tables, and games in which moves are taken back."""

import pytest
from msgspec import json

from rookery.core.events import Opened, Played, Record, Sat, Seeded, Started, TableEvent, TakenBack
from rookery.core.ids import Micros, PlayerId, Seat
from rookery.core.policy import Policy
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.people.privacy import judge_rows
from rookery_tools.sim.observer.replay import judge_games

OPENED = Opened("nim sticks=2,2", 1, 2, "20s", Policy(), private=True)
FIRST, SECOND = Seat(0), Seat(1)


def log_of(*events: TableEvent) -> list[Record]:
    return [
        Record(n, "table/1", n, Micros(n), event, ends=False) for n, event in enumerate(events, 1)
    ]


@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        ("/api/tables", {"tables": [{"table": 1}]}, True),
        ("/api/tables?status=playing", {"tables": [{"table": 2}]}, False),
        ("/api/tables/1/log", {}, True),
        ("/api/tables/2", {}, False),
        ("/api/players/1", {}, False),
    ],
)
def test_a_private_table_is_told_of_to_nobody_who_reads(
    path: str, body: object, wrong: bool
) -> None:
    ledger = WorldLedger(log_of(OPENED), [0])
    assert bool(list(judge_rows(ledger, "p1", path, "200", json.encode(body)))) is wrong
    assert not list(judge_rows(ledger, "p1", path, "404", b"{}"))


def judged(*events: TableEvent) -> bool:
    """Whether a game goes by its rules."""
    begun = (
        OPENED,
        Seeded(7),
        Sat(FIRST, PlayerId(1), "ann"),
        Sat(SECOND, PlayerId(2), "bob"),
        Started(),
    )
    return not list(judge_games(log_of(*begun, *events)))


def test_a_move_that_was_taken_back_never_was() -> None:
    first, second = Played(FIRST, "0,2", Micros(1)), Played(SECOND, "1,2", Micros(1))
    again = Played(FIRST, "0,1", Micros(1))
    assert judged(first, TakenBack(FIRST, 1, (Micros(0), Micros(1))), again)
    assert not judged(first, again)
    assert not judged(first, TakenBack(FIRST, 2, (Micros(0), Micros(1))), again)
    assert not judged(first, second, TakenBack(FIRST, 1, (Micros(0), Micros(1))))
