"""A bit that flips beside the log costs nothing without a word, and a torn end is no damage."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from rookery.core.events import PlayerMade, Record
from rookery.core.ids import PlayerId
from rookery.store import StoreBroken
from rookery.store.sqlite import SqliteStore

BATCHES = 6
FRAME = 24 + 4096


def made(n: int) -> Record:
    return Record(n, "hall", n, n, PlayerMade(PlayerId(n), f"p{n}", "h", "t", "native"))


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A log of a server that was killed: all of it is beside the file."""
    (tmp_path / "alive").mkdir()
    (tmp_path / "dead").mkdir()
    with closing(SqliteStore(tmp_path / "alive" / "log")) as store:
        for n in range(1, BATCHES + 1):
            store.append([made(n)])
        for name in ("log", "log-wal"):
            shutil.copy(tmp_path / "alive" / name, tmp_path / "dead" / name)
    return tmp_path / "dead" / "log"


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(bytes(content))


def frames(path: Path) -> int:
    return (path.stat().st_size - 32) // FRAME


def test_what_lies_beside_is_read(crashed: Path) -> None:
    with closing(SqliteStore(crashed)) as store:
        assert store.last_seq() == BATCHES


@pytest.mark.parametrize("inside", [4, 12, 17, 24 + 100, 24 + 4000])
def test_a_flipped_bit_before_two_whole_transactions_is_said(crashed: Path, inside: int) -> None:
    beside = crashed.with_name("log-wal")
    middle = frames(beside) // 2
    flip(beside, 32 + middle * FRAME + inside)
    with pytest.raises(StoreBroken, match="damaged"):
        SqliteStore(crashed)


def test_the_last_transaction_may_be_torn(crashed: Path) -> None:
    beside = crashed.with_name("log-wal")
    flip(beside, beside.stat().st_size - 10)
    with closing(SqliteStore(crashed)) as store:
        assert store.last_seq() == BATCHES - 1
        store.append([made(BATCHES)])


def test_what_a_torn_transaction_left_behind_a_shorter_one_is_no_damage(crashed: Path) -> None:
    """Frames of the torn one are still there when the next is torn, too."""
    beside = crashed.with_name("log-wal")
    flip(beside, beside.stat().st_size - 10)
    with closing(SqliteStore(crashed)) as store:
        store.append([made(BATCHES)])
        store.append([made(BATCHES + 1)])
        for name in ("log", "log-wal"):
            shutil.copy(crashed.with_name(name), crashed.with_name(f"again{name[3:]}"))
    again = crashed.with_name("again-wal")
    flip(again, again.stat().st_size - 10)
    with closing(SqliteStore(crashed.with_name("again"))) as store:
        assert store.last_seq() == BATCHES
