"""Copying a log record by record, between a folder and a database, either way.

The copy is there when it is whole, or not at all; so is the new folder that it may be in. Before
that, the copy is examined, and each record in it is compared with the one that it was copied from.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from rookery.cli.logs.reading import LogPlace, examine_log, open_log
from rookery.core.errors import Mistake
from rookery.core.events import Record
from rookery.server.datadir import FOLDER_MODE, LOG_FILE, TOKEN_FILE, read_token
from rookery.store import Log
from rookery.store.address import LogAddress
from rookery.store.examine import Examination, Flaw
from rookery.store.sqlite import SqliteStore
from rookery.store.sqlite_file import create


class BadTarget(Mistake):
    """The place of a new folder is taken."""


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to be filled; it is at `target` once all went well. Raises BadTarget."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadTarget(f"{target} is there already, and nothing is written over.")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    if fresh.exists():
        raise BadTarget(f"{fresh} is there, of a copy that was cut short: delete it first.")
    fresh.mkdir(FOLDER_MODE)
    try:
        yield fresh
        fresh.replace(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def keep_token(source: Path, target: Path) -> None:
    """Take the organiser's token along, where there is one."""
    token = source / TOKEN_FILE
    if token.is_file():
        number = create(target / TOKEN_FILE)
        with os.fdopen(number, "wb") as file:
            file.write(token.read_bytes())


PIECE: Final = 2_000  # records written at once

Copied = Callable[[int, int], None]  # told how many there are, and how many are copied


class BadCopy(Mistake):
    """The copy is not sound: a record differs from its original, or cannot be read."""


class Target(Protocol):
    """A new log that records are copied into."""

    def append(self, records: list[Record]) -> None:
        """Write these records behind those that are there."""

    def keep_token(self, token: str) -> None:
        """Take the organiser's token along."""

    def examine(self) -> Examination:
        """Open the records that were written so far, to examine them."""


def copy_records(source: LogPlace, target: LogPlace, copied: Copied) -> int:
    """Copy the log; how many records it has. Raises Mistake."""
    with open_log(source) as log, _open_target(target) as made:
        count = log.last_seq()
        done = 0
        records = islice(log.read(), count)  # what a server adds meanwhile is not copied
        while piece := list(islice(records, PIECE)):
            made.append(piece)
            done += len(piece)
            copied(2 * count, done)
        made.keep_token(token_of(source))
        with closing(made.examine()) as examination:
            _compare(log, examination, count, copied)
    return count


def token_of(place: LogPlace) -> str:
    """The organiser's token of the server here; empty where there is none."""
    if isinstance(place, LogAddress):
        from rookery.store.database import read_organiser

        return read_organiser(place)
    path = place / TOKEN_FILE
    return read_token(path) if path.is_file() else ""


def _compare(log: Log, examination: Examination, count: int, copied: Copied) -> None:
    """See that the copy is sound, and the same. Raises BadCopy."""
    flaw = next(examination.file(), "")
    done = 0
    wanted = islice(log.read(), count)
    for found in examination.records():
        done += 1
        if isinstance(found, Flaw):
            raise BadCopy(f"No copy was kept, for it is not sound: {found.sentence}")
        if found != next(wanted, None):
            raise BadCopy(f"No copy was kept, for record {found.seq} came out differently.")
        if done % PIECE == 0:
            copied(2 * count, count + done)
    flaw = flaw or next(examination.beside(), "")
    if flaw:
        raise BadCopy(f"No copy was kept, for it is not sound: {flaw}")
    if done != count:
        raise BadCopy(f"No copy was kept, for it has {done} records and not {count}.")


@contextmanager
def _open_target(target: LogPlace) -> Iterator[Target]:
    if isinstance(target, LogAddress):
        from rookery.store.postgres import filling

        with filling(target) as made:
            yield made
        return
    with new_folder(target) as fresh:
        with closing(SqliteStore(fresh / LOG_FILE)) as store:
            yield _InAFolder(fresh, store)
        for left in (".lock", "-wal", "-shm"):  # of writing it, and of looking into it
            (fresh / f"{LOG_FILE}{left}").unlink(missing_ok=True)


class _InAFolder:
    """A new folder like a server's own."""

    def __init__(self, folder: Path, store: SqliteStore) -> None:
        self._folder = folder
        self._store = store

    def append(self, records: list[Record]) -> None:
        """Write these records behind those that are there."""
        self._store.append(records)

    def keep_token(self, token: str) -> None:
        """Take the organiser's token along, where there is one."""
        if token:
            path = self._folder / TOKEN_FILE
            number = create(path)
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(f"{token}\n")

    def examine(self) -> Examination:
        """Open the records that were written so far, to examine them."""
        return examine_log(self._folder)
