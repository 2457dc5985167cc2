"""The catalogue: which tables have ended, and who sat where; found without reading the log.

It says nothing that the log does not, and is kept as records are appended, in the same
transaction. Only the few words that open, fill and end a table touch it; a move costs
nothing. Finished tables are in the order of their ends, the newest first: what ends later
stands before every page that was asked for, so none of those changes under its reader.
"""

import sqlite3
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from rookery.core.events import Closed, Ended, Left, Opened, Record, Sat, TakenOver, table_of
from rookery.core.ids import Status, TableId, TourId

NO_END: Final = 2**63 - 1  # later than every record

_KEPT: Final = frozenset({Opened, Sat, Left, TakenOver, Ended, Closed})


class Finished(Struct, frozen=True):
    """A table that has ended, and the number of the record that says so."""

    table: TableId
    seq: int


class Finding(Struct, frozen=True):
    """Which finished tables are wanted; `below` is the record before which they ended."""

    status: str = Status.OVER.value  # or closed
    game: str = ""  # by its name; empty is any
    tour: TourId | None = None  # None: any, or in no tour
    below: int = 0  # 0: from the newest on
    limit: int = 50


def file_away(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """File these records, in the transaction that writes them."""
    for record, table in of_tables(records):
        match record.event:
            case Opened(variant, tour=tour):
                row = (table, game_of(variant), tour)
                connection.execute("INSERT OR IGNORE INTO catalogue VALUES (?, ?, ?, '', 0)", row)
            case Sat(player=player) | TakenOver(player=player):
                sitter = (player, table)
                connection.execute("INSERT OR IGNORE INTO sitters VALUES (?, ?)", sitter)
            case Left(player=player):
                gone = (player, table)
                connection.execute("DELETE FROM sitters WHERE player = ? AND number = ?", gone)
            case _:
                end = (status_of(record), record.seq, table)
                connection.execute(
                    "UPDATE catalogue SET status = ?, ended = ? WHERE number = ? AND ended = 0", end
                )


def of_tables(records: Iterable[Record]) -> Iterable[tuple[Record, TableId]]:
    """Yield the records that the catalogue files, each with its table."""
    for record in records:
        if type(record.event) in _KEPT:  # asked for every record there is
            table = table_of(record.stream)
            if table is not None:
                yield record, table


def game_of(variant: str) -> str:
    """The name of the game that this is a variant of."""
    return variant.partition(" ")[0]


def status_of(record: Record) -> str:
    """The status of a table that this record ended."""
    return (Status.OVER if isinstance(record.event, Ended) else Status.CLOSED).value
