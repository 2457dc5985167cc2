"""What a crash test was like, in lines for people."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery_tools.bench.figures import percentile
from rookery_tools.crashtest.run import CrashtestReport
from rookery_tools.sim.observer.verdict import Failing

KIND_MAX: Final = 100  # letters of a complaint by which it is told from others

_NUMBERS: Final = re.compile(r"\d+")


def report_lines(report: CrashtestReport, seconds: float) -> Iterator[str]:
    """A line for each thing there is to know."""
    days = report.days
    kills = sum(day.kills for day in days)
    yield f"{kills} kills in {len(days)} days and {seconds / 60:.1f} minutes"
    troubles = sum((day.troubles for day in days), Counter[str]())
    yield f"other trouble: {_counted(troubles)}"
    yield (
        f"{sum(day.moves for day in days)} moves at {sum(day.tables for day in days)} tables, "
        f"{sum(day.tours for day in days)} tours, {sum(day.lines for day in days)} connections, "
        f"{sum(day.http for day in days)} answers over HTTP, {sum(day.records for day in days)} "
        "records"
    )
    yield f"judged: {_counted(sum((day.judged for day in days), Counter[str]()))}"
    yield f"boards by language: {_counted(sum((day.by_language for day in days), Counter[str]()))}"
    restarts = sorted(took for day in days for took in day.restarts)
    took = "until another hall led it" if any(day.takeovers for day in days) else "a restart"
    yield f"{took} took {_seconds(restarts, 50)} s, one in a hundred {_seconds(restarts, 99)} s"
    for how in sorted({how for day in days for how in day.takeovers}):
        times = sorted(one for day in days for one in day.takeovers.get(how, ()))
        least, middle, most = (_seconds(times, part) for part in (0, 50, 100))
        yield f"  {how}: {len(times)} times, {least} to {most} s, {middle} s in the middle"
    ends = max((day.ended_in for day in days), default=0.0)
    yield f"when nobody was killed any more, everything ended within {ends:.1f} s"
    if report.images:
        yield f"{report.images} power cuts, {report.checkpoints} of them in a checkpoint"
    if report.without:
        yield f"not tried: {report.without}"
    yield f"wrong: {len(report.all_failings)}"
    kinds = Counter(map(kind_of, report.all_failings))
    yield from (f"WRONG  {count} times, {kind}" for kind, count in kinds.most_common())


def kind_of(failing: Failing) -> str:
    """The kind of a complaint, to count those alike: its judgement, and words without numbers."""
    words = " ".join(_NUMBERS.sub("#", failing.sentence).split())
    return f"{failing.judgement}: {words[:KIND_MAX]}"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.most_common()) or "none"


def _seconds(times: Sequence[Micros], percent: int) -> str:
    if not times:
        return "-"
    return f"{percentile(times, percent) / MICROS_A_SECOND:.2f}"
