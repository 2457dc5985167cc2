"""A short run of hostile bytes for every dialect; `make fuzz` is the long one."""

import pytest

from rookery.dialects import DIALECTS
from tests.fuzz.feeding import feed

RUNS = 60


@pytest.mark.parametrize("name", DIALECTS)
def test_hostile_bytes_break_nothing(name: str) -> None:
    assert sum(feed(name, seed) for seed in range(RUNS)) > RUNS


def test_the_same_seed_says_the_same() -> None:
    assert feed("native", 7) == feed("native", 7)
