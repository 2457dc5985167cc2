"""The reading half of a store that writes by one connection and reads by a log of its own."""

from collections.abc import Iterator, Mapping, Sequence

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import Log
from rookery.store.catalogue import Finding, Finished
from rookery.store.snapshot import Snapshot


class ReadingThrough:
    """Reads from `_log`, which the store sets when it has opened it."""

    _log: Log

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        return self._log.read(after, stream)

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return self._log.read_stream(stream)

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        return self._log.read_one(seq)

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: streams none has ended."""
        return self._log.unfinished(known)

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none."""
        return self._log.snapshot(version)

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before."""
        self._log.keep_snapshot(version, seq, parts)

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""
        return self._log.damaged()

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._log.last_seq()

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._log.last_table()

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._log.last_at()

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        return self._log.finished(wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start, the highest first."""
        return self._log.tables_of(player, below, limit)
