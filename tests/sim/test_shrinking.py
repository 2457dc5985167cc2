"""Smaller scripts with the same failure."""

from rookery.sim.many import run_script
from rookery.sim.script import draw_script
from rookery.sim.shrinking import fewer, shrink
from rookery.sim.story import tell


def test_what_is_not_needed_is_left_out() -> None:
    assert fewer(range(100), lambda some: {17, 60} <= set(some)) == [17, 60]
    assert list(fewer(range(3), lambda _: True)) == []


def test_a_failing_world_is_shrunk_and_told() -> None:
    script = draw_script(2)
    _, failings = run_script(script, "tell-early")
    smaller = shrink(script, failings[0].judgement, "tell-early")
    assert len(smaller.people) + len(smaller.faults) < len(script.people) + len(script.faults)
    day, failings = run_script(smaller, "tell-early")
    story = list(tell(day, failings, wires=True))
    assert story[0].startswith("The world of seed 2")
    assert story[-1].startswith("WRONG, nobody hears what is not safe")
    assert any(" hears " in line for line in story)
