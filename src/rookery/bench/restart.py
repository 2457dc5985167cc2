"""How long a server takes to be back, with many games running.

The log is written through the store, from one true game that the hall has played: every
table gets its own number and players, and the same moves. The records of all tables are
mixed, as they are when many play at once.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.bench.load.load import close, connect
from rookery.bench.load.processes import CannotMeasure, rookery
from rookery.bench.load.scripts import REVERSI, games_of
from rookery.core.events import (
    HALL_STREAM,
    LogEvent,
    Opened,
    PlayerMade,
    Record,
    Sat,
    table_stream,
)
from rookery.core.ids import MICROS_A_SECOND, PlayerId, SessionId, TableId
from rookery.core.intents import AnyIntent, Enter, Open, Play, Sit
from rookery.dialects import LANGUAGES
from rookery.hall.hall import Hall
from rookery.store.sqlite import SqliteStore

BUDGET: Final = 5.0  # seconds for 10,000 tables
BUDGET_FOR: Final = 10_000
MOVES: Final = 20  # at each table
LOG_FILE: Final = "rookery.db"  # where a server looks in its folder
BATCH: Final = 5_000  # records written at once


class Restart(Struct, frozen=True):
    """A server that starts on a log. Times are seconds, but for the milliseconds."""

    tables: int
    moves: int  # at each
    records: int
    seconds: float  # from starting the process until it listens
    empty_seconds: float  # the same without a log
    show_millis: float  # until the first look at a table is answered: its game is replayed
    memory: float  # megabytes, when it listens
    budget: float | None  # seconds; only for the number of tables that it is about
    within: bool | None


class _Shown(Struct, frozen=True):
    """As much of an answer as we look at."""

    type: str
    to_act: tuple[int, ...] = ()


def restart(tables: int, folder: Path) -> Restart:
    """Write a log with so many running tables, and start a server on it."""
    with TemporaryDirectory(dir=folder) as empty, rookery(Path(empty)) as server:
        empty_seconds = server.start_seconds
    with TemporaryDirectory(dir=folder) as log:
        records = write_log(Path(log) / LOG_FILE, tables)
        with rookery(Path(log)) as server:
            memory = server.memory()
            show = _look(server.port, tables)
            seconds = server.start_seconds
    budget = BUDGET if tables == BUDGET_FOR else None
    return Restart(
        tables=tables,
        moves=MOVES,
        records=records,
        seconds=round(seconds, 2),
        empty_seconds=round(empty_seconds, 2),
        show_millis=round(show, 2),
        memory=round(memory / 1e6, 1),
        budget=budget,
        within=seconds <= budget if budget else None,
    )


def write_log(file: Path, tables: int) -> int:
    """A log in which so many games of reversi have had their moves; how many records."""
    store = SqliteStore(file)
    records = _multiplied(_one_game(), tables)
    try:
        while batch := list(islice(records, BATCH)):
            store.append(batch)
        return store.last_seq()
    finally:
        store.close()


def _one_game() -> list[Record]:
    """Everything that a hall has in its log after one game's first moves."""
    hall = Hall(
        seeds=lambda: 1,
        tokens=lambda: "a token of 24 characters",
        archive=lambda _: (),
        languages=LANGUAGES,
    )
    records: list[Record] = []
    now = 0

    def ask(seat: int, intent: AnyIntent) -> None:
        nonlocal now
        now += MICROS_A_SECOND
        batch = hall.receive(SessionId(seat + 1), intent, now)
        records.extend(batch.records)
        hall.handed(batch, now)

    for seat, name in enumerate(("Black", "White")):
        hall.connect(SessionId(seat + 1), "127.0.0.1")
        ask(seat, Enter(name))
    ask(0, Open(REVERSI, time="1h"))
    ask(1, Sit(TableId(1)))
    for seat, text in games_of(REVERSI)[0][:MOVES]:
        ask(seat, Play(TableId(1), text))
    return records


def _multiplied(game: Sequence[Record], tables: int) -> Iterator[Record]:
    """The same at every table, each event at all tables before the next."""
    seq = made = 0
    for record in game:
        for table in range(tables):
            seq += 1
            event = _own(record.event, table)
            if isinstance(event, PlayerMade):
                made += 1
                yield Record(seq, HALL_STREAM, made, record.at, event)
            else:
                yield Record(seq, table_stream(TableId(table + 1)), record.n, record.at, event)


def _own(event: LogEvent, table: int) -> LogEvent:
    """The event with the players of this table, counted from 0, instead of the first one's."""
    first = 2 * table
    match event:
        case PlayerMade() | Sat():
            return replace(event, player=PlayerId(first + event.player))
        case Opened():
            return replace(event, by=PlayerId(first + 1))
        case _:
            return event


def _look(port: int, table: int) -> float:
    """Milliseconds until somebody new is shown this table, and that its game goes on."""
    connection = connect(port)
    try:
        began = time.perf_counter()
        connection.sendall(b'{"type":"show","table":%d}\n' % table)
        answer = connection.makefile("rb").readline()
        took = time.perf_counter() - began
    finally:
        close([connection])
    if not msgspec.json.decode(answer, type=_Shown).to_act:
        raise CannotMeasure(f"After the restart, nobody was to move at table {table}.")
    return took * 1000
