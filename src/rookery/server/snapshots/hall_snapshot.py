"""The snapshot of a hall: making the next one from the last and the log, and taking one up.

It is made from what is safe alone, and never from a hall that runs: so no player waits
for it, and any process that can read the log can make it.
"""

import logging
from itertools import islice
from typing import Final

import msgspec

from rookery.core.events import HALL_STREAM, Record
from rookery.dialects import LANGUAGES
from rookery.hall.hall_memory import VERSION, AnyPart, HallMemory, declared_by, read_parts
from rookery.store import Log, StoreBroken
from rookery.store.snapshot import LastRecord, Snapshot

log = logging.getLogger(__name__)

NOTHING: Final = LastRecord(0, 0, 0)
# Records that are read at once, a second or two. While something is read SQLite cannot begin its
# `-wal` anew, and it grows; but each time all that is left is looked for along the whole stream.
PIECE: Final = 100_000


def find(store: Log) -> tuple[LastRecord, list[AnyPart]]:
    """Read the snapshot of this log, and up to which record it reaches; empty if it is no use."""
    try:
        found = store.snapshot(VERSION)
        return (NOTHING, []) if found is None else (found.mark, _read(found))
    except (StoreBroken, msgspec.MsgspecError) as wrong:
        log.warning("%s It is not used: the whole log is read instead.", wrong)
        return NOTHING, []


def _read(found: Snapshot) -> list[AnyPart]:
    """Read the parts of a snapshot. Raises StoreBroken if it was made with other dialects."""
    parts = read_parts(found.parts)
    if parts[:1] != [declared_by(LANGUAGES)]:
        raise StoreBroken("The snapshot was made with other dialects.")
    return parts


def make(store: Log) -> int:
    """Keep a new snapshot with this log; the record it reaches to. Raises StoreFailed, Damaged."""
    memory = follow(store)
    if memory.seq:
        store.keep_snapshot(VERSION, memory.seq, memory.written())
    return memory.seq


def follow(store: Log) -> HallMemory:
    """What the hall's own stream leads to: the snapshot there is, and the records after it."""
    memory = HallMemory(LANGUAGES)
    mark, parts = find(store)
    memory.recall(parts, mark.seq)
    piece = _read_on(store, memory.seq)
    while piece:
        for record in piece:
            memory.take(record)
        piece = _read_on(store, memory.seq) if len(piece) == PIECE else []
    return memory


def _read_on(store: Log, after: int) -> list[Record]:
    """Read some of the hall's own records, and let go of the log at once."""
    return list(islice(store.read(after, HALL_STREAM), PIECE))
