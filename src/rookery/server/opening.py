"""Opening what `--data` names: a folder, a hall in a database, or nothing that is kept.

This is the one place of the server where that makes a difference. The database's driver is
imported only if a database is named: it is not installed with everyone.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rookery.server.cluster.nats import BrokerEar
from rookery.server.config import IN_MEMORY, LEASE
from rookery.server.datadir import (
    LOG_FILE,
    Organiser,
    close_to_others,
    draw_token,
    make_folder,
    organiser_of,
)
from rookery.store import Log, Store, StoreLocked
from rookery.store.address import HERE, Reach, is_address, read_address
from rookery.store.memory import MemoryStore
from rookery.store.sqlite import SqliteStore, open_for_reading
from rookery.store.sqlite_file import ROOM

LOOK: Final = 0.1  # seconds between looks at a log that somebody else writes


def open_store(data: str, *, lease: float = LEASE, patience: float = 0.0) -> Store:
    """Open the log here, made if missing; `lease`: seconds of a database's. Raises Mistake.

    A database may be away for `patience` seconds.
    """
    if is_address(data):
        from rookery.store.postgres import open_postgres  # noqa: PLC0415 # where it is wanted

        return open_postgres(read_address(data), seconds=lease, patience=patience)
    if data == IN_MEMORY:
        return MemoryStore()
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
    broker: BrokerEar | None = None,
) -> Store | None:
    """Open the log here once nobody else writes it; None once `waits` returns False.

    `waits` is told who writes it; `broker` says whether we hear that. At first a database may be
    away for `patience` seconds. Raises Mistake.
    """
    if is_address(data):
        from rookery.store.lease import NO_BROKER  # noqa: PLC0415 # where it is wanted
        from rookery.store.postgres import stand_by  # noqa: PLC0415

        return stand_by(
            read_address(data),
            seconds=seconds,
            waits=lambda led: waits(led.holder),
            patience=patience,
            broker=broker or NO_BROKER,
        )
    while True:
        try:
            return open_store(data, lease=seconds)
        except StoreLocked:
            if not waits("another process"):
                return None
            time.sleep(LOOK)


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
        from rookery.store.postgres import PostgresLog  # noqa: PLC0415

        return PostgresLog(read_address(data), reach, checked=checked)
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
