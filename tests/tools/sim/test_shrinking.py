"""Smaller scripts with the same failure."""

import pytest
from click.testing import CliRunner

from rookery_tools.sim.command import command
from rookery_tools.sim.script import draw_script
from rookery_tools.sim.shrinking import fewer


def test_what_is_not_needed_is_left_out() -> None:
    assert fewer(range(100), lambda some: {17, 60} <= set(some)) == [17, 60]
    assert list(fewer(range(3), lambda _: True)) == []


def test_a_failing_world_is_shrunk_and_told(capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("--seed", "2", "--mutation", "tell-early", "--shrink", "--wires")
    assert CliRunner().invoke(command, asked).exit_code == 1
    story = capfd.readouterr().out.splitlines()
    script = draw_script(2)
    assert story[0].startswith("The world of seed 2")
    assert sum(" speaks " in line for line in story) < len(script.people)
    assert story[-1].startswith("WRONG, nobody hears what is not safe")
    assert any(" hears " in line for line in story)
