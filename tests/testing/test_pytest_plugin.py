"""Laws as tests of somebody else's package: one test for each, and a report that can be read."""

import subprocess
import sys
from pathlib import Path

TEST = """
import pytest
from rookery.games.nim import Nim
from tests.laws.broken import Pile


@pytest.mark.laws_of(Nim(sticks=(2, 1)), effort="quick")
def test_nim(law):
    law()


@pytest.mark.laws_of(Pile("crashes"), effort="quick")
def test_pile(law):
    law()
"""
ROOT = Path(__file__).parent.parent.parent


def test_a_test_that_takes_a_law_is_run_for_each(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TEST)
    words = ["-q", "--strict-markers", "-p", "no:cacheprovider", "-p", "no:rookery"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "-p", "rookery.testing.pytest_plugin", tmp_path],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "FAILED test_mine.py::test_pile[a_move_that_is_not_legal_here_is_refused" in done.stdout
    assert "test_nim" not in done.stdout
    assert "E         of:       pile fault=crashes for 2" in done.stdout
    assert "KeyError: 2 (in play," in done.stdout
