"""The snapshot of a hall in a database: rows of bytes, of which all are there or none.

It needs no fence: it follows from records alone, and says by a seal from which. A process that
led once and writes one late has written what is true.
"""

from collections.abc import Sequence
from typing import Final, LiteralString

import psycopg

from rookery.store import StoreFailed
from rookery.store.postgres.connecting import DatabaseLine, failed
from rookery.store.snapshot import LastRecord, Snapshot, read_snapshot, see_it_fits, write_snapshot

PIECE: Final = 1 << 20  # bytes of a row

_NEWEST: Final = "SELECT max(seq) FROM rookery.snapshots WHERE hall = %s"
_PIECE: Final[LiteralString] = """
SELECT content FROM rookery.snapshots WHERE hall = %s AND seq = %s AND piece = %s
"""
_PUT: Final = "INSERT INTO rookery.snapshots VALUES (%s, %s, %s, %s)"
_DELETE: Final = "DELETE FROM rookery.snapshots WHERE hall = %s"
_MARK: Final = "SELECT stream, n, sum FROM rookery.records WHERE hall = %s AND seq = %s"


def find_snapshot(line: DatabaseLine, version: int) -> Snapshot | None:
    """Read the snapshot of the hall of this line. Raises StoreFailed, StoreBroken."""
    hall = line.address.hall
    ((newest,),) = line.ask(_NEWEST, (hall,))
    if newest is None:
        return None
    pieces: list[bytes] = []
    while rows := line.ask(_PIECE, (hall, newest, len(pieces))):
        pieces.append(rows[0][0])
    found = read_snapshot(b"".join(pieces), version)
    see_it_fits(found, _mark(line, found.mark.seq))
    return found


def put_snapshot(line: DatabaseLine, version: int, seq: int, parts: Sequence[bytes]) -> None:
    """Keep this snapshot in place of the one before. Raises StoreFailed."""
    marked = _mark(line, seq)
    assert marked is not None, "a snapshot reaches to a record that is there"
    mark, hall = LastRecord(seq, *marked[1:]), line.address.hall
    content = b"".join(write_snapshot(Snapshot(version, mark, parts)))
    try:
        connection = line.get()
        with connection.transaction():
            connection.execute(_DELETE, (hall,))
            for piece, at in enumerate(range(0, len(content), PIECE)):
                connection.execute(_PUT, (hall, seq, piece, content[at : at + PIECE]))
    except psycopg.Error as wrong:
        raise StoreFailed(failed(line.address, wrong)) from wrong


def _mark(line: DatabaseLine, seq: int) -> tuple[str, int, int] | None:
    rows = line.ask(_MARK, (line.address.hall, seq))
    return None if not rows else (rows[0][0], rows[0][1], rows[0][2])
