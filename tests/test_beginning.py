"""How tests are dealt to workers."""

import pytest

from tests.beginning import dealt

BROWSER = [f"tests/browser/test_page.py::test_{n}" for n in range(4)]
SIM = [f"tests/sim/test_worlds.py::test[{n}]" for n in range(5)]
SHORT = [f"tests/core/test_ids.py::test_{n}" for n in range(30)]
NAMES = [*BROWSER, *SHORT[:20], *SIM, *SHORT[20:]]


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_every_test_is_dealt_once(workers: int) -> None:
    assert sorted(dealt(NAMES, workers)) == list(range(len(NAMES)))


def test_long_tests_stand_at_the_head_of_a_worker_s_piece() -> None:
    order = [NAMES[n] for n in dealt(NAMES, 3)]
    assert order[:4] == BROWSER
    assert order[26:31] == SIM
    assert order[4:26] + order[31:] == SHORT
