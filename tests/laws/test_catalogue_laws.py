"""Laws of the catalogue: it says what the whole log would, newest first and page by page.

They hold for every store there is.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final

from hypothesis import given

from rookery.core.events import Closed, Ended, Left, Opened, Record, Sat, TakenOver, table_of
from rookery.core.ids import PlayerId, TableId, TourId
from rookery.store import Log
from rookery.store.catalogue import Finding, Finished
from tests.laws.test_store_laws import append_all, every_store
from tests.store.logs import batches, seated_batches

EVERYTHING: Final = 1_000
WANTED: Final = tuple(product(("over", "closed"), ("", "nim", "reversi"), (None, 1, 2)))


def ended(records: Sequence[Record], wanted: Finding) -> list[Finished]:
    """The finished tables that a reader of the whole log would find."""
    opened: dict[TableId, Opened] = {}
    found: dict[TableId, tuple[Record, Opened]] = {}
    for record in records:
        table = table_of(record.stream)
        if table is not None and isinstance(record.event, Opened):
            opened.setdefault(table, record.event)
        elif table in opened and isinstance(record.event, Ended | Closed):
            found.setdefault(table, (record, opened[table]))
    rows = [
        Finished(table, record.seq)
        for table, (record, how) in found.items()
        if isinstance(record.event, Ended) == (wanted.status == "over")
        and wanted.game in ("", how.variant.split(" ")[0])
        and wanted.tour in (None, how.tour)
    ]
    return sorted(rows, key=lambda row: -row.seq)


def sat(records: Sequence[Record], player: PlayerId) -> list[TableId]:
    """The tables where a reader of the whole log would find this player."""
    found: dict[TableId, bool] = {}
    for record in records:
        table, event = table_of(record.stream), record.event
        ours = isinstance(event, Sat | TakenOver | Left) and event.player == player
        if table is not None and ours:
            found[table] = not isinstance(event, Left)
    return sorted((table for table, there in found.items() if there), reverse=True)


def assert_says_what_the_log_says(log: Log, records: Sequence[Record]) -> None:
    for status, game, tour in WANTED:
        whose = None if tour is None else TourId(tour)
        wanted = Finding(status, game, whose, limit=EVERYTHING)
        assert log.finished(wanted) == ended(records, wanted)
    for player in map(PlayerId, range(1, 5)):
        assert log.tables_of(player, 0, EVERYTHING) == sat(records, player)


@given(written=seated_batches())
def test_the_catalogue_says_what_the_whole_log_would(written: list[Sequence[Record]]) -> None:
    for store in every_store():
        assert_says_what_the_log_says(store, append_all(store, written))


@given(written=batches())
def test_the_catalogue_takes_every_word_there_is(written: list[Sequence[Record]]) -> None:
    for store in every_store():
        records = append_all(store, written)
        wanted = Finding(limit=EVERYTHING)
        assert store.finished(wanted) == ended(records, wanted)


@given(written=seated_batches())
def test_pages_put_together_are_the_whole(written: list[Sequence[Record]]) -> None:
    for store in every_store():
        records = append_all(store, written)
        found: list[Finished] = []
        while page := store.finished(Finding(below=found[-1].seq if found else 0, limit=2)):
            found += page
        assert found == ended(records, Finding())
        tables: list[TableId] = []
        while more := store.tables_of(PlayerId(1), tables[-1] if tables else 0, 2):
            tables += more
        assert tables == sat(records, PlayerId(1))
