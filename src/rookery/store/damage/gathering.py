"""Gathering what a damaged log still has: every sound record, and every stream with a gap."""

from contextlib import closing
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from rookery.core.events import Record
from rookery.store.damage.examining import Examination, Flaw
from rookery.store.sqlite.reading import plainly


class Gathered(Struct, frozen=True):
    """What a damaged log still has: its records in order, and what is missing between them."""

    records: list[Record]
    broken: dict[str, str]  # the streams of which some are missing, and how that shows
    missing: list[range]  # the records that cannot be read, or are damaged


def gather(path: Path) -> Gathered:
    """Gather all that can be read from this file, which may be damaged anywhere.

    Raises StoreBroken where its schema is not what Rookery makes, be that damage or not.
    """
    records: list[Record] = []
    broken: dict[str, str] = {}
    with plainly(path), closing(Examination(path)) as examination:
        for found in examination.records():
            if not isinstance(found, Flaw):
                records.append(found)
            elif found.stream:
                broken.setdefault(found.stream, found.sentence)
        tips = examination.tips()
    taken = {record.seq for record in records}
    reached = {record.stream: record.seq for record in records}
    for stream, tip in tips.items():
        # A tip that is a sound record of another stream is itself what is damaged.
        if reached.get(stream, 0) < tip and tip not in taken:
            broken.setdefault(stream, f"Its last record, {tip}, is missing.")
    end = max([*tips.values(), *taken], default=0)
    # As spans: where the bookmark is damaged, there may be any number of them.
    bounds = pairwise([0, *sorted(taken), end + 1])
    missing = [range(one + 1, other) for one, other in bounds if one + 1 < other]
    return Gathered(records, broken, missing)
