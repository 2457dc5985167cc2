"""A store that keeps nothing: for tests, and for halls that may be forgotten."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rookery.core.events import HALL_STREAM, Record, table_of
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import follow
from rookery.store.catalogue import Catalogue, Finding, Finished
from rookery.store.snapshot import LastRecord, Snapshot, read_snapshot, write_snapshot


class MemoryStore:
    """The records in lists. It mutates, and dies with the process."""

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._streams: defaultdict[str, list[Record]] = defaultdict(list)
        self._ended: set[str] = set()
        self._last_table = 0
        self._catalogue = Catalogue()
        self._kept: bytes | None = None  # the snapshot
        self._closed = False

    def append(self, records: Sequence[Record]) -> None:
        """Keep these records for as long as the process lives."""
        assert not self._closed, "a closed store takes no records"
        assert follow(records, len(self._records)), "records are numbered without a gap"
        for record in records:
            self._streams[record.stream].append(record)
            self._last_table = max(self._last_table, table_of(record.stream) or 0)
            if record.ends:
                self._ended.add(record.stream)
        self._records.extend(records)
        self._catalogue.take(records)

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        if stream is None:
            return iter(self._records[after:])
        return iter([record for record in self._streams.get(stream, ()) if record.seq > after])

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return list(self.read(stream=stream))

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        return self._records[seq - 1] if 0 < seq <= len(self._records) else None

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: streams that no record has ended."""
        running = [record for record in self._records if record.stream not in self._ended]
        return iter([one for one in running if one.seq > known or one.stream != HALL_STREAM])

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none."""
        return None if self._kept is None else read_snapshot(self._kept, version)

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before."""
        mark = LastRecord(seq, self._records[seq - 1].n, 0)
        self._kept = b"".join(write_snapshot(Snapshot(version, mark, parts)))

    def damaged(self) -> Mapping[str, str]:
        """Nothing: memory does not rot."""
        return {}

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return len(self._records)

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._last_table

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._records[-1].at if self._records else 0

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        return self._catalogue.finished(wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start, the highest first."""
        return self._catalogue.tables_of(player, below, limit)

    def close(self) -> None:
        """Take no more records."""
        self._closed = True
