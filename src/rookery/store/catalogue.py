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
from rookery.core.ids import PlayerId, Status, TableId, TourId

NO_END: Final = 2**63 - 1  # later than every record

_KEPT: Final = frozenset({Opened, Sat, Left, TakenOver, Ended, Closed})

_END: Final = "UPDATE catalogue SET status = ?2, ended = ?3 WHERE number = ?1 AND ended = 0"
_OPEN: Final = "INSERT OR IGNORE INTO catalogue VALUES (?, ?, ?, ?, ?)"
_STAND_UP: Final = "DELETE FROM sitters WHERE player = ? AND number = ?"
_SIT_DOWN: Final = "INSERT OR IGNORE INTO sitters VALUES (?, ?)"


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


class Filing(Struct):
    """What a batch of records leads to in the catalogue, added up: each row is touched once."""

    opened: dict[TableId, tuple[str, TourId | None]] = {}
    ended: dict[TableId, tuple[str, int]] = {}  # the first end, of a table that was there before
    ended_here: dict[TableId, tuple[str, int]] = {}  # the first after it was opened in this batch
    sits: dict[tuple[PlayerId, TableId], bool] = {}  # whether a player sits there after it

    def new_tables(self) -> list[tuple[TableId, str, TourId | None, str, int]]:
        """Tables that were opened, with their status and the record that ended them, if any."""
        return [
            (table, *opened, *self.ended_here.get(table, ("", 0)))
            for table, opened in self.opened.items()
        ]

    def ends(self) -> list[tuple[TableId, str, int]]:
        """Ends of tables that were there before: their status, and the record that ended them."""
        return [(table, *end) for table, end in self.ended.items()]

    def players(self, *, sitting: bool) -> list[tuple[PlayerId, TableId]]:
        """Players and the tables where they sat down, or which they left."""
        return [pair for pair, there in self.sits.items() if there == sitting]


def filing_of(records: Iterable[Record]) -> Filing | None:
    """What the catalogue has to file of these records; None: nothing."""
    filing: Filing | None = None
    for record in records:
        if type(record.event) not in _KEPT or (table := table_of(record.stream)) is None:
            continue  # nearly every record there is
        filing = filing or Filing()
        match record.event:
            case Opened(variant, tour=tour):
                filing.opened.setdefault(table, (variant.partition(" ")[0], tour))
            case Sat(player=player) | TakenOver(player=player):
                filing.sits[player, table] = True
            case Left(player=player):
                filing.sits[player, table] = False
            case _:
                over = isinstance(record.event, Ended)
                end = ((Status.OVER if over else Status.CLOSED).value, record.seq)
                filing.ended.setdefault(table, end)
                if table in filing.opened:
                    filing.ended_here.setdefault(table, end)
    return filing


def file_away(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """File these records in SQLite, in the transaction that writes them."""
    if (filing := filing_of(records)) is not None:
        connection.executemany(_END, filing.ends())
        connection.executemany(_OPEN, filing.new_tables())
        connection.executemany(_STAND_UP, filing.players(sitting=False))
        connection.executemany(_SIT_DOWN, filing.players(sitting=True))
