"""Room beside the log costs nothing that was there: zeros are no records, and no damage."""

import os
import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rookery.core.chance import Chance
from rookery.store import sqlite_file
from rookery.store.sqlite import SqliteStore, open_for_reading
from rookery.store.sqlite_file import ROOM, lost_beside, make_room
from rookery_tools.crashtest.machine.power import BESIDE, CUT, SYNC, WRITE, DiskStep, Platter
from tests.store.logs import moves

SOME = 32 + 64 * (24 + 4096)  # for 64 pages


def beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def fill(store: SqliteStore, first: int, last: int) -> None:
    """One record a batch, as with a single table."""
    for n in range(first, last + 1):
        store.append(moves(1, first=n))


def test_the_file_beside_the_log_does_not_grow_while_there_is_room(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log", room=SOME)) as store:
        assert beside(tmp_path / "log").stat().st_size == SOME
        fill(store, 1, 30)
        assert beside(tmp_path / "log").stat().st_size == SOME
        fill(store, 31, 100)
        assert beside(tmp_path / "log").stat().st_size > SOME
        assert list(store.read()) == moves(100)


@pytest.mark.parametrize("batches", [0, 1, 2, 5, 40])
def test_what_a_killed_server_leaves_is_read_whole(tmp_path: Path, batches: int) -> None:
    (tmp_path / "dead").mkdir()
    with closing(SqliteStore(tmp_path / "log", room=SOME)) as store:
        fill(store, 1, batches)
        for name in ("log", "log-wal"):
            shutil.copy(tmp_path / name, tmp_path / "dead" / name)
    dead = tmp_path / "dead" / "log"
    assert lost_beside(dead) is None
    with closing(open_for_reading(dead)) as log:
        assert list(log.read()) == moves(batches)
    with closing(SqliteStore(dead, room=SOME)) as store:
        fill(store, batches + 1, batches + 3)
        assert list(store.read()) == moves(batches + 3)


def test_others_read_it_while_it_is_empty_and_while_it_is_written(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log", room=SOME)) as store:
        with closing(open_for_reading(tmp_path / "log")) as log:
            assert list(log.read()) == []
            fill(store, 1, 3)
            assert list(log.read()) == moves(3)
        fill(store, 4, 5)
    assert not beside(tmp_path / "log").exists()
    with closing(open_for_reading(tmp_path / "log")) as log:
        assert list(log.read()) == moves(5)


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log")) as store:
        fill(store, 1, 2)
        before = beside(tmp_path / "log").read_bytes()
        make_room(tmp_path / "log", ROOM)
        assert beside(tmp_path / "log").read_bytes() == before


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_where_there_is_no_room_the_log_is_written_without(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log")) as store:
        fill(store, 1, 2)
    with (
        files_no_longer_than(SOME // 2),
        closing(SqliteStore(tmp_path / "log", room=SOME)) as store,
    ):
        assert beside(tmp_path / "log").stat().st_size == 0
        fill(store, 3, 4)
        assert list(store.read()) == moves(4)


class Recorded:
    """What the disk is asked to do, by the words of `os`. It mutates."""

    def __init__(self) -> None:
        self.steps = [DiskStep(0, CUT, BESIDE, 0)]  # SQLite has just emptied it

    def __getattr__(self, name: str) -> Any:  # Any: whatever `os` has there
        return getattr(os, name)

    def pwrite(self, number: int, words: bytes, at: int) -> int:
        self.steps.append(DiskStep(0, WRITE, BESIDE, at, words))
        return os.pwrite(number, words, at)

    def fsync(self, number: int) -> None:
        self.steps.append(DiskStep(0, SYNC, BESIDE, 0))
        os.fsync(number)

    fdatasync = fsync


def test_a_power_cut_while_room_is_made_leaves_nothing_older_than_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beside the log was put into it, and is still on the disk until that knows better."""
    path, image, batches = tmp_path / "log", tmp_path / "image", 40
    with closing(SqliteStore(path, room=SOME)) as store:
        fill(store, 1, batches)
        before = beside(path).read_bytes()
    beside(path).write_bytes(b"")
    monkeypatch.setattr(sqlite_file, "os", disk := Recorded())
    make_room(path, SOME)
    monkeypatch.undo()
    assert beside(path).stat().st_size == SOME
    for n in range(len(disk.steps)):
        platter = Platter(before)
        for step in disk.steps[: n + 1]:
            platter.take(step)
        for seed in range(20):
            shutil.copy(path, image)
            beside(image).write_bytes(platter.left(Chance(seed)))
            with closing(SqliteStore(image)) as store:
                assert store.last_seq() == batches
