"""Judges the snapshot that is left with a log: it lacks nothing of what it says it reaches to."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from rookery.core.events import PlayerMade, Record
from rookery.core.ids import PlayerId
from rookery.hall.hall_memory import VERSION, OwnRecords, PlayersPart, read_parts
from rookery.store import Log, StoreBroken, StoreFailed
from rookery_tools.sim.observer.verdict import Failing

SNAPSHOT: Final = "a snapshot says what the log says"


class SnapshotLeft(Struct, frozen=True):
    """What a snapshot says of itself, and whom it knows."""

    seq: int  # the last record that it reaches to
    own: int  # records of the hall's own stream that it follows from
    players: frozenset[PlayerId]


def read_snapshot(log: Log) -> SnapshotLeft | None:
    """The snapshot that is kept with this log; None where there is none, or one of no use."""
    try:
        found = log.snapshot(VERSION)
    except (StoreBroken, StoreFailed):
        return None  # it is torn, and a start says so and reads the log
    if found is None:
        return None
    own, players = 0, set[PlayerId]()
    for part in read_parts(found.parts):
        if isinstance(part, OwnRecords):
            own = part.count
        elif isinstance(part, PlayersPart):
            players.update(one.id for one in part.players)
    return SnapshotLeft(found.mark.seq, own, frozenset(players))


def judge_snapshot(records: Sequence[Record], left: SnapshotLeft) -> Iterator[Failing]:
    """Judge that it has every record of the hall's own stream up to the last that it reaches to."""
    last = records[left.seq - 1]
    if last.n != left.own:
        yield Failing(
            SNAPSHOT, f"it reaches to event {last.n} of {last.stream}, and has {left.own}"
        )
    made = (one.event for one in records[: left.seq])
    missing = {one.player for one in made if isinstance(one, PlayerMade)} - left.players
    if missing:
        yield Failing(SNAPSHOT, f"it reaches to record {left.seq}, and does not know {missing}")
