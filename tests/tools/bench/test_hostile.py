"""Floods are judged slice by slice: what the machine does besides is no flood's doing."""

from rookery_tools.bench.hostile.hostile import Slice, summed

MILLI = 1_000_000


def a_slice(alone: int, beside: int) -> Slice:
    """Answers that all took so many milliseconds, but one in fifty, which took twice as long."""
    one, other = ([time * MILLI] * 98 + [2 * time * MILLI] * 2 for time in (alone, beside))
    return Slice(one, other, [3 * MILLI], 50.0)


def test_a_machine_that_was_busy_for_some_slices_changes_no_verdict() -> None:
    quiet, busy = a_slice(1, 1), a_slice(20, 20)
    found = summed("pings", [quiet, busy, quiet, busy, quiet])
    assert (found.ratio, found.ratios, found.within) == (1.0, (1.0, 1.0), True)


def test_a_flood_that_trebles_the_slowest_answers_is_seen_through_one_lucky_slice() -> None:
    found = summed("pings", [a_slice(1, 3), a_slice(10, 30), a_slice(9, 1)])
    assert (found.ratio, found.within) == (3.0, False)
    assert found.ratios[0] < 1 < found.ratios[1]


def test_the_slowest_answers_are_those_of_each_slice() -> None:
    found = summed("pings", [a_slice(1, 2), a_slice(1, 2), a_slice(1, 2)])
    assert (found.p50, found.p99, found.flooded_p50, found.flooded_p99) == (1000, 2000, 2000, 4000)
    assert (found.newcomer, found.flood_a_second, found.slices) == (3000, 50, 3)
    assert found.moves == 300
