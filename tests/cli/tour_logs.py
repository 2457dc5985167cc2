"""Logs of tours to look into: one that was played, and what changes one record of it."""

from collections.abc import Callable

from msgspec.structs import replace

from rookery.core.events import LogEvent, Record
from rookery.core.tour_values import Plan
from rookery.verify.log import check_log
from rookery_tools.sim.observer.tours.judging import tour_problems
from tests.hall.contest import NIM, Contest, house_of_tours

Change = Callable[[Record], Record | None]


def sentences(log: list[Record]) -> list[str]:
    """What `rookery verify` says of this log."""
    return [problem.sentence for problem in check_log(log)]


def judged(log: list[Record]) -> list[str]:
    """What the judge of made-up worlds says of the tours of this log."""
    return [problem.sentence for problem in tour_problems(log)]


def contest(plan: Plan | None = None) -> Contest:
    """A tour of ann, bob and cid that has not begun."""
    begun = Contest(house_of_tours(), plan or Plan(NIM), "DEN")
    begun.join("ann", "bob", "cid")
    return begun


def played() -> list[Record]:
    """A whole tour: 46 records, the matches a second apart."""
    whole = contest()
    whole.start()
    while whole.running():
        whole.house.wait(1)
        whole.play_on(1)
    return whole.house.log


def changed(log: list[Record], stream: str, n: int, change: Change) -> list[Record]:
    """The log with one event as `change` makes it; None drops it."""
    made = [change(r) if (r.stream, r.n) == (stream, n) else r for r in log]
    return [record for record in made if record is not None]


def with_event(event: LogEvent) -> Change:
    return lambda record: replace(record, event=event)
