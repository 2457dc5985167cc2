"""Worlds of many seeds, in which nothing may be wrong.

`ROOKERY_WORLDS=10000` in the environment runs that many; `rookery sim` shows more of them.
What a world finds is kept as a test of its own where it was mended: a seed is another world as
soon as people do otherwise.
"""

import os

import pytest

from rookery_tools.sim.many import run_some

WORLDS = int(os.environ.get("ROOKERY_WORLDS", "48"))
PARTS = 8  # each a test of its own, so that they can be run beside each other


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_wrong_in_any_world(part: int) -> None:
    outcomes = run_some(tuple(range(part, WORLDS, PARTS)))
    assert {outcome.seed: outcome.failings for outcome in outcomes if outcome.failings} == {}
    assert sum(outcome.counts["moves"] for outcome in outcomes) > 100, "people play"
    assert sum(outcome.counts["restarts"] for outcome in outcomes) > 0, "and servers die"
