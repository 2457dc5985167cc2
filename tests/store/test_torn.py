"""A log whose end did not reach the disk: it opens, with whole batches and nothing else.

What a crash can tear is SQLite's write-ahead log, the `-wal` file: appending writes only
there, and it is cleared away only after the main file has been synced. So the tests copy
both files under a running store, and damage the copy of the `-wal`. It is cut at every edge
there is, and at samples between; with `ROOKERY_LAWS=deep` at every byte.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from rookery.core.events import Record
from rookery.store.sqlite import SqliteStore, open_for_reading
from tests.effort import DEEP
from tests.store.logs import moves

WAL_HEAD: Final = 32  # bytes before the first frame of a `-wal`
FRAME_HEAD: Final = 24  # bytes before the page that a frame has
FRAME: Final = FRAME_HEAD + 4096
BETWEEN: Final = 61  # bytes from one cut to the next where there is no edge
BATCHES: Final = tuple(moves(7, first=first) for first in range(1, 43, 7))


class Crash(Struct, frozen=True):
    """What was on the disk, and how long the `-wal` was after each batch."""

    main: bytes
    wal: bytes
    ends: tuple[int, ...]

    def left(self, folder: Path, wal: bytes) -> Path:
        """The files as a crash left them."""
        path = folder / "log"
        path.write_bytes(self.main)
        path.with_name("log-wal").write_bytes(wal)
        path.with_name("log-shm").unlink(missing_ok=True)  # it is made anew after a crash
        return path

    def safe(self, cut: int) -> list[Record]:
        """The records of the batches that were whole on the disk before the cut."""
        whole = sum(end <= cut for end in self.ends)
        return [record for batch in BATCHES[:whole] for record in batch]


@pytest.fixture(scope="module")
def crash(tmp_path_factory: pytest.TempPathFactory) -> Crash:
    path = tmp_path_factory.mktemp("running") / "log"
    wal = path.with_name("log-wal")
    SqliteStore(path).close()  # the schema is in the main file, the records are not
    with closing(SqliteStore(path, bookmark_every=10)) as store:
        ends = []
        for batch in BATCHES:
            store.append(batch)
            ends.append(wal.stat().st_size)
        return Crash(path.read_bytes(), wal.read_bytes(), tuple(ends))


def read(path: Path) -> Sequence[Record]:
    with closing(open_for_reading(path)) as log:
        return list(log.read())


def cuts(size: int) -> Sequence[int]:
    """Where a file so long may be cut: in every byte of a head, around every end, and between."""
    if DEEP:
        return range(size + 1)
    edges = {*range(WAL_HEAD)}
    for start in range(WAL_HEAD, size + 1, FRAME):
        edges.update(range(start - 2, start + FRAME_HEAD + 3))
    return sorted(at for at in edges | {*range(0, size, BETWEEN)} if at <= size)


def assert_whole_batches_are_read(crash: Crash, folder: Path, forgiven: int = 0) -> None:
    """Wherever the log is cut; of what was cut off a reader may have `forgiven` bytes yet."""
    for cut in cuts(len(crash.wal)):
        found = read(crash.left(folder, crash.wal[: cut + forgiven]))
        assert found == crash.safe(cut), f"cut at {cut}"


def test_a_log_cut_anywhere_is_read_up_to_the_last_whole_batch(
    crash: Crash, tmp_path: Path
) -> None:
    assert_whole_batches_are_read(crash, tmp_path)


@pytest.mark.parametrize("bytes_", [1, FRAME_HEAD, BETWEEN, FRAME])
def test_a_reader_that_took_a_torn_frame_for_whole_would_be_caught(
    crash: Crash, bytes_: int, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match="cut at"):
        assert_whole_batches_are_read(crash, tmp_path, forgiven=bytes_)


def test_a_log_whose_tail_is_zeros_or_noise_is_read_up_to_the_last_whole_batch(
    crash: Crash, tmp_path: Path
) -> None:
    for cut in range(32, len(crash.wal) - 1, 193):
        rest = len(crash.wal) - cut
        for tail in (bytes(rest), bytes((37 * n + 11) % 256 for n in range(rest))):
            found = read(crash.left(tmp_path, crash.wal[:cut] + tail))
            assert found == crash.safe(cut), f"spoiled from {cut}"


def test_a_server_takes_up_a_torn_log_and_writes_on(crash: Crash, tmp_path: Path) -> None:
    for cut in [*range(0, len(crash.wal), 509), *range(len(crash.wal) - FRAME, len(crash.wal), 61)]:
        safe = crash.safe(cut)
        more = moves(3, first=len(safe) + 1)
        path = crash.left(tmp_path, crash.wal[:cut])
        with closing(SqliteStore(path, bookmark_every=10)) as store:
            store.append(more)
            assert list(store.read()) == list(store.read(stream="table/1")) == safe + more
        assert read(path) == safe + more
