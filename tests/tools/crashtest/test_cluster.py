"""The crash test of a cluster, in small: each end of a leader once, and other trouble before it."""

from pathlib import Path

from rookery.cli.bot import PILOTS
from rookery_tools.crashtest.cluster.engines import our_engines
from rookery_tools.crashtest.cluster.machine import ENDS
from rookery_tools.crashtest.cluster.run import run_cluster
from tests.effort import MEMORY
from tests.postgres import needs_postgres
from tests.server.cluster import needs_broker


@needs_broker
@needs_postgres
def test_leaders_and_engines_die_and_nothing_is_lost_and_who_asks_nothing_stays(
    tmp_path: Path,
) -> None:
    with our_engines(Path(MEMORY or tmp_path)) as another:
        report = run_cluster(len(ENDS), 3, tmp_path, another, lambda _: None)
    assert report.all_failings == []
    (day,) = report.days
    assert day.kills == sum(day.troubles.values()) == len(ENDS)
    assert set(day.takeovers) == set(ENDS.values())
    assert set(day.by_language) == set(PILOTS)
    assert day.judged["charges"] == day.moves > 0
