"""The snapshot beside a log: whole, of this log and for its owner alone; or it is not believed."""

import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest

from rookery.core.events import PlayerNamed, Record
from rookery.core.ids import PlayerId
from rookery.store import StoreBroken, StoreFailed
from rookery.store.snapshot import NEW, OwnFiles, Snapshot, snapshot_of, write_beside
from rookery.store.sqlite import SqliteStore
from tests.store.logs import log

NAMES = log([("hall", PlayerNamed(PlayerId(1), name), False) for name in ("Ann", "Anna", "Anne")])
OTHERS = log([("hall", PlayerNamed(PlayerId(1), name), False) for name in ("Bo", "Bob", "Bobby")])
PARTS = [b"players", b"numbers and ratings"]
KEPT = ["log", "log.lock", "log.snapshot"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log with a snapshot that reaches to its last record."""
    write(tmp_path / "log", NAMES, 3)
    return tmp_path / "log"


def write(path: Path, records: list[Record], reaches: int) -> None:
    with closing(SqliteStore(path)) as store:
        store.append(records)
        if reaches:
            store.keep_snapshot(1, reaches, PARTS)


def find(path: Path) -> Snapshot | None:
    with closing(SqliteStore(path)) as store:
        return store.snapshot(1)


def in_the_folder(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_it_is_found_again(path: Path) -> None:
    found = find(path)
    assert found is not None
    assert [bytes(part) for part in found.parts] == PARTS
    assert (found.mark.seq, found.mark.n) == (3, 3)


def test_it_is_for_its_owner_alone_and_nothing_else_is_left(path: Path) -> None:
    assert stat.S_IMODE(snapshot_of(path).stat().st_mode) == 0o600
    assert in_the_folder(path) == KEPT


def test_any_bit_that_flips_shows(path: Path) -> None:
    content = snapshot_of(path).read_bytes()
    with closing(SqliteStore(path)) as store:
        for at in range(len(content)):
            damaged = bytearray(content)
            damaged[at] ^= 1 << at % 8
            snapshot_of(path).write_bytes(damaged)
            with pytest.raises(StoreBroken, match="snapshot"):
                store.snapshot(1)


def test_any_end_that_is_missing_shows(path: Path) -> None:
    content = snapshot_of(path).read_bytes()
    with closing(SqliteStore(path)) as store:
        for length in range(len(content)):
            snapshot_of(path).write_bytes(content[:length])
            with pytest.raises(StoreBroken, match="snapshot"):
                store.snapshot(1)


def test_one_that_reaches_further_than_the_log_is_of_no_use(path: Path, tmp_path: Path) -> None:
    write(tmp_path / "short", NAMES[:2], 0)
    shutil.copy(snapshot_of(path), snapshot_of(tmp_path / "short"))
    with pytest.raises(StoreBroken, match="reaches to record 3, which the log has not"):
        find(tmp_path / "short")


def test_one_of_another_log_is_of_no_use(path: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", OTHERS, 0)
    shutil.copy(snapshot_of(path), snapshot_of(tmp_path / "other"))
    with pytest.raises(StoreBroken, match="of another log"):
        find(tmp_path / "other")


class Failing(OwnFiles):
    """Files of a disk that fails at one of these."""

    def __init__(self, at: str) -> None:
        self._at = at

    def write(self, path: Path, pieces: object) -> None:
        if self._at == "write":
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")
        super().write(path, pieces)  # type: ignore[arg-type]  # as they were given

    def sync(self, path: Path) -> None:
        if self._at == "sync":
            raise OSError(5, "Input/output error")
        super().sync(path)

    def rename(self, path: Path, to: Path) -> None:
        if self._at == "rename":
            raise OSError(13, "Permission denied")
        super().rename(path, to)


@pytest.mark.parametrize("at", ["write", "sync", "rename"])
def test_where_the_disk_fails_the_one_before_stays(path: Path, at: str) -> None:
    with closing(SqliteStore(path)) as store:
        steps = write_beside(path, store.seal_snapshot(1, 2, [b"new"]), Failing(at))
        with pytest.raises(StoreFailed, match="The snapshot cannot be written"):
            list(steps)
    assert in_the_folder(path) == KEPT  # what was half done took room that the log may need
    found = find(path)
    assert found is not None
    assert found.mark.seq == 3


def test_what_a_dead_process_left_half_done_is_gone_with_the_next(path: Path) -> None:
    snapshot_of(path).with_name(f"{snapshot_of(path).name}{NEW}77").write_bytes(b"half")
    with closing(SqliteStore(path)) as store:
        store.keep_snapshot(1, 2, [b"new"])
    assert in_the_folder(path) == KEPT
