"""How long batches take to be safe, for those who watch over a hall: a watch around a scribe.

It mutates, and lives in the event loop.
"""

from collections.abc import Callable

from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.counts import Durations
from rookery.server.keeping.scribe import Writer, Written
from rookery.store import Store


class Commits:
    """Measures how long one scribe takes to make batches safe."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._since: Micros | None = None  # when what is under way was given to be written
        self._took = Durations()

    def around(
        self, make: Callable[[Store, Written], Writer], store: Store, told: Written
    ) -> Writer:
        """Make a scribe with `make`, and return it with a watch around it."""

        def written(records: list[Record], failure: BaseException | None) -> None:
            if failure is None and self._since is not None:
                if records:  # else it was only asked whether the log is there
                    self._took.add(self._clock() - self._since)
                self._since = None
            told(records, failure)

        return MeasuredWriter(self, make(store, written))

    def begin(self) -> None:
        """Start the watch, unless it runs: a write that is tried again is still the same write."""
        if self._since is None:
            self._since = self._clock()

    def samples(self) -> dict[str, float]:
        """What was measured, for Prometheus."""
        since = self._since
        lag = 0 if since is None else self._clock() - since
        found = {"rookery_log_lag_seconds": lag / MICROS_A_SECOND}
        return found | self._took.samples("rookery_commit_seconds")


class MeasuredWriter:
    """A scribe whose writes are timed."""

    def __init__(self, commits: Commits, writer: Writer) -> None:
        self._commits = commits
        self._writer = writer
        self.let_go = writer.let_go

    def write(self, records: list[Record], *, alone: bool) -> None:
        """Make these records safe, and take the time."""
        self._commits.begin()
        self._writer.write(records, alone=alone)
