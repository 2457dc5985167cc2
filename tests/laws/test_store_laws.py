"""Laws of storing: order, all or nothing, reading from anywhere, what a restart is given.

They hold for every store there is, and for the one in a file with a bookmark after every
few records, because what is read before a bookmark and after it is found differently. One
kind is on a disk, the others are not kept waiting for it; those in a database are in a real
PostgreSQL, a hall each. The database of made-up worlds keeps the same laws.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, note

from rookery.core.chance import Chance
from rookery.core.events import (
    HALL_STREAM,
    Closed,
    PlayerNamed,
    Record,
    Said,
    Started,
    table_of,
    table_stream,
)
from rookery.core.ids import PlayerId, TableId
from rookery.store import Store, StoreBroken
from rookery.store.address import LogAddress, Reach, read_address
from rookery.store.database import wait
from rookery.store.postgres import PostgresStore, open_postgres, opening
from rookery.store.sqlite import SqliteStore
from rookery_tools.bench.engines.programs import postgres_programs
from rookery_tools.sim.cluster.database import Database
from rookery_tools.sim.machine.agenda import WorldAgenda
from tests.effort import MEMORY
from tests.postgres import needs_postgres, server
from tests.store.logs import batches, log, moves


class Staged(SqliteStore):
    """A store in a file whose batches are staged first, and then committed, where that can be."""

    def append(self, records: Sequence[Record]) -> None:
        if self.stage(records):
            self.commit()
        else:
            super().append(records)


class SometimesStaged(PostgresStore):
    """A store in a database, where every other batch is staged first, if that can be."""

    def append(self, records: Sequence[Record]) -> None:
        if records and records[0].seq % 2 and self.stage(records):
            self.commit()
        else:
            super().append(records)


def hall_of(path: Path) -> LogAddress:
    """The hall in the database that goes by the name of this folder."""
    return read_address(f"{server().address()}?hall={path.parent.name}")


MADE_UP: Final = Database(WorldAgenda(), Chance(1), Counter())
BY_HAND: Final = Reach(dial=MADE_UP.dial, beside=lambda _, __: lambda: None)


def made_up(path: Path) -> Store:
    """A store in the database of made-up worlds."""
    address = read_address(f"postgresql://nowhere/worlds?hall={path.parent.name}")
    return wait(opening(address, BY_HAND, kind=SometimesStaged))


KINDS: Final[dict[str, Callable[[Path], Store]]] = {
    "memory": lambda _: SqliteStore(),
    "sqlite": SqliteStore,
    "sqlite, staged": lambda path: Staged(path, bookmark_every=3),
    "sqlite, a bookmark for every record": lambda path: SqliteStore(path, bookmark_every=1),
    "sqlite, a bookmark for every third": lambda path: SqliteStore(path, bookmark_every=3),
    "postgres, made up": made_up,
}
if postgres_programs() is not None:
    KINDS["postgres"] = lambda path: open_postgres(hall_of(path), kind=SometimesStaged)
IN_FILES: Final = [kind for kind in KINDS if kind != "memory"]
ON_DISK: Final = "sqlite, a bookmark for every third"

every_kind = pytest.mark.parametrize("kind", KINDS)
every_kind_in_a_file = pytest.mark.parametrize("kind", IN_FILES)

SAID: Final = Said(PlayerId(1), "Ann", "Well played.")
TALKATIVE: Final = log(
    [
        ("hall", PlayerNamed(PlayerId(1), "Ann"), False),
        ("table/1", Started(), False),
        ("table/1", Closed(), True),
        ("table/2", Started(), False),
        ("table/1", SAID, False),
        ("table/1", SAID, False),
        ("table/1", SAID, False),
    ]
)


@contextmanager
def new_path(kind: str) -> Iterator[Path]:
    """Where a new store of this kind may be."""
    with TemporaryDirectory(dir=None if kind == ON_DISK else MEMORY) as folder:
        yield Path(folder) / "log"


@contextmanager
def new_store(kind: str) -> Iterator[Store]:
    """A store of this kind with nothing in it."""
    with new_path(kind) as path, closing(KINDS[kind](path)) as store:
        yield store


def every_store() -> Iterator[Store]:
    """A new one of each kind, for the same example: to think of one is dearer than to store it."""
    for kind in KINDS:
        note(kind)
        with new_store(kind) as store:
            yield store


def append_all(store: Store, batches: Sequence[Sequence[Record]]) -> list[Record]:
    """What the store was given, batch by batch."""
    for batch in batches:
        store.append(batch)
    return [record for batch in batches for record in batch]


@needs_postgres
def test_the_laws_are_tried_in_a_database_too() -> None:
    assert "postgres" in KINDS


def what_was_appended_is_read_back_in_order(store: Store, records: list[Record]) -> None:
    assert list(store.read()) == records


def reading_starts_after_any_record(store: Store, records: list[Record]) -> None:
    for after in range(len(records) + 1):
        assert list(store.read(after)) == records[after:]


def one_stream_is_read_alone_and_from_anywhere(store: Store, records: list[Record]) -> None:
    for stream in {record.stream for record in records} | {"table/7", "tour/7"}:
        mine = [record for record in records if record.stream == stream]
        for after in (0, len(records) // 2, len(records)):
            wanted = [record for record in mine if record.seq > after]
            assert list(store.read(after, stream)) == wanted


def any_record_is_read_alone(store: Store, records: list[Record]) -> None:
    assert [store.read_one(record.seq) for record in records] == records
    assert store.read_one(0) is store.read_one(len(records) + 1) is None


def a_restart_is_given_every_stream_that_no_record_has_ended(
    store: Store, records: list[Record]
) -> None:
    ended = {record.stream for record in records if record.ends}
    assert list(store.unfinished()) == [r for r in records if r.stream not in ended]


def a_restart_that_knows_of_the_halls_own_is_given_the_rest(
    store: Store, records: list[Record]
) -> None:
    ended = {record.stream for record in records if record.ends}
    for known in [record.seq for record in records if record.stream == HALL_STREAM]:
        rest = [r for r in records if r.stream != HALL_STREAM or r.seq > known]
        assert list(store.unfinished(known)) == [r for r in rest if r.stream not in ended]
        assert store.damaged() == {}


def a_store_knows_how_far_it_got(store: Store, records: list[Record]) -> None:
    assert store.last_seq() == len(records)
    assert store.last_at() == (records[-1].at if records else 0)
    assert store.last_table() == max((table_of(r.stream) or 0 for r in records), default=0)


# None of them changes a store: all are tried on the same, for to make one is the dearest part.
LAWS: Final = (
    what_was_appended_is_read_back_in_order,
    reading_starts_after_any_record,
    one_stream_is_read_alone_and_from_anywhere,
    any_record_is_read_alone,
    a_restart_is_given_every_stream_that_no_record_has_ended,
    a_restart_that_knows_of_the_halls_own_is_given_the_rest,
    a_store_knows_how_far_it_got,
)


@given(written=batches())
def test_every_store_keeps_the_laws(written: list[Sequence[Record]]) -> None:
    for store in every_store():
        records = append_all(store, written)
        for law in LAWS:
            note(law.__name__)
            law(store, records)


@every_kind_in_a_file
@given(written=batches())
def test_a_store_opened_again_after_every_batch_is_the_same_store(
    kind: str, written: list[Sequence[Record]]
) -> None:
    with new_path(kind) as path, new_store("memory") as model:
        for batch in written:
            model.append(batch)
            with closing(KINDS[kind](path)) as store:
                store.append(batch)
        with closing(KINDS[kind](path)) as store:
            assert list(store.read()) == list(model.read())
            assert list(store.unfinished()) == list(model.unfinished())
            assert store.last_table() == model.last_table()
            for table in (TableId(1), TableId(2), TableId(10), TableId(999)):
                assert store.read_stream(table_stream(table)) == model.read_stream(
                    table_stream(table)
                )


@every_kind
def test_a_snapshot_is_kept_with_the_log_in_place_of_the_one_before(kind: str) -> None:
    with new_store(kind) as store:
        store.append(TALKATIVE)
        assert store.snapshot(1) is None
        for parts in ([b"one", b"", b"two" * 500_000], [b"three"]):
            store.keep_snapshot(1, 1, parts)
            found = store.snapshot(1)
            assert found is not None
            assert (found.mark.seq, found.mark.n, [bytes(part) for part in found.parts]) == (
                *(1, 1),
                parts,
            )
        with pytest.raises(StoreBroken, match=r"of version 1\.1, and not 1\.2"):
            store.snapshot(2)


@every_kind_in_a_file
def test_a_snapshot_of_a_record_of_another_stream_is_of_no_use(kind: str) -> None:
    with new_store(kind) as store:
        store.append(TALKATIVE)
        store.keep_snapshot(1, 2, [b"of table 1"])
        with pytest.raises(StoreBroken, match="of another log: record 2 differs"):
            store.snapshot(1)


@every_kind
def test_words_after_the_end_are_read_with_the_table_and_do_not_open_it_again(kind: str) -> None:
    with new_store(kind) as store:
        for record in TALKATIVE:
            store.append([record])
            assert_is_the_beginning_of_talkative(store)


@every_kind_in_a_file
def test_words_after_the_end_do_not_open_a_table_again_after_a_restart(kind: str) -> None:
    with new_path(kind) as path:
        for record in TALKATIVE:
            with closing(KINDS[kind](path)) as store:
                store.append([record])
                assert_is_the_beginning_of_talkative(store)


def assert_is_the_beginning_of_talkative(store: Store) -> None:
    records = TALKATIVE[: store.last_seq()]
    ended = {record.stream for record in records if record.ends}
    at_first = [record for record in records if record.stream == "table/1"]
    assert list(store.read_stream(table_stream(TableId(1)))) == at_first
    assert list(store.unfinished()) == [r for r in records if r.stream not in ended]


@every_kind
def test_a_batch_that_cannot_be_written_leaves_nothing_and_the_store_works_on(kind: str) -> None:
    first, second, gap = moves(2), moves(2, first=3), moves(1, first=6)
    with new_store(kind) as store:
        store.append(first)
        with pytest.raises(AssertionError, match="without a gap"):
            store.append([*second, *gap])
        assert list(store.read()) == first
        store.append(second)
        assert list(store.read()) == first + second
        assert store.read_stream(table_stream(TableId(1))) == first + second


@every_kind
@pytest.mark.parametrize("seq", [0, 1, 2, 4])
def test_a_record_that_is_not_the_next_is_our_own_mistake(kind: str, seq: int) -> None:
    with new_store(kind) as store:
        store.append(moves(2))
        with pytest.raises(AssertionError, match="without a gap"):
            store.append(moves(1, first=seq))


@every_kind
def test_reading_goes_on_undisturbed_while_the_store_grows(kind: str) -> None:
    with new_store(kind) as store:
        store.append(moves(5))
        reading = store.read()
        begun = [next(reading)]
        store.append(moves(5, first=6))
        assert begun + list(reading) == moves(5)


@every_kind
def test_a_closed_store_takes_no_records(kind: str) -> None:
    with new_store(kind) as store:
        store.close()
        with pytest.raises(AssertionError, match="closed"):
            store.append(moves(1))
