"""Two ways to run a command in a test: inside this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping

from click.testing import CliRunner, Result

from rookery.cli import rookery


def run(*words: str) -> Result:
    """The command run in this process: quick, and enough for most claims."""
    return CliRunner().invoke(rookery, words, catch_exceptions=False)


def run_process(
    *words: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command run as people run it."""
    return subprocess.run(
        [sys.executable, "-m", "rookery", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(env or {})},
        check=False,
    )
