"""Worlds of many seeds, in each of which nothing may be wrong; and seeds that once found something.

`ROOKERY_WORLDS=10000` in the environment runs that many; `rookery sim` shows more of them.
"""

import os

import pytest

from rookery.sim.many import run_some, run_world

WORLDS = int(os.environ.get("ROOKERY_WORLDS", "120"))
PARTS = 8  # each a test of its own, so that they can be run beside each other

# What each found when it failed, and what was mended then.
FOUND = {
    238: "a disk that could not be read for a moment left a stream damaged for ever",
}


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_wrong_in_any_world(part: int) -> None:
    outcomes = run_some(tuple(range(part, WORLDS, PARTS)))
    assert {outcome.seed: outcome.failings for outcome in outcomes if outcome.failings} == {}
    assert sum(outcome.counts["moves"] for outcome in outcomes) > 100, "people play"
    assert sum(outcome.counts["restarts"] for outcome in outcomes) > 0, "and servers die"


@pytest.mark.parametrize("seed", FOUND)
def test_what_a_seed_found_is_mended(seed: int) -> None:
    assert run_world(seed).failings == ()
