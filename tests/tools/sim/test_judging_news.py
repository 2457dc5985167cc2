"""Who judges news: what one must have heard of a table, and what befell while one was not there."""

from rookery.clients.native.words import Told
from rookery.core.events import Left, Opened, PublicEvent, Record, Sat, Started, TableEvent
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.policy import Policy
from rookery_tools.sim.observer.keeping import judge_news
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.transcript import ToldUnasked, Transcript

TABLE, ANN, BOB = TableId(1), PlayerId(1), PlayerId(2)
OPENED = Opened("nim sticks=2,2", 1, 2, "20s", Policy())
ANN_SITS, BOB_SITS = Sat(Seat(0), ANN, "ann"), Sat(Seat(1), BOB, "bob")
COURSE: tuple[TableEvent, ...] = (OPENED, ANN_SITS, Left(Seat(0), ANN), BOB_SITS, ANN_SITS)


def is_wrong(events: tuple[TableEvent, ...], *heard: tuple[int, PublicEvent]) -> bool:
    """Whether Ann may not have heard these of a table where that happened, by their numbers."""
    log = [
        Record(n, "table/1", n, Micros(n), event, ends=False) for n, event in enumerate(events, 1)
    ]
    told = [ToldUnasked(1, n, Told(TABLE, n, Micros(n), event, to_act=())) for n, event in heard]
    return bool(
        list(judge_news(WorldLedger(log, [0] * len(log)), [Transcript("ann", ANN, heard=told)]))
    )


def test_who_left_a_table_hears_nothing_of_it_until_it_sits_there_again() -> None:
    assert not is_wrong(COURSE, (2, ANN_SITS), (5, ANN_SITS))


def test_who_stays_and_who_is_back_hears_everything() -> None:
    assert is_wrong((OPENED, ANN_SITS, BOB_SITS, Started()), (2, ANN_SITS), (4, Started()))
    assert is_wrong((*COURSE, Started()), (2, ANN_SITS), (6, Started()))
    left_later = (OPENED, ANN_SITS, BOB_SITS, Left(Seat(0), ANN), ANN_SITS)
    assert is_wrong(left_later, (2, ANN_SITS), (5, ANN_SITS))
