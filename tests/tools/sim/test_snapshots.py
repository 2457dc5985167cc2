"""Snapshots in a world: whatever a machine dies of, what is left is the old, the new, or no use."""

from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.core.events import PlayerNamed
from rookery.core.ids import PlayerId
from rookery.store import StoreBroken
from rookery.store.snapshot import write_beside
from rookery.store.sqlite import SqliteStore, open_for_reading
from rookery_tools.sim.snapshots import SnapshotFiles
from tests.store.logs import log

OLD, NEW = b"old" * 1000, b"new" * 1000
STEPS = 5  # nothing done, written, synced, renamed, and the folder synced


class Disk:
    """One that is in no trouble."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)
        self.counts: dict[str, int] = Counter()

    def has(self, kind: str) -> bool:
        """Nothing is wrong."""
        return kind == "everything"


def left_after(place: Path, steps: int, seed: int, *, power: bool) -> bytes | None:
    """What a log has for its snapshot if its machine died after so many steps of a new one."""
    disk = Disk(seed)
    files = SnapshotFiles(disk)
    (place / "was").mkdir()
    (place / "is").mkdir()
    with closing(SqliteStore(place / "was" / "log")) as store:
        store.append(log([("hall", PlayerNamed(PlayerId(1), "Ann"), False)]))
        store.keep_snapshot(1, 1, [OLD])
    with closing(open_for_reading(place / "was" / "log")) as reading:
        making = write_beside(place / "was" / "log", reading.seal_snapshot(1, 1, [NEW]), files)
        list(islice(making, steps))
        files.leave(place / "was", place / "is", power=power)
    (place / "was" / "log").rename(place / "is" / "log")
    with closing(SqliteStore(place / "is" / "log")) as store:
        try:
            found = store.snapshot(1)
        except StoreBroken:
            return b""
    return None if found is None else b"".join(found.parts)


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("steps", range(STEPS))
def test_whatever_is_left_is_the_old_or_the_new(tmp_path: Path, steps: int, *, power: bool) -> None:
    for seed in range(8):
        place = tmp_path / str(seed)
        place.mkdir()
        found = left_after(place, steps, seed, power=power)
        assert found in ({OLD} if steps < 3 else {OLD, NEW} if power and steps < 4 else {NEW})


def test_what_was_not_synced_would_be_torn_and_known_as_such(tmp_path: Path) -> None:
    def hasty(self: SnapshotFiles, path: Path) -> None:
        """Forget to."""

    sync = SnapshotFiles.sync
    SnapshotFiles.sync = hasty  # type: ignore[method-assign]
    try:
        found = set()
        for seed in range(8):
            place = tmp_path / str(seed)
            place.mkdir()
            found.add(left_after(place, STEPS, seed, power=True))
    finally:
        SnapshotFiles.sync = sync  # type: ignore[method-assign]
    assert b"" in found
    assert found <= {b"", OLD, NEW}
