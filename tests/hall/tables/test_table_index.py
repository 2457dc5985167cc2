"""Tables by what they are, always in order."""

from rookery.core.ids import Status, TableId
from rookery.hall.tables.registry import TableIndex


def test_tables_are_found_by_status_and_game_in_order() -> None:
    files = TableIndex()
    for n in (3, 1, 2, 4):
        files.put(TableId(n), Status.OPEN, "nim" if n % 2 else "fish")
    files.put(TableId(1), Status.PLAYING, "nim")
    assert files.ids((Status.OPEN,)) == [2, 3, 4]
    assert files.ids(tuple(Status)) == [1, 2, 3, 4]
    assert files.ids((Status.OPEN, Status.PLAYING), "nim") == [1, 3]
    assert files.ids((Status.OVER,)) == []


def test_what_was_in_order_once_is_so_after_every_change() -> None:
    files = TableIndex()
    for n in (2, 1):
        files.put(TableId(n), Status.OPEN, "nim")
    before = files.ids((Status.OPEN,))
    files.drop(TableId(2))
    files.put(TableId(7), Status.OPEN, "nim")
    files.put(TableId(5), Status.OPEN, "fish")
    assert files.ids((Status.OPEN,)) == [1, 5, 7]
    assert before == [1, 2]  # who goes through it is not disturbed
