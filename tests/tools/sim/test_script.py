"""Scripts: what came late to them is drawn apart, and where it belongs."""

from collections import Counter

from rookery_tools.sim.script import GIVEN_UP, draw_script

DEEP = ("hall written", "edge lost")


def test_what_nobody_meets_by_chance_is_in_a_share_of_the_worlds_of_many_processes() -> None:
    found, many = Counter[str](), 0
    for script in map(draw_script, range(1, 401)):
        many += bool(script.edges)
        for fault in script.faults:
            if fault.kind in DEEP:
                assert script.edges, "one process has neither"
                found[fault.kind] += 1
    assert all(many // 5 < found[kind] < many // 2 for kind in DEEP)


def test_an_edge_is_lost_for_longer_than_a_grace_of_its_people() -> None:
    for script in map(draw_script, range(1, 401)):
        least = GIVEN_UP + min(fare.grace for fare in script.fares)
        assert all(one.lasts > least for one in script.faults if one.kind == "edge lost")


def test_faults_come_in_their_order() -> None:
    for script in map(draw_script, range(1, 101)):
        assert [one.at for one in script.faults] == sorted(one.at for one in script.faults)
