"""How long a server takes to be back, with many games running.

The log is written through the store, from one true game that the hall has played: every
table gets its own number and players, and the same moves. The records of all tables are
mixed, as they are when many play at once.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import (
    HALL_STREAM,
    GameRated,
    LogEvent,
    Opened,
    PlayerMade,
    Record,
    Sat,
    table_stream,
)
from rookery.core.ids import MICROS_A_SECOND, PlayerId, SessionId, TableId
from rookery.core.intents import AnyIntent, Enter, Open, Play, Resign, Sit
from rookery.dialects import LANGUAGES
from rookery.hall.hall import Hall
from rookery.store.sqlite import SqliteStore
from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample
from rookery_tools.bench.load.load import close, connect, play
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import REVERSI, games_of
from rookery_tools.bench.load.seats import parties, seated

BUDGET: Final = FigureBudget(3, 2)
BUDGET_FOR: Final = 10_000
MOVES: Final = 20  # at each table
SHORT: Final = 4  # before somebody gives up
CLUB: Final = 1_000  # players of the games that are over, at least
FAITHFUL: Final = 10  # games that each of them plays, where there are more
LOG_FILE: Final = "rookery.db"  # where a server looks in its folder
BATCH: Final = 20_000  # records written at once


class _Shown(Struct, frozen=True):
    """The part of a server's answer that we look at."""

    type: str
    to_act: tuple[int, ...] = ()


def restart(setup: BenchSetup) -> Iterator[Sample]:
    """Write a log with so many running tables, and start a server on it."""
    tables = setup.scale.running
    with setup.rookery() as server:
        empty = server.start_seconds
    with TemporaryDirectory(dir=setup.folder) as log:
        write_log(Path(log) / LOG_FILE, tables)
        with setup.rookery(log=Path(log)) as server:
            memory = server.memory() / 1e6
            show = _look(server.port, tables)
            seconds = server.start_seconds
    budget = BUDGET if tables == BUDGET_FOR else None
    yield Sample(f"restart with {tables} running tables", seconds, "s", budget=budget)
    yield Sample("  start with an empty log", empty, "s")
    yield Sample("  first look at one of the tables", show, "ms")
    yield Sample("  memory", memory, "MB")


def after_many(setup: BenchSetup) -> Iterator[Sample]:
    """A start on logs with few and with many games that are over, and a move on top of them."""
    for tables in setup.scale.finished:
        with TemporaryDirectory(dir=setup.folder) as log:
            setup.say(f"  writing {tables} finished games…")
            write_finished(Path(log) / LOG_FILE, tables)
            with setup.rookery(log=Path(log)) as server:
                plain = server.start_seconds
            make_snapshot(Path(log))
            with setup.rookery(log=Path(log)) as server:
                seconds, memory = server.start_seconds, server.memory() / 1e6
                with seated(server.port, parties(REVERSI, setup.scale.tables, 1)) as pairs:
                    before = server.cpu()
                    run = play(pairs)
                    cpu = (server.cpu() - before) / run.moves / 1000
        name = f"{tables} finished games in the log"
        yield Sample(f"start with {name}", seconds, "s", budget=FigureBudget(3, 3))
        yield Sample("  the same without a snapshot", plain, "s")
        yield Sample(f"  memory, {name}", memory, "MB")
        yield Sample(f"  CPU a move, {setup.scale.tables} tables, {name}", cpu, "µs")


def make_snapshot(folder: Path) -> None:
    """Make a snapshot of the log in this folder, by the process that a server uses for it."""
    words = [sys.executable, "-m", "rookery.server.worker_main", "snapshot"]
    place = msgspec.json.encode(str(folder)) + b"\n"
    made = subprocess.run(words, input=place, capture_output=True, check=False)  # noqa: S603 # ours
    if made.returncode or b'"why":""' not in made.stdout:
        raise CannotMeasure(f"No snapshot could be made: {made.stdout!r}.")


def write_log(file: Path, tables: int) -> int:
    """Write a log with so many running games of reversi; returns how many records it has."""
    moves = [Play(TableId(1), text) for _, text in games_of(REVERSI)[0][:MOVES]]
    return _write(file, _mixed(_one_game(moves), tables))


def write_finished(file: Path, tables: int) -> int:
    """Write a log of so many short finished games of a club; returns how many records it has."""
    moves = [Play(TableId(1), text) for _, text in games_of(REVERSI)[0][:SHORT]]
    return _write(file, _in_turn(_one_game([*moves, Resign(TableId(1))]), tables))


def _write(file: Path, records: Iterator[Record]) -> int:
    store = SqliteStore(file)
    try:
        while batch := list(islice(records, BATCH)):
            store.append(batch)
        return store.last_seq()
    finally:
        store.close()


def _one_game(moves: Sequence[Play | Resign]) -> list[Record]:
    """All records that a hall writes for one game with these moves."""
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
    for intent, (seat, _) in zip(moves, games_of(REVERSI)[0], strict=False):
        ask(seat, intent)
    return records


def _mixed(game: Sequence[Record], tables: int) -> Iterator[Record]:
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


def _in_turn(game: Sequence[Record], tables: int) -> Iterator[Record]:
    """The same game at one table after the other, by players who come again."""
    pairs = max(min(tables, CLUB // 2), tables // FAITHFUL)
    made = [one for one in game if isinstance(one.event, PlayerMade)]
    rest = [one for one in game if not isinstance(one.event, PlayerMade)]
    seq = 0
    for pair in range(pairs):
        for record in made:
            seq += 1
            yield Record(seq, HALL_STREAM, seq, record.at, _own(record.event, pair))
    halls = seq  # records of the hall's own stream
    rated: dict[int, int] = {}  # where each pair was rated last
    for table in range(tables):
        number, begun = TableId(table + 1), table * MICROS_A_SECOND
        for record in rest:
            seq, event = seq + 1, _own(record.event, table % pairs)
            stream, n = table_stream(number), record.n
            if isinstance(event, GameRated):  # what it made of their ratings
                last = (rated.get(table % pairs, 0),) * len(event.rated)
                halls, event = halls + 1, replace(event, table=number, before=last)
                rated[table % pairs] = seq
                stream, n = HALL_STREAM, halls
            yield Record(seq, stream, n, record.at + begun, event, record.ends)


def _own(event: LogEvent, table: int) -> LogEvent:
    """The event with the players of this table, counted from 0, instead of the first one's."""
    first = 2 * table
    match event:
        case PlayerMade() | Sat():
            return replace(event, player=PlayerId(first + event.player))
        case Opened():
            return replace(event, by=PlayerId(first + 1))
        case GameRated(rated=rated):
            theirs = [replace(one, key=f"#{first + int(one.key[1:])}") for one in rated]
            return replace(event, rated=tuple(theirs))
        case _:
            return event


def _look(port: int, table: int) -> float:
    """The milliseconds until a new client is shown this running table. Raises CannotMeasure."""
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
