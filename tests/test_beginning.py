"""How tests are dealt to workers."""

import pytest

from tests.beginning import dealt

BROWSER = [f"tests/browser/test_page.py::test_{n}" for n in range(4)]
SIM = [f"tests/tools/sim/test_worlds.py::test[{n}]" for n in range(5)]
SERVER = [f"tests/server/test_tcp.py::test_{n}" for n in range(7)]
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


def test_who_waits_for_processes_is_dealt_to_all_between() -> None:
    names = [*BROWSER, *SERVER, *SIM, *SHORT[:24]]
    order = [names[n] for n in dealt(names, 4)]
    assert [order[place : place + 4] for place in (0, 30)] == [BROWSER, SIM[:4]]
    assert (order[10:13], order[20:24]) == (SERVER[:3], SERVER[3:])
    assert sorted(order) == sorted(names)


def test_where_workers_are_many_two_of_them_begin_with_browsers() -> None:
    names = [*BROWSER, *SERVER, *SIM, *SHORT[:24]]
    order = [names[n] for n in dealt(names, 5)]
    assert [order[place : place + 2] for place in (0, 8)] == [BROWSER[:2], BROWSER[2:]]
    assert (order[16:19], order[24:28], order[32:37]) == (SERVER[:3], SERVER[3:], SIM)
    assert sorted(order) == sorted(names)
