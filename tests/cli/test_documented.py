"""Every command that a page or a template tells people to type is one that is understood.

What is looked at are commands, options and how many arguments there are; values are the page's.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from rookery.cli import rookery

ROOT = Path(__file__).parents[2]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\s*(?:\.venv/bin/)?rookery (.*)$", re.MULTILINE)


def told() -> list[tuple[str, str]]:
    """All such lines, and where they stand."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    pages += (ROOT / "src" / "rookery" / "templates").rglob("*.txt")
    found = []
    for page in sorted(pages):
        for block in SHELL.findall(page.read_text("utf-8").replace("\\\n", " ")):
            lines = [line for line in COMMAND.findall(block) if "[" not in line]
            found += [(line, str(page.relative_to(ROOT))) for line in lines]
    return found


def test_there_are_commands_to_look_at() -> None:
    assert len(told()) > 50


@pytest.mark.parametrize(("line", "page"), told())
def test_a_command_that_is_told_is_understood(line: str, page: str) -> None:
    words = shlex.split(re.sub(r"\s[|>&<].*", "", line), comments=True)
    command: click.Command = rookery
    name = "rookery"
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0).replace("@name@", "nim")
        inner = command.get_command(click.Context(command), name)
        assert inner is not None, f"{page}: there is no {name}"
        command = inner
    # Parsed and no more: what options do (`--with` loads a file) is not done.
    _, left, _ = command.make_parser(click.Context(command)).parse_args(words)
    assert left == []
