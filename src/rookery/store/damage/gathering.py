"""Gathering what a damaged log still has: every sound record, and every stream with a gap.

SQLite is asked first; what it cannot give is looked for on the bare pages of the file.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.events import Record
from rookery.store import StoreBroken
from rookery.store.codec import decode_event
from rookery.store.damage.combing import Gap, comb
from rookery.store.damage.pages import rows_in
from rookery.store.rows import FAULTS, Raw, name_of
from rookery.store.seal import first_seal, seal
from rookery.store.sqlite.bookmark import read_bookmark
from rookery.store.sqlite.schema import MIGRATIONS, check_schema, distrust, is_other_peoples

# Only where the seal is that of the record it points to: else the number may be damaged.
_FINISHED: Final = """
SELECT finished.stream, tip FROM finished LEFT JOIN records ON seq = tip
WHERE records.sum IS NULL OR records.sum = finished.sum
"""


class Gathered(Struct, frozen=True):
    """What a damaged log still has: its records in order, and what is missing between them."""

    records: list[Record]
    broken: dict[str, str]  # the streams of which some are missing, and how that shows
    missing: list[range]  # the records that are nowhere, or damaged wherever they are


def gather(path: Path) -> Gathered:
    """Gather all that can be had from this file, which may be damaged anywhere.

    Raises StoreBroken where it holds what no damage puts there.
    """
    rows: dict[int, dict[Raw, None]] = {}
    asked = _may_ask_sqlite(path)
    tips = _tips(path) if asked else {}
    for row in (*(_by_sqlite(path) if asked else ()), *rows_in(path)):
        rows.setdefault(row[0], {})[row] = None
    streams: dict[bytes, list[Raw]] = {}
    for seq in sorted(rows):
        for row in rows[seq]:
            streams.setdefault(row[1], []).append(row)
    records: list[Record] = []
    broken: dict[str, str] = {}
    for name, found in streams.items():
        sound, why = _sound(name, found)
        records += sound
        if why:
            broken[name_of(name)] = why
    taken = {record.seq for record in records}
    reached = {record.stream: record.seq for record in records}
    for name, found in streams.items():
        # Else the name itself is damaged, and each of its records is sound in another stream.
        if name_of(name) not in reached and {row[0] for row in found} <= taken:
            broken.pop(name_of(name), None)
    for stream, tip in tips.items():
        if reached.get(stream, 0) < tip:
            broken.setdefault(stream, f"Its last record, {tip}, is missing.")
    end = max([*tips.values(), *taken], default=0)
    # As spans: where the bookmark is damaged, there may be any number of them.
    bounds = pairwise([0, *sorted(taken), end + 1])
    missing = [range(one + 1, other) for one, other in bounds if one + 1 < other]
    return Gathered(sorted(records, key=lambda record: record.seq), broken, missing)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file as SQLite reads it."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        distrust(connection)
        yield connection


def _may_ask_sqlite(path: Path) -> bool:
    """Whether the schema is ours, so that SQLite does with the rows what we ask and no more."""
    with suppress(*FAULTS), _opened(path) as connection:
        if is_other_peoples(connection):
            check_schema(connection, MIGRATIONS)
        with suppress(StoreBroken):
            check_schema(connection, MIGRATIONS)
            return True
    return False


def _tips(path: Path) -> dict[str, int]:
    """The last record of each stream, as far as that is written down and can be read."""
    tips: dict[str, int] = {}
    with suppress(*FAULTS, StoreBroken), _opened(path) as connection:
        bookmark = read_bookmark(connection)
        tips |= bookmark.running
        for stream, tip in connection.execute(_FINISHED):
            if isinstance(stream, str) and isinstance(tip, int) and tip <= bookmark.seq:
                tips[stream] = tip
    return tips


def _by_sqlite(path: Path) -> Iterator[Raw]:
    """Yield the rows that SQLite can read, those in its write-ahead log included."""
    with suppress(*FAULTS), _opened(path) as connection:
        for found in comb(connection):
            if not isinstance(found, Gap) and _whole(found):
                yield found


def _whole(row: Raw) -> bool:
    texts: tuple[object, ...] = (row[1], row[6])
    numbers: tuple[object, ...] = (*row[2:6], row[7])
    return all(isinstance(one, bytes) for one in texts) and all(
        isinstance(one, int) and one >= 0 for one in numbers
    )


def _sound(stream: bytes, rows: list[Raw]) -> tuple[list[Record], str]:
    """The records among these whose seals are right, in order; and what is missing, if any.

    A record is sound if its seal follows from that of the record it names, whether or not that
    one could be read: so what comes after a gap is still found.
    """
    try:
        name = stream.decode()
    except UnicodeError:
        return [], "Its name is damaged."
    seals = {row[0]: row[7] for row in rows} | {0: first_seal(name)}
    records: list[Record] = []
    last, why = 0, ""
    for row in rows:
        seq, _, n, at, ends, before, event, said = row
        if records and records[-1].seq == seq:
            continue
        if before not in seals or seal(seals[before], seq, n, at, ends, before, event) != said:
            why = why or f"Record {seq} is damaged, or follows one that is."
            continue
        try:
            records.append(Record(seq, name, n, at, decode_event(event, seq), ends != 0))
        except StoreBroken as wrong:
            why = why or str(wrong)
            continue
        if before != last:
            why = why or f"A record between {last} and {seq} is missing."
        last = seq
    return records, why
