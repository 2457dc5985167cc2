"""A disk that is full or fails. The disk is real: the system is told to let no file grow.

So is the count of syncs, where there is an `strace` to count them with.
"""

import re
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rookery.core.events import table_stream
from rookery.core.ids import TableId
from rookery.store import StoreFailed
from rookery.store.sqlite import SqliteStore
from tests.store.logs import moves
from tests.store.processes import APPEND, ROOT, command

# With none there is nothing to run the test on, and pytest says so.
TRACERS = [found for found in [shutil.which("strace")] if found is not None]


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """A disk on which no file may be longer than this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def wal_size(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


@pytest.mark.parametrize("room", [0, 1, 100, 5_000, 40_000])
@pytest.mark.parametrize("bookmark_every", [1, 10, 20_000])
def test_on_a_full_disk_a_batch_fails_whole_and_succeeds_once_there_is_room(
    disk: Path, room: int, bookmark_every: int
) -> None:
    path = disk / "log"
    batch = moves(100, first=11, size=1000)
    with closing(SqliteStore(path, bookmark_every=bookmark_every)) as store:
        store.append(moves(10))
        with files_no_longer_than(wal_size(path) + room):
            for _ in range(3):
                with pytest.raises(StoreFailed, match=rf"^{path} cannot be written: .*\.$"):
                    store.append(batch)
                assert list(store.read()) == moves(10)
        store.append(batch)
        there = store.read_stream(table_stream(TableId(1)))
        assert list(store.read()) == there == moves(10) + batch


def test_the_cause_of_a_failure_is_kept(disk: Path) -> None:
    with closing(SqliteStore(disk / "log")) as store:
        with files_no_longer_than(0), pytest.raises(StoreFailed) as caught:
            store.append(moves(1))
        assert caught.value.__cause__ is not None


def test_what_was_safe_before_the_disk_was_full_is_there_after_a_restart(disk: Path) -> None:
    path = disk / "log"
    store = SqliteStore(path)
    store.append(moves(10))
    with files_no_longer_than(wal_size(path)):
        with pytest.raises(StoreFailed):
            store.append(moves(100, first=11, size=1000))
        store.close()
    with closing(SqliteStore(path)) as store:
        assert list(store.read()) == moves(10)


def test_a_store_that_cannot_be_made_says_so(disk: Path) -> None:
    with files_no_longer_than(0), pytest.raises(StoreFailed, match="log"):
        SqliteStore(disk / "log")
    SqliteStore(disk / "log").close()


def test_a_record_that_sqlite_cannot_hold_leaves_nothing_of_its_batch(disk: Path) -> None:
    good, bad = moves(2), moves(1, first=3)[0]
    bad = type(bad)(bad.seq, bad.stream, bad.n, 2**63, bad.event)
    with closing(SqliteStore(disk / "log")) as store:
        with pytest.raises(OverflowError):
            store.append([*good, bad])
        assert list(store.read()) == []
        store.append(good)
        assert list(store.read()) == good


class FailingOnce(sqlite3.Connection):
    """A connection to a disk that cannot be read for a moment, while `failing` says so."""

    failing = False

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:  # Any: as sqlite3 has them
        if self.failing and sql.startswith("SELECT sum"):
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *args)


def test_a_disk_that_cannot_be_read_for_a_moment_damages_no_stream(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = disk / "log"
    with closing(SqliteStore(path)) as store:
        store.append(moves(10))  # and the bookmark at its end knows no seals
    with closing(SqliteStore(path, kind=FailingOnce)) as store:
        more = moves(1, first=11)
        with monkeypatch.context() as moment:
            moment.setattr(FailingOnce, "failing", True)
            with pytest.raises(StoreFailed):
                store.append(more)
        store.append(more)
        assert list(store.read()) == moves(11)


@pytest.mark.parametrize("strace", TRACERS)
def test_each_batch_is_synced_once_before_it_is_called_safe(strace: str, disk: Path) -> None:
    trace = disk / "trace"
    calls = "trace=fsync,fdatasync,write"
    subprocess.run(
        [strace, "-e", calls, "-o", str(trace), *command(APPEND, disk / "log", 40)],
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
        check=True,
    )
    appends = re.findall(
        r'^write\(1, "append.*\n((?:.*\n)*?)write\(1, "safe', trace.read_text(), re.MULTILINE
    )
    syncs = [len(re.findall(r"^f(?:data)?sync\(\d+\) += 0$", a, re.MULTILINE)) for a in appends]
    # The first batch also syncs the head of the new `-wal` file.
    assert len(syncs) == 40
    assert syncs[1:] == [1] * 39
    assert syncs[0] >= 1
