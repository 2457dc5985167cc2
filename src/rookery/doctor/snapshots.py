"""A log's snapshot held against the log: its parts must be what the records lead to."""

from collections.abc import Iterator

from rookery.core.events import HALL_STREAM, Record
from rookery.dialects import LANGUAGES
from rookery.hall.hall_memory import HallMemory
from rookery.store.snapshot import Snapshot


class SnapshotAudit:
    """Follows the hall's own stream as far as a snapshot reaches. It mutates."""

    def __init__(self, snapshot: Snapshot | None) -> None:
        self._snapshot = snapshot
        self._memory: HallMemory | None = None if snapshot is None else HallMemory(LANGUAGES)

    def take(self, record: Record) -> Iterator[str]:
        """What the next record of the log shows to be wrong, as sentences."""
        snapshot, memory = self._snapshot, self._memory
        if snapshot is None or memory is None or record.stream != HALL_STREAM:
            return
        try:
            memory.take(record)
        except Exception:  # noqa: BLE001 # what is damaged may break anything, and is said elsewhere
            self._memory = None
            return
        if record.seq >= snapshot.mark.seq:
            self._memory = None
            written, parts = memory.written(), list(snapshot.parts)
            if written[:1] != parts[:1]:
                return  # it was made with other dialects, and is for a server that has them
            if memory.seq != snapshot.mark.seq or written != parts:
                yield (
                    f"The snapshot says of the records up to {snapshot.mark.seq} what they do not: "
                    "delete it, and the next start reads all of them."
                )

    def skip(self, stream: str) -> None:
        """Stop judging, if a record of the hall's stream, or of an unknown one, is damaged."""
        if stream in ("", HALL_STREAM):
            self._memory = None
