"""Judges what absences cost in tours: one match in each `absent`, unless nothing else is left.

The observer folds tours by code of its own. Only worlds in which no clock was set are judged,
because the times of records are compared.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.core import events
from rookery.core.events import Record
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.tour_values import ABSENT, Plan
from rookery_tools.sim.observer.verdict import Failing

ABSENCES: Final = "absences cost one match at a time"
GRAIN: Final[Micros] = MICROS_A_SECOND // 20


def judge_absences(records: Sequence[Record]) -> Iterator[Failing]:
    """Judge every tour of this log."""
    tours: dict[str, FoldedTour] = {}
    for record in records:
        event = record.event
        if isinstance(event, events.TourOpened):
            tours[record.stream] = FoldedTour(event.plan)
        elif record.stream in tours and isinstance(event, events.TourWord):
            for wrong in tours[record.stream].take(event, record.at):
                yield Failing(ABSENCES, f"{record.stream}, event {record.n}: {wrong}")


class FoldedTour:
    """Who is paused in a tour, and which of its matches are left."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sides: list[tuple[int, ...]] = []  # by match
        self._waiting: set[int] = set()
        self._running: set[int] = set()
        self._gone: set[int] = set()  # entrants that are paused or out
        self._lost: dict[int, Micros] = {}  # when an entrant last lost a match by its absence
        self._back: dict[int, Micros] = {}  # when an entrant was last back

    def take(self, event: events.TourWord, at: Micros) -> Iterator[str]:
        """Follow an event, and say what is wrong with it."""
        match event:
            case events.EntrantPaused(one):
                yield from self._paused(one, at)
            case events.EntrantResumed(one):
                self._gone.discard(one)
                self._back[one] = at
            case events.Withdrawn(one):
                self._gone.add(one)
            case events.Paired(fixtures):
                first = len(self._sides) + 1
                self._waiting.update(range(first, first + len(fixtures)))
                self._sides += [fixture.sides for fixture in fixtures]
            case events.MatchWord(match):
                self._waiting.discard(match)
                self._running.discard(match)
                yield from self._went_on(event, at)
            case _:
                pass

    def _paused(self, one: int, at: Micros) -> Iterator[str]:
        back = self._back.get(one)
        if back is not None and at < back + self._plan.absent - GRAIN:
            yield f"entrant {one} is paused after {at - back} µs"
        self._gone.add(one)

    def _went_on(self, event: events.MatchWord, at: Micros) -> Iterator[str]:
        match event:
            case events.MatchBegun(number):
                self._running.add(number)
            case events.MatchVoided(number):
                self._waiting.add(number)
            case events.MatchEnded(number, result) if result.how == ABSENT:
                for side in result.forfeits:
                    yield from self._forfeits(number, self._sides[number - 1][side], at)
            case _:
                pass

    def _forfeits(self, number: int, one: int, at: Micros) -> Iterator[str]:
        before = self._lost.get(one)
        self._lost[one] = at
        left = self._running or any(
            self._gone.isdisjoint(self._sides[n - 1]) for n in self._waiting
        )
        if left and before is not None and at < before + self._plan.absent - GRAIN:
            yield f"entrant {one} loses match {number} {at - before} µs after another"
