"""The group itself: help, version, laziness, and how everything ends."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rookery import __version__
from rookery.cli import COMMANDS, TOOLS, Overview, rookery
from tests.cli.running import run, run_process

ALL = COMMANDS | TOOLS  # as a checkout has them
HEAVY = ("rookery.games", "rookery_tools", "rich", "msgspec", "chess")


def test_help_shows_every_command_with_its_line() -> None:
    shown = run("--help").output
    for name, entry in ALL.items():
        assert re.search(rf"^  {name} +{re.escape(entry.line)}$", shown, re.MULTILINE)


@pytest.mark.parametrize("name", ALL)
def test_the_overview_says_the_same_as_the_command_itself(name: str) -> None:
    command = rookery.get_command(rookery.make_context("rookery", ["games"]), name)
    assert command is not None
    assert command.short_help == ALL[name].line


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_a_help_of_its_own(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: rookery {name} ")


@pytest.mark.parametrize("words", [[], ["-h"], ["games", "-h"]])
def test_a_short_h_or_nothing_shows_help_too(words: list[str]) -> None:
    assert run(*words).output.startswith("Usage: rookery ")


def test_version_is_the_packages() -> None:
    assert run("--version").output == f"rookery {__version__}\n"


def test_the_overview_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from rookery.cli import rookery\n"
        "rookery(['--help'], standalone_mode=False)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fly"], "No such command 'fly'."),
        (["ply"], "No such command 'ply'. Did you mean 'play'?"),
        (["watch", "x"], "Invalid value for 'TABLE': 'x' is not a valid number."),
        (["games", "--loud"], "No such option '--loud'."),
        (["perft", "reversi"], "Missing option '-d' / '--depth'."),
        (["perft", "chess", "--depth", "2"], "There is no game 'chess';"),
    ],
)
def test_a_wrong_command_gets_one_sentence_and_exit_code_2(words: list[str], sentence: str) -> None:
    done = run_process(*words)
    assert f"Error: {sentence}" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert done.returncode == 2


def test_what_fails_in_the_world_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "match"
    result = run("match", "3", "4", "--game", "nim", "--out", str(folder))
    assert result.stderr == f"Error: {folder}: Not a directory.\n"
    assert result.exit_code == 1


def test_a_mistake_is_one_line_on_standard_error_and_nothing_else() -> None:
    result = run("perft", "reversi", "--size", "7", "--depth", "1")
    assert result.stderr == "Error: A board is an even size from 4 to 26, not 7.\n"
    assert result.stdout == ""
    assert result.exit_code == 2


@pytest.mark.parametrize(
    "words", [["--help"], ["games"], ["games", "--json"], ["perft", "reversi", "--depth", "3"]]
)
def test_a_closed_pipe_is_quiet(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rookery", *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 1


def test_ctrl_c_ends_quietly_with_130() -> None:
    # A shell may have started the tests deaf to Ctrl-C, and children inherit that.
    script = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from rookery.cli import main\n"
        "main()\n"
    )
    words = ["perft", "reversi", "--depth", "100"]
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "depth 1: 4\n"
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
    assert errors == ""
    assert process.returncode == 130


def test_a_command_that_is_not_in_the_table_is_none() -> None:
    assert isinstance(rookery, Overview)
    assert rookery.get_command(rookery.make_context("rookery", ["games"]), "fly") is None


def test_serve_wants_a_port_that_exists() -> None:
    assert run("serve", "--port", "65536").exit_code == 2
