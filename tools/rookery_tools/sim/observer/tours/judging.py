"""Judges the tours of a log, beside their tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rookery.core import events
from rookery.core.events import TourWord, tour_of
from rookery.core.ids import Micros, TableId
from rookery.dialects import LANGUAGES
from rookery.hall.people.players import PersonEvent, PlayerRegistry
from rookery.hall.tables.table import Table
from rookery.verify.log import LogProblem, check_log
from rookery.verify.tables import Violation, begin, follow
from rookery_tools.sim.observer.tours.audit import TourAudit
from rookery_tools.sim.observer.verdict import Failing

LOG: Final = "a replay says the same"
TOURS: Final = "tours go by their rules"


def judge_log(records: Sequence[events.Record]) -> Iterator[Failing]:
    """Judge what a log says by itself: by replaying it, and its tours by their law as well."""
    sound = True
    for problem in check_log(records):
        sound = False
        yield Failing(LOG, f"{problem.stream}: {problem.sentence}")
    for problem in tour_problems(records) if sound else ():
        yield Failing(TOURS, f"{problem.stream}: {problem.sentence}")


def tour_problems(records: Iterable[events.Record]) -> Iterator[LogProblem]:
    """All that cannot have happened in the tours of a log, or between them and their tables."""
    players = PlayerRegistry(LANGUAGES)
    tables: dict[TableId, Table | None] = {}
    audit = TourAudit(tables, players)
    for record in records:
        yield from _missing(audit, record.at)
        event = record.event
        table, tour = events.table_of(record.stream), tour_of(record.stream)
        try:
            if isinstance(event, events.TourDone):
                audit.done(event)
            elif isinstance(event, PersonEvent):
                players.evolve(event)
            elif tour is not None and isinstance(event, TourWord):
                audit.take(record, tour, event)
            elif table is not None:
                assert isinstance(event, events.TableEvent), "a table's stream has its events"
                before = tables.get(table)
                tables[table] = follow(before, event) if before else _begin(table, record, event)
                audit.at_table(record, table, event)
        except Violation as wrong:
            yield _problem(record, str(wrong))
            if table is not None:
                tables[table] = None
            if tour is not None:
                audit.give_up(tour)
    yield from _missing(audit, None)


def _begin(table: TableId, record: events.Record, event: events.TableEvent) -> Table | None:
    return begin(table, event) if record.n == 1 else None


def _missing(audit: TourAudit, at: Micros | None) -> Iterator[LogProblem]:
    """Problems for records that should have come before this moment (None: the log's end)."""
    return (_problem(owed.record, owed.sentence) for owed in audit.overdue(at))


def _problem(record: events.Record, sentence: str) -> LogProblem:
    return LogProblem(record.seq, record.stream, record.n, sentence)
