"""A log that is deleted, moved or replaced under its store: nothing is called safe in it."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from rookery.store import StoreFailed, StoreLocked
from rookery.store.sqlite import SqliteStore, open_for_reading
from tests.store.logs import moves
from tests.store.processes import HOLD, command, lines, running


def records(path: Path) -> list[object]:
    with closing(open_for_reading(path)) as log:
        return list(log.read())


def test_nothing_is_safe_in_a_log_that_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "log"
    path.parent.mkdir()
    with closing(SqliteStore(path)) as store:
        store.append(moves(3))
        shutil.rmtree(path.parent)
        for _ in range(2):
            with pytest.raises(StoreFailed, match=f"{path} was deleted or moved away under the"):
                store.append(moves(1, first=4))


def test_a_log_that_comes_back_is_written_on(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with closing(SqliteStore(folder / "log")) as store:
        store.append(moves(3))
        folder.rename(tmp_path / "elsewhere")
        with pytest.raises(StoreFailed, match="put it back where it was"):
            store.append(moves(2, first=4))
        (tmp_path / "elsewhere").rename(folder)
        store.append(moves(2, first=4))
        store.append(moves(1, first=6))
    assert records(folder / "log") == moves(6)


def test_another_log_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    with closing(SqliteStore(other / "log")) as store:
        store.append(moves(2))
    with closing(SqliteStore(folder / "log")) as store:
        store.append(moves(3))
        folder.rename(tmp_path / "away")
        other.rename(folder)
        with pytest.raises(StoreFailed, match="was replaced by another file"):
            store.append(moves(1, first=4))
    assert records(folder / "log") == moves(2)
    assert records(tmp_path / "away" / "log") == moves(3)


def test_a_log_whose_newest_part_was_deleted_is_whole_after_a_stop(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with closing(SqliteStore(path)) as store:
        store.append(moves(3))
        path.with_name("log-wal").unlink()
        with pytest.raises(StoreFailed, match=r"stop the server, which then puts everything into"):
            store.append(moves(1, first=4))
    with closing(SqliteStore(path)) as store:
        assert list(store.read()) == moves(3)
        store.append(moves(1, first=4))


def test_a_log_that_was_moved_is_whole_where_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "log"
    path.parent.mkdir()
    store = SqliteStore(path)
    store.append(moves(3))
    path.parent.rename(tmp_path / "elsewhere")
    store.close()
    assert not path.parent.exists()
    assert records(tmp_path / "elsewhere" / "log") == moves(3)


def test_who_deletes_the_lock_lets_no_second_writer_in(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with running(command(HOLD, path)) as process:
        assert next(lines(process)) == "open"
        path.with_name("log.lock").unlink()
        with pytest.raises(StoreLocked, match=f"Another process is writing to {path}."):
            SqliteStore(path)


def test_who_deletes_the_lock_lets_no_second_writer_of_the_same_process_in(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log"
    with closing(SqliteStore(path)) as store:
        path.with_name("log.lock").unlink()
        for _ in range(2):
            with pytest.raises(StoreLocked):
                SqliteStore(path)
        store.append(moves(1))
    SqliteStore(path).close()


@pytest.mark.parametrize("name", ["log", "log-wal", "log-shm", "log.lock"])
def test_only_its_owner_can_read_a_new_log(name: str, tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log")) as store:
        store.append(moves(1))
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
