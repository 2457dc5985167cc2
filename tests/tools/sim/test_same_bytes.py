"""The same seed gives the same world, to the byte, whichever Python runs it.

What it does with its hashes changes nothing, and its version neither: `ROOKERY_PYTHONS` names
others that have what Rookery needs, with colons between.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from rookery_tools.sim.many import WorldOutcome, run_world

SEEDS = (5, 14)  # with deaths in them
MANY = 38  # of which there are many processes
ROOT = Path(__file__).parents[3]
SOURCES = [ROOT / "src", ROOT / "tools"]
OTHERS = os.environ.get("ROOKERY_PYTHONS", "").split(os.pathsep)
NONE = "No other Python is known that has what Rookery needs: ROOKERY_PYTHONS can name some."
PROGRAM = (
    "import sys; from rookery_tools.sim.many import run_world;"
    "print(run_world(int(sys.argv[1])).digest)"
)


@cache
def known(seed: int) -> WorldOutcome:
    """A world that was run once for all tests."""
    return run_world(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_runs_of_a_seed_are_the_same_to_the_byte(seed: int) -> None:
    assert run_world(seed) == known(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_pythons_sets_changes_nothing(seed: int) -> None:
    digests = set()
    for hashes in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hashes}
        command = [sys.executable, "-c", PROGRAM, str(seed)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        digests.add(run.stdout)
    assert digests == {known(seed).digest + "\n"}


@pytest.mark.skipif(which(OTHERS[0]) is None, reason=NONE)
@pytest.mark.parametrize("python", OTHERS)
def test_another_python_makes_the_same_world(python: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
    for seed in (SEEDS[0], MANY):
        command = [python, "-c", PROGRAM, str(seed)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert run.stdout == known(seed).digest + "\n"


def test_the_server_waits_in_a_way_that_is_the_same_in_every_python() -> None:
    # `wait_for` was written anew in 3.12, and takes other turns of the loop since.
    house = ROOT / "src" / "rookery"
    files = [*house.glob("server/**/*.py")]
    assert [file.name for file in files if "wait_for(" in file.read_text()] == []


def test_another_seed_is_another_world() -> None:
    assert known(SEEDS[0]).digest != known(SEEDS[1]).digest
