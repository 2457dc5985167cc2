"""Examining a log in a database: every record that is as it was written, and every flaw.

That pages are what was written to them is PostgreSQL's to say, by its own checksums. The
records are held against their seals here too, and what the store keeps beside them against
what they say: somebody may have reached into the tables.
"""

from collections.abc import Iterator
from typing import Final, LiteralString

from rookery.core.events import Record, table_of
from rookery.store import StoreBroken
from rookery.store.catalogue import Catalogue
from rookery.store.damage.examining import Flaw
from rookery.store.postgres.connecting import DatabaseLine
from rookery.store.postgres.reading import PIECE, as_bytes
from rookery.store.rows import Follower

_MOMENT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_ROWS: Final[LiteralString] = """
SELECT seq, stream, n, at, ends, before, event, sum FROM rookery.records
WHERE hall = %s AND seq > %s ORDER BY seq LIMIT %s
"""
_LINK: Final = "SELECT stream, sum FROM rookery.records WHERE hall = %s AND seq = %s"
_HALL: Final = "SELECT seq, last_table FROM rookery.halls WHERE hall = %s"
_RUNNING: Final = "SELECT stream FROM rookery.running WHERE hall = %s"
_FILED: Final = """
SELECT number, game, tour, status, ended FROM rookery.catalogue WHERE hall = %s
"""
_SITTERS: Final = "SELECT player, number FROM rookery.sitters WHERE hall = %s"


class DatabaseExamination:
    """One reading of a hall's log, as it is now: what a server adds is not seen. It mutates."""

    def __init__(self, line: DatabaseLine, *, own: bool = True) -> None:
        self._line = line
        self._own = own  # else the line's owner is in a transaction, and will hang up
        self._hall = line.address.hall
        if own:
            line.get().execute(_MOMENT)
        self._running: set[str] = set()
        self._ended: set[str] = set()
        self._last = self._last_table = 0
        self._catalogue = Catalogue()
        self._flawed = False

    def close(self) -> None:
        """Hang up."""
        if self._own:
            self._line.close()

    def file(self) -> Iterator[str]:
        """Nothing is wrong with the file itself: there is none."""
        return iter(())

    def records(self) -> Iterator[Record | Flaw]:
        """Yield every sound record, in order, and a flaw for each of the others."""
        follower = Follower(self._find)
        while rows := self._line.ask(_ROWS, (self._hall, self._last, PIECE)):
            for row in rows:
                if row[0] != self._last + 1:
                    yield self._missing(row[0] - 1)
                self._last = row[0]
                try:
                    record = follower.take(as_bytes(row))
                except StoreBroken as wrong:
                    yield self._flaw(row[0], row[1], str(wrong))
                else:
                    self._take(record)
                    yield record
        ((seq, _),) = self._line.ask(_HALL, (self._hall,))
        if self._last < seq:
            yield self._missing(seq)

    def beside(self) -> Iterator[str]:
        """Yield what the store keeps beside the records and does not fit them."""
        if self._flawed:
            return  # nothing can be said while a record is missing
        if self._line.ask(_HALL, (self._hall,)) != [(self._last, self._last_table)]:
            yield "How many records and tables there are is not what the records say."
        running = {stream for (stream,) in self._line.ask(_RUNNING, (self._hall,))}
        if running != self._running - self._ended:
            yield "The list of streams that run is not what the records say."
        filed = sorted(self._line.ask(_FILED, (self._hall,)))
        if filed != self._catalogue.rows():
            yield "The catalogue of tables is not what the records say."
        if sorted(self._line.ask(_SITTERS, (self._hall,))) != self._catalogue.sitters():
            yield "The list of who sat where is not what the records say."

    def _take(self, record: Record) -> None:
        self._running.add(record.stream)
        if record.ends:
            self._ended.add(record.stream)
        self._last_table = max(self._last_table, table_of(record.stream) or 0)
        self._catalogue.take((record,))

    def _find(self, seq: int) -> tuple[object, object] | None:
        rows = self._line.ask(_LINK, (self._hall, seq))
        return (rows[0][0].encode(), rows[0][1]) if rows else None

    def _missing(self, last: int) -> Flaw:
        first = self._last + 1
        which = f"Record {first} is" if first == last else f"The records {first} to {last} are"
        return self._flaw(last, "", f"{which} missing in the log.")

    def _flaw(self, seq: int, stream: str, sentence: str) -> Flaw:
        self._flawed = True
        return Flaw(seq, stream, sentence)
