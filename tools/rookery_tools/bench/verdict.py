"""Tells whether a number has changed, or the machine was only busy, from two lots of runs.

Two lots differ when their medians are further apart than the spread of both: the runs of a
lot lie around its median, and half of them within its middle half. A change that this spread
could have made by itself is not called one, and neither is one of less than seven percent: so
far rows differ by themselves from one day to the next, however steady the runs of a day are.
Too few runs have no spread, so nothing can be told from them.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from statistics import median, quantiles
from typing import Final

from msgspec import Struct

from rookery_tools.bench.figures import Figure

FEWEST: Final = 3  # runs of each
LEAST: Final = 0.07  # of the old; see above
NORMAL: Final = 1.35  # the middle half of a bell is so many of its deviations wide
SURE: Final = 2.5  # standard errors of the difference of two medians
OF_MEDIAN: Final = 1.25  # a median's error is so many times a mean's


class Word(Enum):
    """The verdict on a change."""

    FASTER = "faster"
    SLOWER = "slower"
    CANNOT_TELL = "cannot tell"


class FigureVerdict(Struct, frozen=True):
    """A figure then and now, and the verdict on its change."""

    row: str
    name: str
    unit: str
    old: float  # the median
    new: float
    ratio: float  # of the new to the old
    spread: float  # what the runs differ by anyway, as a part of the old: a change is more
    word: Word

    @property
    def costs_more(self) -> bool:
        """Whether more CPU is spent on one thing than then."""
        return self.word is Word.SLOWER and self.name.strip().startswith("CPU a ")


def judge(old: Sequence[float], new: Sequence[float], *, more: bool = False) -> Word:
    """Whether the new is faster; `more` where a greater number is better."""
    if len(old) < FEWEST or len(new) < FEWEST:
        return Word.CANNOT_TELL
    change = median(new) - median(old)
    if abs(change) <= _noise(old, new):
        return Word.CANNOT_TELL
    return Word.FASTER if (change > 0) is more else Word.SLOWER


def compare(old: Sequence[Figure], new: Sequence[Figure]) -> Iterator[FigureVerdict]:
    """A verdict for every figure that is in both."""
    before = {(one.row, one.name): one for one in old}
    for one in new:
        was = before.get((one.row, one.name))
        if was is None or was.unit != one.unit:
            continue
        yield FigureVerdict(
            row=one.row,
            name=one.name,
            unit=one.unit,
            old=was.value,
            new=one.value,
            ratio=one.value / was.value if was.value else 1.0,
            spread=_noise(was.values, one.values) / was.value if was.value else 0.0,
            word=judge(was.values, one.values, more=one.more),
        )


def _noise(old: Sequence[float], new: Sequence[float]) -> float:
    """How far the medians may be apart without a change."""
    return max(SURE * _error(old, new), LEAST * abs(median(old)))


def _error(old: Sequence[float], new: Sequence[float]) -> float:
    """How far two medians may be apart by chance, as one deviation."""
    parts = ((OF_MEDIAN * _spread(lot)) ** 2 / len(lot) for lot in (old, new))
    return float(sum(parts) ** 0.5)


def _spread(lot: Sequence[float]) -> float:
    """The deviation of a lot, by its middle half, which outliers do not widen."""
    if len(lot) < FEWEST:
        return max(lot) - min(lot)
    low, _, high = quantiles(lot, n=4, method="inclusive")
    return (high - low) / NORMAL
