"""Commands that installed packages bring, and the sentence of those that are not there."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rookery import cli
from rookery.cli import COMMANDS, GROUP, TOOLS
from tests.cli.running import run

MODULE = """
import click

@click.command()
def fly():
    "Fly."
    click.echo("It flies.")

number = 7
"""


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Brings":
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "flying.py").write_text(MODULE)
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(7)\n")
    return Brings(monkeypatch)


class Brings:
    """Lets packages bring these commands alone."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, **points: str) -> None:
        found = [EntryPoint(name, value, GROUP) for name, value in points.items()]
        self._patch.setattr(cli, "entry_points", lambda group: found if group == GROUP else [])


def test_a_command_of_a_package_is_listed_and_run(brings: Brings) -> None:
    brings(fly="flying:fly")
    shown = run("--help").output
    assert "Plug-ins:\n  fly    From flying.\n" in shown
    assert run("fly").output == "It flies.\n"
    assert "--with FILE" in run("fly", "--help").output
    assert "Did you mean 'fly'?" in run("fyl").output


def test_the_overview_imports_no_command_of_a_package(brings: Brings) -> None:
    brings(leave="leaving:command", gone="nowhere.at.all:command")
    shown = run("--help")
    assert shown.exit_code == 0
    assert "gone     From nowhere.at.all." in shown.output


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("nowhere:command", "does not load: No module named 'nowhere'."),
        ("flying:land", "does not load: module 'flying' has no attribute 'land'."),
        ("leaving:command", "does not load: 7."),
        ("flying:number", "is none of click's."),
    ],
)
def test_a_command_that_does_not_load_is_a_sentence(brings: Brings, value: str, why: str) -> None:
    brings(fly=value)
    result = run("fly")
    package = value.partition(":")[0]
    assert result.stderr == f"Error: The command 'fly' of {package} {why}\n"
    assert result.exit_code == 2


def test_no_package_replaces_a_command_of_ours(brings: Brings) -> None:
    brings(games="flying:fly")
    assert "It flies." not in run("games").output
    assert run("--help").output.count("\n  games ") == 1


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_where_to_get_it_where_it_is_not(brings: Brings, name: str) -> None:
    brings()
    result = run(name, "--whatever")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"Error: `rookery {name}` is a tool for Rookery's own development: "
        "get a checkout of its repository, and run `make setup` there.\n"
    )
    assert f"\n  {name} " not in run("--help").output


def test_a_checkout_has_all_tools_and_they_stand_with_what_measures() -> None:
    shown = run("--help").output
    measures = shown.partition("\nMeasure:\n")[2].partition("\n\n")[0]
    names = [line.split()[0] for line in measures.splitlines()]
    assert names == ["perft", *TOOLS]
    assert not TOOLS.keys() & COMMANDS.keys()
