"""Where Rookery was installed from its wheel, there are no tools, and it says where they are."""

from pathlib import Path
from zipfile import ZipFile

from tests.outside import Outside

TOOLS = ("rookery_tools", "sim", "bench", "crashtest", "strength", "mutants")


def test_no_tool_is_in_the_wheel(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "rookery/cli/commands/perft.py" in names
    folders = {part for name in names if name.endswith(".py") for part in Path(name).parts[:-1]}
    assert folders.isdisjoint(TOOLS)


def test_a_tool_says_where_to_get_it(outside: Outside) -> None:
    assert "depth 1: 4" in outside.run("perft", "reversi", "--depth", "1")
    assert "\n  bench " not in outside.run("--help")
    said = outside.refused("bench")
    assert said.startswith("Error: `rookery bench` is a tool for Rookery's own development")
    assert len(said.splitlines()) == 1
