"""The tables of a database in memory, and what each statement of the store finds in them.

It is no database: it knows the statements that the store has, each by its whole text, and
does what PostgreSQL would; any other is a mistake. A statement is done at one moment, so all of it
is one transaction. The laws of storing are tried on this as on the real one.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from rookery.core.events import HALL_STREAM
from rookery.store import database, lease, postgres, statement
from rookery.store.postgres import SQL

Row = tuple[Any, ...]  # Any: whatever a column holds
Values = Any  # Any: by name or by place, as the statement has them
Done = tuple[list[Row], int]  # what was found, and how many rows were written
Clock = Callable[[], float]  # the database's own, in seconds

BETWEEN: Final = "\x1e"
SUM = 7  # the column of a record that has its seal


class HallRows(Struct):
    """All rows of one hall, of every table."""

    seq: int = 0
    last_table: int = 0
    epoch: int = 0
    holder: str = ""
    until: float | None = None
    organiser: str = ""
    records: list[Row] = []
    streams: dict[str, list[int]] = {}  # the numbers of their records
    running: dict[str, None] = {}
    catalogue: dict[int, tuple[str, int | None, str, int]] = {}
    sitters: dict[tuple[int, int], None] = {}
    snapshot: dict[tuple[int, int], bytes] = {}  # by the record it reaches to, and the piece


class DatabaseTables:
    """The tables of all halls, and the statements on them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.halls: dict[str, HallRows] = {}
        self.standbys: dict[str, tuple[str, float]] = {}  # by hall: who heard the broker, and when
        self.notify: Callable[[], None] = lambda: None  # tells who listens that a lease is free

    def do(self, sql: str, values: Values) -> Done:
        """Do this statement as a whole; returns its rows and how many were written."""
        answer = _FIXED.get(sql)
        if answer is not None:
            return answer, len(answer)
        known = _KNOWN.get(sql)
        if known is not None:
            return known(self, values)
        assert sql.startswith(SQL.finished), f"this database does not know: {sql}"
        return self._finished(sql, values)

    def is_append(self, sql: str) -> bool:
        """Whether this statement writes records."""
        return sql in (statement.PLAIN, statement.FILED)

    # -- the lease

    def make(self, values: Values) -> Done:
        """A row for a hall that has none."""
        made = values[0] not in self.halls
        self.halls.setdefault(values[0], HallRows())
        return [(1,)] if made else [], int(made)

    def take(self, values: Values) -> Done:
        """Take the lease of a hall, if no process has it; finds the new epoch."""
        hall = self.halls.get(values["hall"])
        if hall is None or (hall.until is not None and hall.until > self._clock()):
            return [], 0
        hall.epoch += 1
        hall.holder, hall.until = values["holder"], self._clock() + values["seconds"]
        return [(hall.epoch,)], 1

    def look(self, values: Values) -> Done:
        """Find who holds the lease of a hall, its epoch, and the seconds left."""
        hall = self.halls.get(values[0])
        if hall is None:
            return [], 0
        left = None if hall.until is None else hall.until - self._clock()
        return [(hall.holder, hall.epoch, left)], 1

    def say_hears(self, values: Values) -> Done:
        """Which stand-by heard the broker, and when."""
        self.standbys[values["hall"]] = values["standby"], self._clock() - values["ago"]
        return [], 1

    def hears(self, values: Values) -> Done:
        """Find the stand-by that heard the broker lately."""
        name, heard = self.standbys.get(values["hall"], ("", 0.0))
        found = [(name,)] if heard > self._clock() - values["seconds"] else []
        return found, len(found)

    def renew(self, values: Values) -> Done:
        """Renew the lease, if the hall is still led under this epoch."""
        hall = self._of(values)
        if hall is None:
            return [], 0
        hall.until = self._clock() + values["seconds"]
        return [(hall.epoch,)], 1

    def give_back(self, values: Values) -> Done:
        """Give the lease back, and notify those who wait for it."""
        hall = self._of(values)
        if hall is None:
            return [], 0
        hall.until, hall.holder = None, ""
        self.notify()
        return [("",)], 1

    def _of(self, values: Values) -> HallRows | None:
        """The rows of a hall, if it is led under this epoch."""
        hall = self.halls.get(values["hall"])
        return hall if hall is not None and hall.epoch == int(values["epoch"]) else None

    # -- records

    def append(self, values: Values) -> Done:
        """Records, through the fence."""
        hall, first, last = self._of(values), int(values["first"]), int(values["last"])
        if hall is None or hall.seq != first - 1:
            return [], 0
        hall.seq, hall.last_table = last, max(hall.last_table, int(values["table"]))
        columns = (
            values["streams"].split(BETWEEN),
            _numbers(values["ns"]),
            _numbers(values["ats"]),
            (word == "t" for word in values["ends"][1:-1].split(",")),
            _numbers(values["befores"]),
            values["events"].split(BETWEEN),
            _numbers(values["sums"]),
        )
        for seq, row in enumerate(zip(*columns, strict=True), first):
            hall.records.append((seq, *row))
            hall.streams.setdefault(row[0], []).append(seq)
        if "begun" in values:
            _file(hall, values)
        return [], last - first + 1

    def count(self, values: Values) -> Done:
        """How many records there are, and under which number it is led."""
        return _one(self.halls.get(values[0]), lambda hall: (hall.epoch, hall.seq))

    def last(self, values: Values) -> Done:
        """Find the number and seal of the last record of a stream."""
        hall = self.halls[values["hall"]]
        there = hall.streams.get(values["stream"])
        if not there:
            return [], 0
        return [(there[-1], hall.records[there[-1] - 1][SUM])], 1

    def tips(self, values: Values) -> Done:
        """Find the last record, and its seal, of every stream that runs."""
        hall = self.halls[values[0]]
        ends = [(stream, hall.streams[stream][-1]) for stream in hall.running]
        return [(stream, seq, hall.records[seq - 1][SUM]) for stream, seq in ends], len(ends)

    # -- reading

    def read_all(self, values: Values) -> Done:
        """Find the next piece of the records of all streams."""
        hall = self.halls[values["hall"]]
        end = min(values["last"], values["after"] + values["piece"])
        return list(hall.records[values["after"] : end]), 0

    def read_stream(self, values: Values) -> Done:
        """Find the next piece of the records of one stream."""
        hall = self.halls[values["hall"]]
        there = hall.streams.get(values["stream"], [])
        begin, end = bisect_right(there, values["after"]), bisect_right(there, values["last"])
        return [hall.records[seq - 1] for seq in there[begin:end][: values["piece"]]], 0

    def read_these(self, values: Values) -> Done:
        """Find records by their numbers."""
        hall = self.halls[values["hall"]]
        there = (seq for seq in sorted(values["seqs"]) if 0 < seq <= len(hall.records))
        return [hall.records[seq - 1] for seq in there], 0

    def last_seq(self, values: Values) -> Done:
        """How many records there are."""
        return _one(self.halls.get(values["hall"]), lambda hall: (hall.seq,))

    def last_table(self, values: Values) -> Done:
        """The highest number that a table had."""
        return _one(self.halls.get(values["hall"]), lambda hall: (hall.last_table,))

    def last_at(self, values: Values) -> Done:
        """Find the time of the last record."""
        return [(row[3],) for row in self.halls[values["hall"]].records[-1:]], 0

    def unfinished(self, values: Values) -> Done:
        """Find the records of streams that run; of the hall's own, those after `known`."""
        hall = self.halls[values["hall"]]
        known = {HALL_STREAM: values["known"]}
        return [
            (stream, seq)
            for stream in hall.running
            for seq in hall.streams[stream]
            if seq > known.get(stream, 0)
        ], 0

    # -- the snapshot

    def newest_snapshot(self, values: Values) -> Done:
        """The record that a snapshot reaches to."""
        return [(max((seq for seq, _ in self.halls[values["hall"]].snapshot), default=None),)], 0

    def piece(self, values: Values) -> Done:
        """Find a piece of a snapshot."""
        found = self.halls[values["hall"]].snapshot.get((values["seq"], values["piece"]))
        return ([] if found is None else [(found,)]), 0

    def put_piece(self, values: Values) -> Done:
        """Write a piece of a new snapshot."""
        self.halls[values[0]].snapshot[values[1], values[2]] = values[3]
        return [], 1

    def delete_snapshot(self, values: Values) -> Done:
        """Delete the snapshot of a hall."""
        self.halls[values[0]].snapshot.clear()
        return [], 1

    def mark(self, values: Values) -> Done:
        """Find the stream of a record, its place there and its seal."""
        records = self.halls[values["hall"]].records
        found = records[values["seq"] - 1 : values["seq"]]
        return [(row[1], row[2], row[SUM]) for row in found], 0

    def tables_of(self, values: Values) -> Done:
        """Find the newest tables where a player sat."""
        sitters = self.halls[values["hall"]].sitters
        there = sorted((table for who, table in sitters if who == values["player"]), reverse=True)
        return [(table,) for table in there if table < values["below"]][: values["limit"]], 0

    def _finished(self, sql: str, values: Values) -> Done:
        """Find the tables that ended last, perhaps of one game or tour."""
        by_game, by_tour = SQL.of_a_game in sql, SQL.of_a_tour in sql
        found = [
            (number, ended)
            for number, (game, tour, status, ended) in self.halls[values["hall"]].catalogue.items()
            if status == values["status"] and 0 < ended < values["below"]
            if (not by_game or game == values["game"]) and (not by_tour or tour == values["tour"])
        ]
        return sorted(found, key=lambda row: -row[1])[: values["limit"]], 0

    # -- the organiser's token

    def keep_token(self, values: Values) -> Done:
        """A token, where there is none."""
        hall = self.halls.get(values[1])
        if hall is None or hall.organiser:
            return [], 0
        hall.organiser = values[0]
        return [(hall.organiser,)], 1

    def read_token(self, values: Values) -> Done:
        """Find the organiser's token of a hall."""
        return _one(self.halls.get(values[0]), lambda hall: (hall.organiser,))


def _file(hall: HallRows, values: Values) -> None:
    """File a batch in the catalogue; each part of the statement sees the tables as before it."""
    ended_here = zip(
        _numbers(values["ended_numbers"]),
        _texts(values["ended_how"]),
        _numbers(values["ended_at"]),
        strict=True,
    )
    for number, status, seq in list(ended_here):
        filed = hall.catalogue.get(number)
        if filed is not None and not filed[3]:
            hall.catalogue[number] = (filed[0], filed[1], status, seq)
    opened = zip(
        _numbers(values["numbers"]),
        _texts(values["games"]),
        _words(values["tours"]),
        _texts(values["statuses"]),
        _numbers(values["opened_ended"]),
        strict=True,
    )
    for number, game, tour, status, seq in opened:
        filed = (game, None if tour == "NULL" else int(tour), status, seq)
        hall.catalogue.setdefault(number, filed)
    for pair in zip(
        _numbers(values["left_players"]), _numbers(values["left_numbers"]), strict=True
    ):
        hall.sitters.pop(pair, None)
    for pair in zip(_numbers(values["sat_players"]), _numbers(values["sat_numbers"]), strict=True):
        hall.sitters.setdefault(pair)
    for stream in _streams(values["over"]):
        hall.running.pop(stream, None)
    for stream in _streams(values["begun"]):
        hall.running.setdefault(stream)


def _one(hall: HallRows | None, row: Callable[[HallRows], Row]) -> Done:
    return ([], 0) if hall is None else ([row(hall)], 1)


def _words(array: str) -> list[str]:
    return array[1:-1].split(",") if len(array) > 2 else []


def _numbers(array: str) -> Iterator[int]:
    return map(int, _words(array))


def _texts(array: str) -> list[str]:
    """Quoted as in JSON, between other brackets."""
    found: list[str] = json.loads(f"[{array[1:-1]}]", strict=False)
    return found


def _streams(names: str) -> Sequence[str]:
    return names.split(BETWEEN) if names else ()


def _of(module: object, name: str) -> str:
    """The text of a statement, which is a module's own."""
    found: str = getattr(module, name)
    return found


LISTEN: Final = _of(lease, "_LISTEN")
UNLISTEN: Final = _of(lease, "_UNLISTEN")
RENEW: Final = _of(lease, "_RENEW")
_FIXED: Final[dict[str, list[Row]]] = {
    _of(database, "_SET"): [],
    _of(database, "_CHECK"): [("UTF8", "on")],
    LISTEN: [],
    UNLISTEN: [],
    "SELECT to_regclass('rookery.version')": [("rookery.version",)],
    "SELECT version FROM rookery.version": [(database.VERSION,)],
}
_KNOWN: Final[dict[str, Callable[[DatabaseTables, Values], Done]]] = {
    statement.PLAIN: DatabaseTables.append,
    statement.FILED: DatabaseTables.append,
    _of(lease, "_MAKE"): DatabaseTables.make,
    _of(lease, "_TAKE"): DatabaseTables.take,
    _of(lease, "_LOOK"): DatabaseTables.look,
    RENEW: DatabaseTables.renew,
    _of(lease, "_SAY_HEARS"): DatabaseTables.say_hears,
    _of(lease, "_HEARS"): DatabaseTables.hears,
    _of(lease, "_GIVE_BACK"): DatabaseTables.give_back,
    _of(postgres, "_COUNT"): DatabaseTables.count,
    _of(postgres, "_LAST"): DatabaseTables.last,
    _of(postgres, "_TIPS"): DatabaseTables.tips,
    _of(postgres, "_ALL"): DatabaseTables.read_all,
    _of(postgres, "_STREAM"): DatabaseTables.read_stream,
    _of(postgres, "_THESE"): DatabaseTables.read_these,
    SQL.last_seq: DatabaseTables.last_seq,
    SQL.last_table: DatabaseTables.last_table,
    SQL.last_at: DatabaseTables.last_at,
    _of(postgres, "_RUNNING"): DatabaseTables.unfinished,
    SQL.tables_of: DatabaseTables.tables_of,
    _of(postgres, "_NEWEST"): DatabaseTables.newest_snapshot,
    _of(postgres, "_PIECE"): DatabaseTables.piece,
    _of(postgres, "_PUT"): DatabaseTables.put_piece,
    _of(postgres, "_DELETE"): DatabaseTables.delete_snapshot,
    _of(postgres, "_MARK"): DatabaseTables.mark,
    _of(database, "_KEEP"): DatabaseTables.keep_token,
    _of(database, "_READ"): DatabaseTables.read_token,
}
