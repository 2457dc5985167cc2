"""One writer among threads and processes: who may write, who may read, what a kill leaves."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from rookery.core.events import Record, table_stream
from rookery.core.ids import TableId
from rookery.store import StoreLocked
from rookery.store.sqlite import SqliteStore, open_for_reading
from tests.store.logs import moves
from tests.store.processes import APPEND, HOLD, command, lines, running


def test_a_second_writer_is_refused_while_the_first_process_lives(disk: Path) -> None:
    path = disk / "log"
    with running(command(HOLD, path)) as process:
        assert next(lines(process)) == "open"
        with pytest.raises(StoreLocked, match=f"Another process is writing to {path}."):
            SqliteStore(path)


def test_the_lock_dies_with_its_process(disk: Path) -> None:
    path = disk / "log"
    with running(command(HOLD, path)) as process:
        assert next(lines(process)) == "open"
        process.kill()
        process.wait()
        with closing(SqliteStore(path)) as store:
            store.append(moves(1))


def test_a_second_writer_in_the_same_process_is_refused_until_the_first_is_closed(
    disk: Path,
) -> None:
    first = SqliteStore(disk / "log")
    with pytest.raises(StoreLocked):
        SqliteStore(disk / "log")
    first.close()
    SqliteStore(disk / "log").close()


def test_a_refused_writer_leaves_the_first_one_alone(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as first:
        first.append(moves(1))
        for _ in range(2):
            with pytest.raises(StoreLocked):
                SqliteStore(disk / "log")
        first.append(moves(1, first=2))
        assert list(first.read()) == moves(2)


def test_one_thread_reads_while_another_appends(disk: Path) -> None:
    def append() -> None:
        for first in range(1, 2001, 10):
            store.append(moves(10, first=first))

    with closing(SqliteStore(disk / "log", bookmark_every=100)) as store:
        thread = Thread(target=append)
        thread.start()
        while thread.is_alive():
            found = store.read_stream(table_stream(TableId(1)))
            assert found == moves(len(found))
            assert len(found) % 10 == 0
        thread.join()
        assert store.read_stream(table_stream(TableId(1))) == moves(2000)


def test_two_appends_at_once_are_our_own_mistake(disk: Path) -> None:
    class Meddling(list[Record]):
        """Records that are appended a second time while they are being appended."""

        def __iter__(self) -> Iterator[Record]:
            store.append(moves(1))
            return super().__iter__()

    with closing(SqliteStore(disk / "log")) as store:
        with pytest.raises(AssertionError, match="one append at a time"):
            store.append(Meddling(moves(1)))
        store.append(moves(1))
        assert list(store.read()) == moves(1)


def test_a_link_to_a_store_is_the_same_store(disk: Path) -> None:
    (disk / "link").symlink_to(disk / "log")
    with closing(SqliteStore(disk / "log")), pytest.raises(StoreLocked):
        SqliteStore(disk / "link")


def test_what_a_killed_writer_said_was_safe_is_there_and_no_half_batch(disk: Path) -> None:
    path = disk / "log"
    safe = 0
    for _ in range(3):
        with running(command(APPEND, path, 1_000_000)) as process:
            for _, line in zip(range(60), lines(process), strict=False):
                word, number = line.split()
                safe = int(number) if word == "safe" else safe
        with closing(SqliteStore(path)) as store:
            found = list(store.read())
            assert len(found) >= safe
            assert len(found) % 10 == 0
            assert found == moves(len(found))


def test_a_reader_sees_what_is_safe_while_another_process_writes(disk: Path) -> None:
    path = disk / "log"
    with running(command(APPEND, path, 1_000_000)) as process:
        said = lines(process)
        while next(said) != "safe 10":
            pass
        with closing(open_for_reading(path)) as log:
            for _ in range(50):
                line = next(said)
                found = list(log.read())
                assert found == moves(len(found))
                assert len(found) % 10 == 0
                assert not line.startswith("safe") or len(found) >= int(line.split()[1])


def test_a_reader_of_a_running_store_sees_the_next_append(disk: Path) -> None:
    path = disk / "log"
    with closing(SqliteStore(path)) as store, closing(open_for_reading(path)) as log:
        assert list(log.read()) == []
        store.append(moves(3))
        assert list(log.read()) == list(log.unfinished()) == moves(3)


def test_a_reader_that_stays_does_not_keep_the_writer_from_closing(disk: Path) -> None:
    path = disk / "log"
    store = SqliteStore(path)
    store.append(moves(3))
    with closing(open_for_reading(path)) as log:
        store.close()
        assert list(log.read()) == moves(3)
        shutil.copy(path, disk / "copy")  # everything is in the one file
    with closing(open_for_reading(disk / "copy")) as log:
        assert list(log.read()) == moves(3)


def test_a_closed_store_is_one_file_that_can_be_copied_and_read(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        store.append(moves(100))
    assert {path.name for path in disk.iterdir()} == {"log", "log.lock"}
    shutil.copy(disk / "log", disk / "copy")
    with closing(open_for_reading(disk / "copy")) as log:
        assert list(log.read()) == moves(100)
        assert log.last_seq() == 100


def test_a_store_copied_without_its_newest_part_is_read_as_far_as_it_goes(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        store.append(moves(100))
    with closing(SqliteStore(disk / "log")) as store:
        store.append(moves(100, first=101))
        shutil.copy(disk / "log", disk / "copy")
    with closing(open_for_reading(disk / "copy")) as log:
        assert list(log.read()) == moves(100)
