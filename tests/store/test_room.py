"""Room beside the log costs nothing that was there: zeros are no records, and no damage."""

import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from rookery.store.file.beside import lost_beside
from rookery.store.file.room import ROOM, make_room
from rookery.store.sqlite.reading import open_for_reading
from rookery.store.sqlite.store import SqliteStore
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
