"""`--with` and `rookery plugins`, as people type them."""

from pathlib import Path

import pytest

from rookery.cli import COMMANDS
from tests.cli.running import run, run_process
from tests.plugins.toys import own_registries, toy

GROUPS = ("moderate", "store", "tour")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in GROUPS])
def test_every_command_takes_plug_ins(name: str) -> None:
    assert "--with FILE" in run(name, "--help").output


def test_commands_of_groups_take_plug_ins() -> None:
    assert "--with FILE" in run("moderate", "mute", "--help").output
    assert "--with FILE" in run("store", "copy", "--help").output
    assert "--with FILE" in run("tour", "create", "--help").output


def test_a_game_of_a_file_is_counted_listed_and_named(tmp_path: Path) -> None:
    file = str(toy(tmp_path))
    with own_registries():
        assert "depth 2: 4" in run("perft", "heap", "--depth", "2", "--with", file).output
        assert "Take one or two" in run("games", "--with", file).output
        listed = " ".join(run("plugins", "--with", file).output.split())
        assert "game heap" in listed


def test_what_is_left_out_is_said_on_standard_error_and_the_command_goes_on(
    tmp_path: Path,
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import sys\nprint('noise')\nsys.exit(7)\n")
    done = run_process("games", "--json", "--with", str(broken))
    assert done.returncode == 0
    assert done.stdout.startswith("[")
    assert done.stderr == (f"noise\nLeft out {broken}: it ends the process when it is imported.\n")
    listed = run_process("plugins", "--with", str(broken))
    assert "left out" in listed.stdout


def test_two_levels_play_a_match_of_it_in_processes_of_their_own(tmp_path: Path) -> None:
    done = run_process(
        "match", "1", "2", "--game", "heap", "--games", "2", "--with", str(toy(tmp_path))
    )
    assert done.returncode == 0, done.stderr
    assert "2 games" in done.stdout
