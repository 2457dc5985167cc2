"""Who judges whether connections stay when a hall or the link to it goes."""

import pytest

from rookery.core.events import Left, Record, Sat
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import Leave, Seek, Show
from rookery.core.messages import Done
from rookery.server.cluster.frames import IN_DOUBT
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.standing import judge_staying
from rookery_tools.sim.observer.transcript import Exchange, ToldUnasked, Transcript

ANN, BOB = PlayerId(1), PlayerId(2)
TABLE = TableId(1)
SOUGHT = Exchange(1, 5, Seek("nim", 2, "none"), 12, Done(TABLE, Seat(0)))
GONE = ToldUnasked(1, 40, IN_DOUBT)


def wrong(lost: PlayerId, at: int, *asked: Exchange) -> bool:
    """Whether it is, where somebody's seat was given up then, and Ann is hung up on at 40."""
    records = [
        Record(1, "table/1", 1, Micros(1), Sat(Seat(0), lost, "it")),
        Record(2, "table/1", 2, Micros(2), Left(Seat(0), lost)),
    ]
    read = Transcript("ann", ANN, players=[ANN], exchanges=[SOUGHT, *asked], heard=[GONE])
    return bool(list(judge_staying(WorldLedger(records, [10, at]), [read])))


def test_who_has_asked_for_nothing_and_lost_nothing_stays() -> None:
    assert wrong(BOB, 30)
    assert wrong(BOB, 30, Exchange(1, 35, Show(TABLE)))


def test_who_has_lost_a_seat_meanwhile_is_better_off_calling_again() -> None:
    assert not wrong(ANN, 30)


@pytest.mark.parametrize("at", [3, 41])
def test_but_not_for_one_that_it_lost_before_it_called_or_after(at: int) -> None:
    assert wrong(ANN, at)


def test_nor_for_one_that_it_gave_up_itself() -> None:
    assert wrong(ANN, 30, Exchange(1, 20, Leave(TABLE), 31, Done(TABLE)))


def test_asking_to_leave_after_it_was_lost_is_not_giving_it_up() -> None:
    assert not wrong(ANN, 30, Exchange(1, 45, Leave(TABLE)))


@pytest.mark.parametrize("request_", [Seek("nim", 2, "none"), Leave(TABLE)])
def test_who_had_asked_for_something_may_be_hung_up_on(request_: Seek | Leave) -> None:
    assert not wrong(BOB, 30, Exchange(1, 35, request_))
