"""Salvaging a damaged log: what can be saved, so that the new log opens and is sound.

Only records whose seals are right are taken. A stream with a gap is left out whole: cut at the
gap a game that is over would be played on, and one that runs would go on without moves that
everyone saw. The hall's own stream only loses the records that are damaged: each is about
one player or tour. Then the log is verified, and every stream with a problem is left out too,
until none has one. The records left out are kept apart, as far as they can be read.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import HALL_STREAM, GameRated, Record
from rookery.doctor.replaying import check_log

MORE: Final = "It is about something that is left out: "


class Saved(Struct, frozen=True):
    """The result of a salvage: what is saved, what is lost, and why."""

    records: Sequence[Record]  # of the new log, numbered anew
    lost: Mapping[str, str]  # the streams that are left out, and why
    dropped: Sequence[str]  # records of the hall's own that are left out, each as a sentence
    apart: Sequence[Record]  # what can be read of what is left out, as it was numbered


def salvage(records: Iterable[Record], broken: Mapping[str, str]) -> Saved:
    """Save what can be saved of these records, in the log's order; `broken` streams have a gap."""
    all_ = list(records)
    lost = {stream: why for stream, why in broken.items() if stream != HALL_STREAM}
    dropped: dict[int, str] = {}  # by the old number
    while True:
        kept = [r for r in all_ if r.stream not in lost and r.seq not in dropped]
        renumbered = list(_renumbered(kept))
        old = {new.seq: was for new, was in zip(renumbered, kept, strict=True)}
        problems = list(check_log(renumbered))
        if not problems:
            break
        for problem in problems:
            was = old.get(problem.seq)
            if problem.stream == HALL_STREAM and was is not None:
                dropped.setdefault(was.seq, f"Record {was.seq}: {problem.sentence}")
            elif problem.stream not in lost:
                lost[problem.stream] = MORE + problem.sentence
    apart = [r for r in all_ if r.stream in lost or r.seq in dropped]
    return Saved(renumbered, lost, list(dropped.values()), apart)


def _renumbered(records: Iterable[Record]) -> Iterator[Record]:
    """The records numbered anew without gaps, in the log and in their streams."""
    places: defaultdict[str, int] = defaultdict(int)
    rated: dict[int, int] = {}  # records that rate games: their new numbers by the old ones
    for seq, record in enumerate(records, 1):
        places[record.stream] += 1
        n, event = places[record.stream], record.event
        if isinstance(event, GameRated):
            rated[record.seq] = seq
            event = replace(event, before=tuple(rated.get(one, 0) for one in event.before))
        same = (seq, n, event) == (record.seq, record.n, record.event)
        yield record if same else replace(record, seq=seq, n=n, event=event)
