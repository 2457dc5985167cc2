"""A small log with something of everything, and ways to damage its file."""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from zlib import crc32

from rookery.core.events import (
    HALL_STREAM,
    Ended,
    Opened,
    Out,
    PlayerMade,
    Record,
    Said,
    Sat,
    Seeded,
    Started,
)
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat
from rookery.core.policy import Policy
from rookery.store import StoreBroken
from rookery.store.examine import Flaw, examine_file
from rookery.store.log import first_seal
from rookery.store.sqlite import SqliteStore, plainly
from tests.store.logs import Entry, log

PAGE: Final = 4096
ANN, BOB = PlayerId(1), PlayerId(2)


def game(table: int, *, over: bool) -> list[Entry]:
    """Two sit down at a table and begin; one may resign, and say so."""
    stream = f"table/{table}"
    entries: list[Entry] = [
        (stream, Opened("tictactoe", 1, 2, "none", Policy()), False),
        (stream, Seeded(table), False),
        (stream, Sat(Seat(0), ANN, "Ann"), False),
        (stream, Sat(Seat(1), BOB, "Bob"), False),
        (stream, Started(), False),
    ]
    if over:
        end = Outcome((2, 1), "resigned", "X resigned.")
        entries += [
            (stream, Out(Seat(0), Forfeit.RESIGNED, 1000), False),
            (stream, Ended(end), True),
            (stream, Said(ANN, "Ann", "Well played."), False),
        ]
    return entries


SMALL: Final = log(
    [
        (HALL_STREAM, PlayerMade(ANN, "Ann", "local", "a hash", "native"), False),
        (HALL_STREAM, PlayerMade(BOB, "Bob", "local", "a hash", "native"), False),
        *game(1, over=True),
        *game(2, over=False),
        *game(3, over=True),
        *game(4, over=False),
    ]
)


def _talk(table: int) -> list[Entry]:
    """A game in which much is said."""
    *begun, out, ended, said = game(table, over=True)
    line = "{}. " + "Well, well. " * 20
    talk = [(f"table/{table}", Said(BOB, "Bob", line.format(n)), False) for n in range(12)]
    return [*begun, *talk, out, ended, said]


def _mixed(first: int) -> list[Entry]:
    """Ten games that go on at the same time."""
    return [
        entry for step in zip(*map(_talk, range(first, first + 10)), strict=True) for entry in step
    ]


LARGE: Final = log(
    [
        (HALL_STREAM, PlayerMade(ANN, "Ann", "local", "a hash", "native"), False),
        (HALL_STREAM, PlayerMade(BOB, "Bob", "local", "a hash", "native"), False),
        *(entry for first in (1, 11, 21, 31) for entry in _mixed(first)),
    ]
)


def small_log(path: Path) -> Path:
    """The small log in this file, with a bookmark in the middle and one at the end."""
    with closing(SqliteStore(path, bookmark_every=10)) as store:
        for record in SMALL:
            store.append([record])
    return path


def running_log(path: Path) -> Path:
    """The same as a crash leaves it: there is no bookmark after the last records."""
    source = path.with_name("running")
    with closing(SqliteStore(source, bookmark_every=10)) as store:
        for record in SMALL:
            store.append([record])
        for end in ("", "-wal"):
            path.with_name(f"{path.name}{end}").write_bytes(
                source.with_name(f"running{end}").read_bytes()
            )
    return path


def change(path: Path, *statements: str) -> Path:
    """Do this to the file by hand."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for sql in statements:
            connection.execute(sql)
    return path


def seal_anew(path: Path) -> None:
    """Give every record and every tip a seal that fits what it says by now."""
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT seq, stream, n, at, ends, before, CAST(event AS BLOB) FROM records"
        sums: dict[str, int] = {}
        for seq, stream, *words in connection.execute(f"{sql} ORDER BY seq").fetchall():
            said = crc32(
                struct.pack("<QQQQQ", seq, *words[:-1]), sums.get(stream, first_seal(stream))
            )
            sums[stream] = crc32(words[-1], said)
            connection.execute("UPDATE records SET sum = ? WHERE seq = ?", (sums[stream], seq))
        connection.execute("UPDATE finished SET sum = (SELECT sum FROM records WHERE seq = tip)")
        connection.commit()


def problems(path: Path) -> list[str]:
    """All that an examination finds wrong with this file."""
    try:
        with plainly(path), closing(examine_file(path)) as examination:
            found = list(examination.file())
            found += [one.sentence for one in examination.records() if isinstance(one, Flaw)]
            return found + list(examination.beside())
    except StoreBroken as wrong:
        return [str(wrong)]


def contents(path: Path) -> list[object]:
    """Everything that can be read from the file by whoever asks SQLite for it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        found: list[object] = []
        for name in ("sqlite_master", "records", "finished", "bookmark", "catalogue", "sitters"):
            found += connection.execute(f"SELECT * FROM {name}").fetchall()
        return found


def rows_of(content: bytes) -> Iterator[int]:
    """Where in this file there may be rows: the bytes of every page behind its free space."""
    for page in range(0, len(content), PAGE):
        head = page + (100 if page == 0 else 0)
        start = int.from_bytes(content[head + 5 : head + 7], "big")
        yield from range(page + start, page + PAGE)


def streams(records: list[Record]) -> set[str]:
    """The streams of these."""
    return {record.stream for record in records}
