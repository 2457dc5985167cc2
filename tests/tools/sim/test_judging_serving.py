"""Who judges whether honest clients are served."""

import pytest

from rookery.core.ids import TableId
from rookery.core.intents import Leave, Resign, Say
from rookery.core.messages import Done, Refused
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.serving import REFUSED, judge_serving
from rookery_tools.sim.observer.transcript import Exchange, Transcript

TABLE, OTHER = TableId(1), TableId(2)
OUT = Refused("out", "You are out of this game already.", TABLE)


def wrong(*exchanges: Exchange) -> bool:
    """Whether one who asked these things was refused for what others do."""
    read = Transcript("ann", exchanges=list(exchanges))
    found = list(judge_serving(WorldLedger([], []), [read], [], [], []))
    assert {one.judgement for one in found} <= {REFUSED}
    return bool(found)


@pytest.mark.parametrize("gone", [Leave(TABLE), Resign(TABLE)])
def test_who_has_gone_itself_is_out_and_may_be_told_so(gone: Leave | Resign) -> None:
    assert not wrong(Exchange(1, 5, gone, 6, Done(TABLE)), Exchange(1, 8, Leave(TABLE), 9, OUT))


@pytest.mark.parametrize("before", [Say(TABLE, "hello"), Leave(OTHER)])
def test_who_has_not_gone_is_not_out(before: Say | Leave) -> None:
    assert wrong(Exchange(1, 5, before, 6, Done(TABLE)), Exchange(1, 8, Leave(TABLE), 9, OUT))


def test_nor_is_who_only_goes_later() -> None:
    assert wrong(Exchange(1, 5, Leave(TABLE), 6, OUT), Exchange(1, 8, Leave(TABLE), 9, Done(TABLE)))
