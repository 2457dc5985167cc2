"""Staging: a batch is taken up without waiting, and is safe, whole, once it is committed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rookery.store import StoreFailed
from rookery.store.reader import STAGED_MAX
from rookery.store.sqlite import SqliteStore
from tests.store.logs import moves
from tests.store.test_failing import files_no_longer_than, wal_size


def test_what_is_staged_is_read_only_once_it_is_committed(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        assert store.stage(moves(3))
        assert list(store.read()) == []
        store.commit()
        assert list(store.read()) == moves(3)
        store.append(moves(2, first=4))
        assert list(store.read()) == moves(5)


def test_a_commit_that_fails_leaves_nothing_and_the_same_may_be_staged_again(disk: Path) -> None:
    path = disk / "log"
    batch = moves(100, first=11, size=1000)
    with closing(SqliteStore(path)) as store:
        store.append(moves(10))
        with files_no_longer_than(wal_size(path)):
            assert store.stage(batch)
            with pytest.raises(StoreFailed, match="cannot be written"):
                store.commit()
            assert list(store.read()) == moves(10)
        assert store.stage(batch)
        store.commit()
        assert list(store.read()) == moves(10) + batch


def test_a_file_that_is_moved_away_before_the_commit_gets_nothing(disk: Path) -> None:
    path, away = disk / "log", disk / "away"
    with closing(SqliteStore(path)) as store:
        assert store.stage(moves(3))
        path.rename(away)
        with pytest.raises(StoreFailed, match="moved away"):
            store.commit()
        away.rename(path)
        assert list(store.read()) == []
        store.append(moves(3))
        assert list(store.read()) == moves(3)


@pytest.mark.parametrize("size", [0, STAGED_MAX + 1])
def test_none_and_very_many_are_left_to_append(disk: Path, size: int) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        assert not store.stage(moves(size))
        store.append(moves(size))
        assert len(list(store.read())) == size


def test_a_bookmark_that_is_due_is_left_to_append(disk: Path) -> None:
    with closing(SqliteStore(disk / "log", bookmark_every=5)) as store:
        assert store.stage(moves(4))
        store.commit()
        assert not store.stage(moves(1, first=5))


def test_nothing_is_staged_while_somebody_else_writes_to_the_file(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        with closing(sqlite3.connect(disk / "log", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert not store.stage(moves(3))
        assert store.stage(moves(3))
        store.commit()
        assert list(store.read()) == moves(3)


def test_nothing_more_is_staged_before_the_first_is_committed(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        assert store.stage(moves(3))
        assert not store.stage(moves(1, first=4))
        store.commit()
        assert store.stage(moves(1, first=4))
        store.commit()
        assert list(store.read()) == moves(4)
