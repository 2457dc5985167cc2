"""The log in a server's folder, opened to be read; a server may be writing to it."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from rookery.core.errors import Mistake
from rookery.core.events import Record, table_stream
from rookery.core.ids import TableId
from rookery.server.folder import LOG_FILE
from rookery.store import Log
from rookery.store.damage.examining import Examination
from rookery.store.reading import open_for_reading, plainly


class NoTable(Mistake):
    """The log has no such table, or only pieces of it."""


class NoLog(Mistake):
    """The folder is no server's, or not for us."""


@contextmanager
def open_log(folder: Path) -> Iterator[Log]:
    """The log in this folder. Raises Mistake where there is none, or none that can be read."""
    file = folder / LOG_FILE
    if not file.exists():
        raise NoLog(f"There is no log at {file}: say with --data which folder is the server's.")
    if not os.access(file, os.R_OK):
        raise NoLog(f"{file} cannot be read: Permission denied.")
    log = open_for_reading(file)
    try:
        yield log
    finally:
        log.close()


@contextmanager
def open_for_copying(folder: Path) -> Iterator[sqlite3.Connection]:
    """The log in this folder, as SQLite has it. Raises Mistake."""
    with open_log(folder):  # which says what is wrong with it
        file = folder / LOG_FILE
    address = f"{file.resolve().as_uri()}?mode=ro"
    with plainly(file), closing(sqlite3.connect(address, uri=True, isolation_level=None)) as found:
        yield found


def examine_log(folder: Path) -> Examination:
    """The log in this folder, to be examined; whoever asks closes it. Raises Mistake."""
    file = folder / LOG_FILE
    with plainly(file):
        return Examination(file)


def records_of(folder: Path, table: TableId) -> list[Record]:
    """Everything that happened at a table. Raises Mistake."""
    with open_log(folder) as log:
        records = list(log.read_stream(table_stream(table)))
    if not records:
        raise NoTable(f"There is no table {table} in {folder}.")
    return records


# Any: click's decorators take whatever function they are put on.
def folder_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--data`, as `rookery serve` has it."""
    return click.option(
        "--data",
        "folder",
        type=click.Path(path_type=Path),
        default=Path("data"),
        envvar="ROOKERY_DATA",
        show_default=True,
        metavar="FOLDER",
        help="The server's folder.",
    )(command)
