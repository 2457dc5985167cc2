"""Counts of what happened, for whoever watches over the server: one look-up a record.

How many tables are open or being played follows from the events: what was opened and has
neither begun nor gone is open. What the log left is counted when it is taken up, what is
written since when it is safe. It mutates.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from rookery.core.events import Closed, Ended, LogEvent, Opened, Played, PlayerMade, Record, Started
from rookery.core.tours.tour_events import TourEnded, TourOpened


class Counts:
    """What there is, and what was written since the start."""

    def __init__(self) -> None:
        self._taken_up: Counter[type[LogEvent]] = Counter()  # of streams that were not over
        self._written: Counter[type[LogEvent]] = Counter()

    def taking_up(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records, counted as they pass."""
        for record in records:
            self._taken_up[type(record.event)] += 1
            yield record

    def wrote(self, records: Iterable[Record]) -> None:
        """These are safe."""
        written = self._written
        for record in records:  # a Counter's `update` asks first what it is given: 3 µs
            written[type(record.event)] += 1

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
