"""A short run of hostile bytes for every dialect, and of hostile wishes; `make fuzz` is longer."""

import pytest

from rookery.dialects import DIALECTS
from tests.fuzz.bound import bound
from tests.fuzz.feeding import feed
from tests.fuzz.wishes import wish

RUNS = 60


@pytest.mark.parametrize("name", DIALECTS)
def test_hostile_bytes_break_nothing(name: str) -> None:
    assert sum(feed(name, seed) for seed in range(RUNS)) > RUNS


@pytest.mark.parametrize("name", DIALECTS)
def test_hostile_bytes_in_tours_break_nothing(name: str) -> None:
    assert sum(bound(name, seed) for seed in range(RUNS // 2)) > RUNS


def test_hostile_wishes_break_nothing() -> None:
    assert sum(wish(seed) for seed in range(RUNS)) > 50 * RUNS


def test_the_same_seed_says_the_same() -> None:
    assert feed("native", 7) == feed("native", 7)
