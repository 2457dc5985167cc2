"""The file itself: whose it is, of which version, and damage to it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rookery.store import StoreBroken, StoreFailed, StoreForeign
from rookery.store.sqlite import SqliteStore, open_for_reading
from rookery.store.sqlite_file import APPLICATION, VERSION
from tests.store.logs import moves


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def change(path: Path, sql: str) -> None:
    """Do this to a file by hand."""
    with closing(connect(path)) as connection:
        connection.execute(sql)


def store_with(path: Path, count: int) -> Path:
    with closing(SqliteStore(path)) as store:
        store.append(moves(count))
    return path


def test_a_store_says_whose_it_is_and_which_version(tmp_path: Path) -> None:
    path = store_with(tmp_path / "log", 1)
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert version(connection) == VERSION


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
def test_a_store_of_another_version_is_left_alone(number: int, tmp_path: Path) -> None:
    path = store_with(tmp_path / "log", 1)
    change(path, f"PRAGMA user_version = {number}")
    before = path.read_bytes()
    said = f"^Another version of Rookery wrote {path}: its schema is {number}, .* knows {VERSION}."
    for opening in (SqliteStore, open_for_reading):
        with pytest.raises(StoreForeign, match=said):
            opening(path)
    assert path.read_bytes() == before


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "addresses"
    change(path, "CREATE TABLE addresses (street TEXT)")
    before = path.read_bytes()
    for opening in (SqliteStore, open_for_reading):
        with pytest.raises(StoreBroken, match=f"{path} is a database, but not one of Rookery's."):
            opening(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"Hello.", b"Dear diary,\n" * 500, bytes((n * n * 31 + 7) % 256 for n in range(9000))],
    ids=["a word", "a text", "noise"],
)
def test_a_file_that_is_no_database_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    for opening in (SqliteStore, open_for_reading):
        with pytest.raises(StoreBroken, match=f"{path} is damaged, or was never a log"):
            opening(path)
    assert path.read_bytes() == content


def test_an_empty_file_is_not_taken_for_a_new_log(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    for opening in (SqliteStore, open_for_reading):
        with pytest.raises(StoreBroken, match=r"is empty, which no log is: .* delete the file"):
            opening(tmp_path / "log")
    (tmp_path / "log").unlink()
    assert store_with(tmp_path / "log", 1).stat().st_size > 0


def test_a_missing_log_whose_newest_records_are_there_is_not_made_anew(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log")) as store:
        store.append(moves(1))
        for name in ("log", "log-wal"):
            shutil.copy(tmp_path / name, tmp_path / name.replace("log", "copy"))
    (tmp_path / "copy").unlink()
    with pytest.raises(StoreBroken, match=r"copy is missing, and .*copy-wal, which has its newest"):
        SqliteStore(tmp_path / "copy")


def test_what_a_start_that_was_cut_short_left_is_not_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "log.new").write_bytes(b"half a log")
    store_with(tmp_path / "log", 1)
    assert not (tmp_path / "log.new").exists()


def test_a_damaged_page_is_reported_and_not_read_as_something_else(tmp_path: Path) -> None:
    path = store_with(tmp_path / "log", 2000)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with closing(open_for_reading(path)) as log, pytest.raises(StoreBroken, match="damaged"):
        list(log.read())
    with closing(SqliteStore(path)) as store:
        assert list(store.unfinished()) == moves(len(list(store.unfinished())))
        assert list(store.damaged()) == ["table/1"]


def test_a_record_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = store_with(tmp_path / "log", 5)
    change(path, "UPDATE records SET event = '{}' WHERE seq = 3")
    with closing(open_for_reading(path)) as log, pytest.raises(StoreBroken, match="Record 3 "):
        list(log.read())


def test_a_log_that_is_not_there_is_not_made_by_reading_it(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="There is no log at"):
        open_for_reading(tmp_path / "log")
    assert list(tmp_path.iterdir()) == []


def test_a_store_in_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="cannot be written: No such file or directory"):
        SqliteStore(tmp_path / "nowhere" / "log")
