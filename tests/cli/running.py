"""Two ways to run a command in a test: inside this process, or as a process of its own."""

import os
import subprocess
from collections.abc import Mapping

from click.testing import CliRunner, Result

from rookery.cli import rookery
from tests.warm import ended


def run(*words: str) -> Result:
    """The command run in this process: quick, and enough for most claims."""
    return CliRunner().invoke(rookery, words, catch_exceptions=False)


def run_process(
    *words: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command run as people run it, but for the time it takes to import all it needs."""
    return ended(*words, env={**os.environ, **(env or {})})
