"""Counts of what happened, for those who watch over the server: one look-up a record.

How many tables are open or being played follows from the events: what was opened and has
neither begun nor gone is open. What the log left is counted when it is taken up, what is
written since when it is safe. It mutates.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rookery.core.events import (
    Closed,
    Ended,
    LogEvent,
    Opened,
    Played,
    PlayerMade,
    Record,
    Started,
    TourEnded,
    TourOpened,
)
from rookery.core.ids import MICROS_A_SECOND, Micros

# Upper bounds of what durations are counted by: from a commit on a good disk to an outage.
BOUNDS: Final[tuple[Micros, ...]] = (
    *(500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000),
    *(1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000),
)


class Durations:
    """How long something took each time: a histogram, as Prometheus has it. It mutates."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum: Micros = 0

    def add(self, took: Micros) -> None:
        """Count one more duration."""
        self._counts[bisect_left(BOUNDS, took)] += 1
        self._sum += took

    def samples(self, name: str, labels: str = "") -> dict[str, float]:
        """The histogram as samples of this name, with these labels."""
        before, mark = (f"{labels},", f"{{{labels}}}") if labels else ("", "")
        total, found = 0, dict[str, float]()
        for bound, count in zip(BOUNDS, self._counts, strict=False):
            total += count
            found[f'{name}_bucket{{{before}le="{bound / MICROS_A_SECOND:g}"}}'] = total
        total += self._counts[-1]
        found[f'{name}_bucket{{{before}le="+Inf"}}'] = total
        return found | {
            f"{name}_sum{mark}": self._sum / MICROS_A_SECOND,
            f"{name}_count{mark}": total,
        }


class Counts:
    """Counts what there is, and what was written since the start."""

    def __init__(self) -> None:
        self._taken_up: Counter[type[LogEvent]] = Counter()  # of streams that were not over
        self._written: Counter[type[LogEvent]] = Counter()
        self.beside: list[Callable[[], dict[str, float]]] = []  # other counts, for Prometheus

    def taking_up(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records, counted as they pass; but for moves, of which only new ones count."""
        for record in records:
            kind = type(record.event)
            if kind is not Played:
                self._taken_up[kind] += 1
            yield record

    def wrote(self, records: Iterable[Record]) -> None:
        """Count these records, which are safe."""
        written = self._written
        for record in records:  # a Counter's `update` asks first what it is given: 3 µs
            written[type(record.event)] += 1

    def samples(self) -> dict[str, float]:
        """What the counts beside these say, by the whole name of each sample."""
        return {name: value for count in self.beside for name, value in count().items()}

    @property
    def open(self) -> int:
        """Tables whose game has not begun."""
        return self._there(Opened) - self._there(Started) - self._there(Closed)

    @property
    def playing(self) -> int:
        """Tables whose game is being played."""
        return self._there(Started) - self._there(Ended)

    @property
    def tours(self) -> int:
        """Tours that are not over."""
        return self._there(TourOpened) - self._there(TourEnded)

    @property
    def players(self) -> int:
        """Players there ever were."""
        return self._there(PlayerMade)

    @property
    def moves(self) -> int:
        """Moves since the start."""
        return self._written[Played]

    @property
    def records(self) -> int:
        """Records since the start."""
        return self._written.total()

    def _there(self, kind: type[LogEvent]) -> int:
        return self._taken_up[kind] + self._written[kind]
