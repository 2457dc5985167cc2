"""Numbers that were measured, each as often as it was: what a table shows and a file keeps.

One run of a row gives samples. Samples of the same name from several runs are one figure,
and its median is what is shown: a busy moment of the machine spoils a run, not a median.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal, TypeAlias

from msgspec import Struct

Unit: TypeAlias = Literal["µs", "ms", "s", "MB", "/s", "%", ""]


class FigureBudget(Struct, frozen=True):
    """The most that a figure may be, and our goal; in its unit, or `bare`: in times bare."""

    most: float
    goal: float
    bare: bool = False


class Sample(Struct, frozen=True):
    """One number of one run."""

    name: str
    value: float
    unit: Unit
    bare: float | None = None  # the same from a server that only moves bytes, in the same run
    budget: FigureBudget | None = None
    more: bool = False  # whether more is better


class Figure(Struct, frozen=True):
    """One number, as often as it was measured."""

    row: str
    name: str
    unit: Unit
    values: tuple[float, ...]
    bares: tuple[float, ...] = ()
    budget: FigureBudget | None = None
    more: bool = False

    @property
    def value(self) -> float:
        """The median of the runs, which counts."""
        return median(self.values)

    @property
    def bare(self) -> float | None:
        """The median of the bare server's runs; None where it did not run."""
        return median(self.bares) if self.bares else None

    @property
    def times(self) -> float | None:
        """How many times bare; each run against the bare one of the same run."""
        if not self.bares:
            return None
        return median(a / b for a, b in zip(self.values, self.bares, strict=True))

    @property
    def within(self) -> bool | None:
        """Whether the budget is kept, where there is one."""
        if self.budget is None:
            return None
        held = self.times if self.budget.bare else self.value
        if held is None:
            return None
        return held >= self.budget.most if self.more else held <= self.budget.most


def gather(row: str, runs: Iterable[Sequence[Sample]]) -> tuple[Figure, ...]:
    """The figures of a row, in the order of the first run."""
    by_name: dict[str, list[Sample]] = {}
    for run in runs:
        for sample in run:
            by_name.setdefault(sample.name, []).append(sample)
    return tuple(_figure(row, samples) for samples in by_name.values())


def percentile(found: Sequence[float], percent: int) -> float:
    """The value below which so many percent of these sorted values lie."""
    return found[min(len(found) - 1, len(found) * percent // 100)]


def _figure(row: str, samples: Sequence[Sample]) -> Figure:
    first = samples[0]
    return Figure(
        row=row,
        name=first.name,
        unit=first.unit,
        values=tuple(_short(sample.value) for sample in samples),
        bares=tuple(_short(sample.bare) for sample in samples if sample.bare is not None),
        budget=first.budget,
        more=first.more,
    )


def _short(number: float) -> float:
    """Four digits are more than any of these numbers is worth."""
    return float(f"{number:.4g}")
