"""Worlds of many seeds, in which nothing may be wrong; and some that once found something.

`ROOKERY_WORLDS=10000` in the environment runs that many; `rookery sim` shows more of them.
"""

import os
from pathlib import Path

import msgspec
import pytest

from rookery.sim.many import run_script, run_some
from rookery.sim.script import Script

WORLDS = int(os.environ.get("ROOKERY_WORLDS", "120"))
PARTS = 8  # each a test of its own, so that they can be run beside each other

# Scripts of worlds that once found something, each under what it found. A seed would be another
# world as soon as scripts are drawn otherwise.
FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_wrong_in_any_world(part: int) -> None:
    outcomes = run_some(tuple(range(part, WORLDS, PARTS)))
    assert {outcome.seed: outcome.failings for outcome in outcomes if outcome.failings} == {}
    assert sum(outcome.counts["moves"] for outcome in outcomes) > 100, "people play"
    assert sum(outcome.counts["restarts"] for outcome in outcomes) > 0, "and servers die"


@pytest.mark.parametrize("found", FOUND, ids=lambda path: path.stem)
def test_what_a_world_found_is_mended(found: Path) -> None:
    script = msgspec.json.decode(found.read_bytes(), type=Script)
    _, failings = run_script(script)
    assert failings == []
