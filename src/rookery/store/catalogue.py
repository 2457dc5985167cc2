"""The catalogue: which tables have ended, and who sat where; found without reading the log.

It says nothing that the log does not, and is kept as records are appended, in the same
transaction. Only the few words that open, fill and end a table touch it; a move costs
nothing. Finished tables are in the order of their ends, the newest first: what ends later
stands before every page that was asked for, so none of those changes under its reader.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Closed, Ended, Left, Opened, Record, Sat, TakenOver, table_of
from rookery.core.ids import PlayerId, Status, TableId, TourId

NO_END: Final = 2**63 - 1  # later than every record

_KEPT: Final = frozenset({Opened, Sat, Left, TakenOver, Ended, Closed})

_FINISHED: Final = """
SELECT number, ended FROM catalogue WHERE status = :status AND ended > 0 AND ended < :below
"""
_OF_A_GAME: Final = " AND game = :game"
_OF_A_TOUR: Final = " AND tour = :tour"
_NEWEST_FIRST: Final = " ORDER BY ended DESC LIMIT :limit"

_TABLES_OF: Final = """
SELECT number FROM sitters WHERE player = :player AND number < :below
ORDER BY number DESC LIMIT :limit
"""


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


class Filed(Struct, frozen=True):
    """What the catalogue knows of a table."""

    game: str
    tour: TourId | None
    status: str = ""  # until it is over or closed
    ended: int = 0


class Catalogue:
    """The catalogue of a store in memory. It mutates."""

    def __init__(self) -> None:
        self._filed: dict[TableId, Filed] = {}
        self._ended: list[TableId] = []  # in the order of their ends
        self._sitters: dict[PlayerId, dict[TableId, None]] = {}

    def take(self, records: Iterable[Record]) -> None:
        """File these records."""
        for record, table in of_tables(records):
            match record.event:
                case Opened(variant, tour=tour):
                    self._filed.setdefault(table, Filed(game_of(variant), tour))
                case Sat(player=player) | TakenOver(player=player):
                    self._sitters.setdefault(player, {})[table] = None
                case Left(player=player):
                    self._sitters.get(player, {}).pop(table, None)
                case Ended() | Closed():
                    self._end(table, record)
                case _:
                    pass

    def finished(self, wanted: Finding) -> list[Finished]:
        """Finished tables, as `Log.finished` has them."""
        below = wanted.below or NO_END
        found: list[Finished] = []
        for table in reversed(self._ended):
            filed = self._filed[table]
            if (
                filed.ended < below
                and filed.status == wanted.status
                and wanted.game in ("", filed.game)
                and wanted.tour in (None, filed.tour)
                and len(found) < wanted.limit
            ):
                found.append(Finished(table, filed.ended))
        return found

    def tables_of(self, player: PlayerId, below: int, limit: int) -> list[TableId]:
        """A player's tables, as `Log.tables_of` has them."""
        tables = list(self._sitters.get(player, ()))
        tables = [table for table in tables if not below or table < below]
        return sorted(tables, reverse=True)[:limit]

    def rows(self) -> list[tuple[object, ...]]:
        """All filed tables, as rows of the file's table `catalogue`."""
        filed = self._filed.items()
        return sorted((table, f.game, f.tour, f.status, f.ended) for table, f in filed)

    def sitters(self) -> list[tuple[int, int]]:
        """All who sat somewhere, as rows of the file's table `sitters`."""
        found = self._sitters.items()
        return sorted((player, table) for player, tables in found for table in tables)

    def _end(self, table: TableId, record: Record) -> None:
        filed = self._filed.get(table)
        if filed is not None and not filed.ended:
            self._filed[table] = replace(filed, status=status_of(record), ended=record.seq)
            self._ended.append(table)


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


def find_finished(connection: sqlite3.Connection, wanted: Finding) -> Sequence[Finished]:
    """Find finished tables in the file."""
    sql = _FINISHED
    if wanted.game:
        sql += _OF_A_GAME
    if wanted.tour is not None:
        sql += _OF_A_TOUR
    values = {
        "status": wanted.status,
        "game": wanted.game,
        "tour": wanted.tour,
        "below": wanted.below or NO_END,
        "limit": wanted.limit,
    }
    rows = connection.execute(sql + _NEWEST_FIRST, values)
    return [Finished(TableId(number), seq) for number, seq in rows]


def find_tables_of(
    connection: sqlite3.Connection, player: PlayerId, below: int, limit: int
) -> Sequence[TableId]:
    """Find the tables where a player sat in the file."""
    values = {"player": player, "below": below or NO_END, "limit": limit}
    return [TableId(number) for (number,) in connection.execute(_TABLES_OF, values)]


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
