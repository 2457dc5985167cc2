"""Judges a flipped bit of the log: the server must complain, or read what was written.

One loss cannot be told from a power cut: that the last transaction in the WAL is gone. Then a
server that is started may write something else in its place.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from rookery.core.events import Record
from rookery_tools.sim.observer.verdict import Failing

FLIPS: Final = "a flipped bit is never believed"
DAMAGED: Final = "damaged"


class Flip(Struct, frozen=True):
    """A log in which a bit was flipped, as it was read afterwards."""

    where: str  # the file, and the place in it
    after: tuple[Record, ...]  # what can be read of it
    last: int  # records in the last transaction
    said: str  # by the server when it was started with it, and by who read it; empty: nothing


def judge_flip(before: Sequence[Record], flip: Flip) -> Iterator[Failing]:
    """Judge that the records read are those written, or that the server complained."""
    if flip.said:
        return
    written, last = before[: -flip.last], before[-flip.last :]
    there = flip.after[len(written) :]
    anew = all(one.at > before[-1].at for one in there)
    if list(flip.after[: len(written)]) != list(written) or not (
        list(there[: len(last)]) == list(last) or anew
    ):
        lost = len(before) - len(flip.after)
        what = f"{lost} records are gone" if lost > 0 else "the log says something else"
        yield Failing(FLIPS, f"A bit was flipped in {flip.where}: {what}, without a word")
