"""Sealing a log that was written before there were seals, once and in one transaction.

Records are sealed as they are. A record that cannot be read gets no seal: it stays the
damaged one it is, and what follows it can still be told from it.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final

import msgspec

from rookery.store import StoreBroken
from rookery.store.codec import decode_event
from rookery.store.rows import COLUMNS
from rookery.store.seal import UNSEALED, first_seal, seal
from rookery.store.sqlite.bookmark import Bookmark, write_bookmark

_SEAL: Final = "UPDATE records SET sum = ? WHERE seq = ?"
_AT_ONCE: Final = 10_000  # rows read before their seals are written


def seal_all(connection: sqlite3.Connection) -> None:
    """Seal every record, every tip and the bookmark."""
    last: dict[bytes, int] = {}
    after = 0
    while True:
        sql = f"SELECT {COLUMNS} FROM records WHERE seq > ? ORDER BY seq LIMIT ?"  # noqa: S608
        rows = connection.execute(sql, (after, _AT_ONCE)).fetchall()
        if not rows:
            break
        connection.executemany(_SEAL, list(_seals(rows, last)))
        after = rows[-1][0]
    connection.execute(
        "UPDATE finished SET sum = coalesce((SELECT sum FROM records WHERE seq = tip), -1)"
    )
    seq, last_table, running = connection.execute(
        "SELECT seq, last_table, running FROM bookmark"
    ).fetchone()
    tips = msgspec.json.decode(running, type=dict[str, int])
    write_bookmark(connection, Bookmark(seq, last_table, tips))


def _seals(rows: list[tuple[object, ...]], last: dict[bytes, int]) -> Iterator[tuple[int, int]]:
    """Yield the seal of each of these rows, and its number; `last`: the seal before, by stream."""
    for row in rows:
        seq, stream, n, at, ends, before, event, _ = row
        assert isinstance(seq, int), "a row's number is one"
        try:
            made = _made(last, seq, stream, (n, at, ends, before), event)
        except (StoreBroken, AssertionError, UnicodeError):
            made = UNSEALED
        if isinstance(stream, bytes):
            last[stream] = made
        yield made, seq


def _made(
    last: dict[bytes, int], seq: int, stream: object, numbers: tuple[object, ...], event: object
) -> int:
    assert isinstance(stream, bytes), "a stream has a name"
    assert isinstance(event, bytes), "an event is a text"
    n, at, ends, before = (one if isinstance(one, int) and one >= 0 else None for one in numbers)
    assert n is not None, "its place is a number"
    assert at is not None, "its time is a number"
    assert ends is not None, "it ends its stream or not"
    assert before is not None, "what it follows is a number"
    decode_event(event, seq)
    known = last[stream] if stream in last else first_seal(stream.decode())
    return seal(known, seq, n, at, ends, before, event)
