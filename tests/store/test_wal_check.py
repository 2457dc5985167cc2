"""A bit that flips beside the log costs nothing without a word, and a torn end is no damage."""

import shutil
import sqlite3
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


@pytest.mark.parametrize("inside", [0, 4, 9, 13, 16, 18, 23, 24 + 100])
def test_a_flipped_bit_in_the_transaction_before_the_last_is_said(
    crashed: Path, inside: int
) -> None:
    """Also one in a frame's own checksum, or in what says that it is of this file."""
    beside = crashed.with_name("log-wal")
    content = beside.read_bytes()
    heads = range(32, len(content), FRAME)
    ends = [at for at in heads if any(content[at + 4 : at + 8])]  # the last frames of each
    flip(beside, ends[-2] + inside)
    with pytest.raises(StoreBroken, match="damaged"):
        SqliteStore(crashed)


@pytest.mark.parametrize("at", range(32))
def test_a_flipped_bit_in_the_head_is_said(crashed: Path, at: int) -> None:
    """Without it SQLite would read nothing at all of what lies there."""
    flip(crashed.with_name("log-wal"), at)
    with pytest.raises(StoreBroken, match="damaged"):
        SqliteStore(crashed)


def test_a_head_that_was_cut_off_is_no_damage(crashed: Path) -> None:
    """What is behind it was in the log already when it was written."""
    beside = crashed.with_name("log-wal")
    with closing(sqlite3.connect(crashed)) as connection:
        connection.execute("PRAGMA wal_checkpoint")  # all is in the file, and still beside it
        shutil.copy(beside, kept := beside.with_name("kept"))
    content = kept.read_bytes()
    beside.write_bytes(content[:12] + bytes(8) + content[20:])
    with closing(SqliteStore(crashed)) as store:
        assert store.last_seq() == BATCHES


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


def copied(store: Path, to: Path) -> tuple[bytes, bytes]:
    """Both files, as they are now, also in this place."""
    for end in ("", "-wal"):
        shutil.copy(store.with_name(f"{store.name}{end}"), to.with_name(f"{to.name}{end}"))
    return to.read_bytes(), to.with_name(f"{to.name}-wal").read_bytes()


@pytest.mark.parametrize("kept", range(1, 12))
def test_a_power_cut_where_sqlite_begins_at_the_front_again_is_no_damage(
    tmp_path: Path, kept: int
) -> None:
    """All of it is in the log then; some sectors of the first write are there, some are not."""
    path, torn = tmp_path / "log", tmp_path / "torn"
    with closing(SqliteStore(path)) as store:
        for n in range(1, BATCHES + 1):
            store.append([made(n)])
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA wal_checkpoint").fetchone()[0] == 0
        _, before = copied(path, torn)
        store.append([made(BATCHES + 1)])
        _, after = copied(path, torn)
    assert before[16:24] != after[16:24], "it begins at the front again"
    pieces = (
        before[at : at + 512] if at < 512 * kept else after[at : at + 512]
        for at in range(0, len(after), 512)
    )
    torn.with_name("torn-wal").write_bytes(b"".join(pieces))
    with closing(SqliteStore(torn)) as store:
        assert store.last_seq() in (BATCHES, BATCHES + 1)
        store.append([made(store.last_seq() + 1)])
        again = tmp_path / "again"
        copied(torn, again)
        last = store.last_seq()
    with closing(SqliteStore(again)) as store:
        assert store.last_seq() == last


def test_nothing_lies_beside_a_log_that_was_just_opened(crashed: Path) -> None:
    with closing(SqliteStore(crashed)) as store:
        assert crashed.with_name("log-wal").stat().st_size == 0
        assert store.last_seq() == BATCHES


def test_what_is_in_the_log_already_is_damaged_where_sqlite_reads_older_pages(
    crashed: Path,
) -> None:
    """It takes what lies beside the log for newer, up to the damage."""
    there, beside = crashed.with_name("there"), crashed.with_name("there-wal")
    with closing(sqlite3.connect(crashed)) as connection:
        connection.execute("PRAGMA wal_checkpoint")
        copied(crashed, there)
    flip(beside, 32 + frames(beside) // 2 * FRAME + 100)
    with pytest.raises(StoreBroken, match="damaged"):
        SqliteStore(there)
