"""What is outside of a test does not reach it: folder, environment, home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm import ended

ROOT = Path(__file__).parents[1]


def test_the_working_folder_and_the_home_are_empty_and_not_the_users() -> None:
    assert Path.cwd() != ROOT
    assert list(Path.cwd().iterdir()) == []
    assert Path.home().is_dir()
    assert not Path.home().is_relative_to(ROOT)


def test_a_command_of_a_test_starts_where_the_test_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = ended("new", "game", "connect4", env=os.environ)
    assert made.returncode == 0, made.stderr
    assert [found.name for found in tmp_path.iterdir()] == ["connect4"]


def test_settings_of_a_server_in_the_shell_or_the_home_change_no_test(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".config").mkdir(parents=True)
    (home / ".pythonrc").write_text("raise SystemExit(1)")
    dirty = os.environ | {
        "HOME": str(home),
        "ROOKERY_PORT": "nonsense",
        "ROOKERY_TOKEN": "nobody",
        "ROOKERY_DATA": str(tmp_path / "nowhere"),
        "ROOKERY_HOUSE": "nonsense",
        "NO_COLOR": "",
        "FORCE_COLOR": "1",
        "COLUMNS": "20",
        "LC_ALL": "tr_TR.UTF-8",
        "PYTHONSTARTUP": str(home / ".pythonrc"),
    }
    some = [f"tests/cli/test_{name}.py" for name in ("games", "tour_terms", "tour_by_hand")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *some]
    done = subprocess.run(
        command, cwd=ROOT, env=dirty, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
