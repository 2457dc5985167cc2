"""The log of a server, in its folder or in a database, opened to be read while it may run.

This is the one place of the command line where a folder and a database are told apart.
"""

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
from rookery.server.datadir import LOG_FILE
from rookery.store import Log
from rookery.store.address import LogAddress, is_address, read_address
from rookery.store.examine import Examination, examine_file
from rookery.store.sqlite import open_for_reading, open_source, plainly
from rookery.store.sqlite_file import lost_beside

LogPlace = Path | LogAddress  # a server's folder, or its hall in a database


class NoTable(Mistake):
    """The log has no such table, or only pieces of it."""


class NoLog(Mistake):
    """The folder is no server's, or not for us."""


@contextmanager
def open_log(place: LogPlace) -> Iterator[Log]:
    """The log here. Raises Mistake where there is none, or none that can be read."""
    log = _open(place)
    try:
        yield log
    finally:
        log.close()


def _open(place: LogPlace) -> Log:
    if isinstance(place, LogAddress):
        from rookery.store.postgres import open_hall

        return open_hall(place)
    return open_for_reading(_file_in(place))


def _file_in(folder: Path) -> Path:
    """The log's file in this folder. Raises NoLog where we cannot read one."""
    file = folder / LOG_FILE
    if not file.exists():
        raise NoLog(f"There is no log at {file}: say with --data which folder is the server's.")
    if not os.access(file, os.R_OK):
        raise NoLog(f"{file} cannot be read: Permission denied.")
    return file


@contextmanager
def open_for_copying(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the log of this folder as an SQLite connection, to read only. Raises Mistake."""
    file = _file_in(folder)
    with plainly(file), closing(open_source(file)) as source:
        yield source.connection


def examine_log(place: LogPlace) -> Examination:
    """Open the log at this place, to examine it; the caller closes it. Raises Mistake."""
    if isinstance(place, LogAddress):
        from rookery.store.postgres import examine_hall

        return examine_hall(place)
    return examine_file(place / LOG_FILE)


def lost_of(place: LogPlace) -> str | None:
    """A sentence if the WAL beside the log is damaged, else None; ask before opening the log."""
    return None if isinstance(place, LogAddress) else lost_beside(place / LOG_FILE)


def records_of(place: LogPlace, table: TableId) -> list[Record]:
    """All records of a table in the log at this place. Raises Mistake."""
    with open_log(place) as log:
        records = list(log.read_stream(table_stream(table)))
    if not records:
        raise NoTable(f"There is no table {table} in {place}.")
    return records


class LogPlaceType(click.ParamType[LogPlace]):
    """A server's folder, or the address of a hall in a database."""

    name = "place"

    def convert(
        self,
        value: str | LogPlace,
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,  # noqa: ARG002
    ) -> LogPlace:
        """The place that was typed. Raises BadAddress."""
        if isinstance(value, str):
            return read_address(value) if is_address(value) else Path(value)
        return value


# Any: click's decorators take whatever function they are put on.
def place_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--data`: a folder or a database, as `rookery serve` has it."""
    return click.option(
        "--data",
        "place",
        type=LogPlaceType(),
        default=Path("data"),
        envvar="ROOKERY_DATA",
        show_default=True,
        metavar="FOLDER",
        help="The server's folder, or its postgresql:// address.",
    )(command)


def folder_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--data` for a folder; a database's address is refused."""
    return click.option(
        "--data",
        "folder",
        type=click.Path(path_type=Path),
        callback=_no_address,
        default=Path("data"),
        envvar="ROOKERY_DATA",
        show_default=True,
        metavar="FOLDER",
        help="The server's folder.",
    )(command)


def _no_address(_: click.Context, __: click.Parameter, folder: Path) -> Path:
    if str(folder).startswith(("postgresql:", "postgres:")):
        raise NoLog("This is for a log in a folder: what is in a database, PostgreSQL mends.")
    return folder
