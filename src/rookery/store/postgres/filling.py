"""A new hall in a database, filled from another log in one transaction: whole, or not at all.

While it is open nobody else can begin a log in this hall, and nobody sees anything of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg

from rookery.core.events import Record
from rookery.store import StoreFailed, StoreLocked
from rookery.store.address import LogAddress
from rookery.store.postgres.connecting import LONG_ANSWER, DatabaseLine, failed
from rookery.store.postgres.examining import DatabaseExamination
from rookery.store.postgres.schema import make_tables
from rookery.store.postgres.statement import make_statement
from rookery.store.rows import Link
from rookery.store.seal import first_seal

_MAKE: Final = "INSERT INTO rookery.halls (hall) VALUES (%s) ON CONFLICT DO NOTHING"
_TAKE: Final = """
SELECT seq, epoch, holder, coalesce(until > clock_timestamp(), false)
FROM rookery.halls WHERE hall = %s FOR UPDATE
"""
_LAST: Final = """
SELECT seq, sum FROM rookery.records WHERE hall = %s AND stream = %s ORDER BY seq DESC LIMIT 1
"""
_TOKEN: Final = "UPDATE rookery.halls SET organiser = %s WHERE hall = %s"  # noqa: S105


class Filling:
    """Fills a new hall with records. It mutates."""

    def __init__(self, line: DatabaseLine) -> None:
        self._line = line
        self._connection = line.get()
        self._hall = line.address.hall
        self._connection.execute(_MAKE, (self._hall,))
        row = self._connection.execute(_TAKE, (self._hall,)).fetchone()
        seq, epoch, holder, led = row or (0, 0, "", False)
        if led:
            raise StoreLocked(f"Another process, {holder}, is writing to {line.address}.")
        if seq:
            raise StoreFailed(f"There is a log at {line.address} already, with {seq} records.")
        self._fence = {"hall": self._hall, "epoch": str(epoch)}
        self._tips: dict[str, Link] = {}

    def append(self, records: Sequence[Record]) -> None:
        """Write these records behind those that are there."""
        batch = make_statement(records, self._tip)
        done = self._connection.execute(batch.sql, batch.values | self._fence, prepare=True)
        assert done.rowcount == len(records), "records are numbered without a gap"
        self._tips.update(batch.tips)
        for stream in batch.ended:
            del self._tips[stream]

    def keep_token(self, token: str) -> None:
        """Write the organiser's token too."""
        self._connection.execute(_TOKEN, (token, self._hall))

    def examine(self) -> DatabaseExamination:
        """Examine what was written so far."""
        return DatabaseExamination(self._line, own=False)

    def _tip(self, stream: str) -> Link:
        tip = self._tips.get(stream)
        if tip is not None:
            return tip
        row = self._connection.execute(_LAST, (self._hall, stream)).fetchone()
        return Link(0, first_seal(stream)) if row is None else Link(*row)


@contextmanager
def filling(address: LogAddress) -> Iterator[Filling]:
    """Open a new hall to be filled; it exists if all went well. Raises StoreFailed, StoreLocked."""
    line = DatabaseLine(address, "filling", patience=LONG_ANSWER)
    try:
        connection = line.get()
        make_tables(connection, address)
        with connection.transaction():
            yield Filling(line)
    except psycopg.Error as wrong:
        raise StoreFailed(failed(address, wrong)) from wrong
    finally:
        line.close()
