"""The log of a hall: opening what `--data` names, and the snapshot that is kept with it.

A log is in a folder, in a database, or in memory alone, and this is the one place of the server
where that makes a difference. The database's driver is imported only if a database is named: it is
not installed with everyone.

A snapshot says what the hall's own stream leads to, so that starts do not grow with the log. The
next one is made from the last and from the log, so of what is safe alone, and never from a hall
that runs: no player waits for it, and any process that can read the log can make it.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.events import HALL_STREAM, Record
from rookery.dialects import LANGUAGES
from rookery.hall.hall_memory import VERSION, AnyPart, HallMemory, declared_by, read_parts
from rookery.server.cluster.nats import BrokerMonitor
from rookery.server.config import IN_MEMORY, LEASE
from rookery.server.datadir import (
    LOG_FILE,
    Organiser,
    close_to_others,
    draw_token,
    make_folder,
    organiser_of,
)
from rookery.store import Log, Store, StoreBroken, StoreLocked
from rookery.store.address import HERE, Reach, is_address, read_address
from rookery.store.snapshot import LastRecord, Snapshot
from rookery.store.sqlite import SqliteStore, open_for_reading
from rookery.store.sqlite_file import ROOM

LOOK_S: Final = 0.1  # between looks at a log that another process writes
NOTHING: Final = LastRecord(0, 0, 0)
# Records that are read at once, which takes a second or two. While something is read SQLite cannot
# start its `-wal` again, and it grows; but each time the whole stream is searched for what is left.
PIECE: Final = 100_000

log = logging.getLogger(__name__)


class SnapshotMade(Struct, frozen=True):
    """The record that a new snapshot reaches to; or why there is none."""

    seq: int = 0
    why: str = ""


def open_store(data: str, *, lease: float = LEASE, patience: float = 0.0) -> Store:
    """Open the log here, made if missing; `lease`: seconds of a database's. Raises Mistake.

    A database may be away for `patience` seconds.
    """
    if is_address(data):
        from rookery.store.postgres import open_postgres  # noqa: PLC0415 # where it is wanted

        return open_postgres(read_address(data), seconds=lease, patience=patience)
    if data == IN_MEMORY:
        return SqliteStore()
    path = Path(data)
    make_folder(path)
    close_to_others(path)
    return SqliteStore(path / LOG_FILE, room=ROOM)


def wait_for_store(
    data: str,
    *,
    seconds: float,
    waits: Callable[[str], bool],
    patience: float = 0.0,
    broker: BrokerMonitor | None = None,
) -> Store | None:
    """Open the log here once no other process writes it; None once `waits` returns False.

    `waits` is called with the writer's name; `broker` says whether the broker reaches us. At first
    a database may be away for `patience` seconds. Raises Mistake.
    """
    if is_address(data):
        from rookery.store.database import wait  # noqa: PLC0415 # where it is wanted
        from rookery.store.postgres import standing_by  # noqa: PLC0415

        return wait(
            standing_by(
                read_address(data),
                seconds=seconds,
                waits=lambda led: waits(led.holder),
                patience=patience,
                broker=broker,
            )
        )
    while True:
        try:
            return open_store(data, lease=seconds)
        except StoreLocked:
            if not waits("another process"):
                return None
            time.sleep(LOOK_S)


def open_organiser(data: str, store: Store) -> Organiser:
    """The organiser of the server whose log is here, and open. Raises Mistake."""
    if not is_address(data):
        return organiser_of(data)
    from rookery.store.postgres import PostgresStore  # noqa: PLC0415 # where it is wanted

    assert isinstance(store, PostgresStore), "a log at an address is one of these"
    address = read_address(data)
    fresh = draw_token()
    token = store.organiser(fresh)
    if token == fresh:
        return Organiser(token, f"The organiser's token is {token}, and is kept in {address}")
    return Organiser(token, f"The organiser's token is in {address}, in rookery.halls")


def open_beside(
    data: str, kind: type[sqlite3.Connection], reach: Reach = HERE, *, checked: bool = False
) -> Log | None:
    """Open the same log to read beside the writer; None if it is in memory alone.

    If the caller has `checked` that the log is there, a database is called only when it is read.
    """
    if is_address(data):
        from rookery.store.postgres import open_hall  # noqa: PLC0415

        return open_hall(read_address(data), reach, checked=checked)
    return None if data == IN_MEMORY else open_for_reading(Path(data) / LOG_FILE, kind)


def words_for(data: str) -> str:
    """The log's place in words that may be shown: without a password."""
    return str(read_address(data)) if is_address(data) else data


def bytes_of(data: str) -> int:
    """How large the log's files are, in bytes; 0 if the log is in no file."""
    if data == IN_MEMORY or is_address(data):
        return 0
    file = Path(data) / LOG_FILE
    size = 0
    for part in (file, file.with_name(f"{file.name}-wal")):  # which SQLite puts into it later
        with contextlib.suppress(OSError):  # it may be gone: that is the store's to say
            size += part.stat().st_size
    return size


# -- the snapshot


def find(store: Log) -> tuple[LastRecord, list[AnyPart]]:
    """Read the snapshot of this log, and up to which record it reaches; empty if it is no use."""
    try:
        found = store.snapshot(VERSION)
        return (NOTHING, []) if found is None else (found.mark, _read(found))
    except (StoreBroken, msgspec.MsgspecError) as wrong:
        log.warning("%s It is not used: the whole log is read instead.", wrong)
        return NOTHING, []


def _read(found: Snapshot) -> list[AnyPart]:
    """Read the parts of a snapshot. Raises StoreBroken if it was made with other dialects."""
    parts = read_parts(found.parts)
    if parts[:1] != [declared_by(LANGUAGES)]:
        raise StoreBroken("The snapshot was made with other dialects.")
    return parts


def make(store: Log) -> int:
    """Keep a new snapshot with this log; the record it reaches to. Raises StoreFailed, Damaged."""
    memory = follow(store)
    if memory.seq:
        store.keep_snapshot(VERSION, memory.seq, memory.written())
    return memory.seq


def follow(store: Log) -> HallMemory:
    """What the hall's own stream leads to: the last snapshot, and the records after it."""
    memory = HallMemory(LANGUAGES)
    mark, parts = find(store)
    memory.recall(parts, mark.seq)
    piece = _read_on(store, memory.seq)
    while piece:
        for record in piece:
            memory.take(record)
        piece = _read_on(store, memory.seq) if len(piece) == PIECE else []
    return memory


def _read_on(store: Log, after: int) -> list[Record]:
    """Read some of the hall's own records, and let go of the log at once."""
    return list(islice(store.read(after, HALL_STREAM), PIECE))


def make_at(data: str) -> SnapshotMade:
    """Make a snapshot of the log that is here."""
    try:
        found = open_beside(data, sqlite3.Connection)
        assert found is not None, "what is in memory alone has no snapshot"
        with contextlib.closing(found):
            return SnapshotMade(make(found))
    except Mistake as wrong:
        return SnapshotMade(why=str(wrong))
