"""The same seed gives the same world, to the byte, whatever Python does with its hashes.

On another version of Python it is another world: asyncio itself takes other steps there.
"""

import os
import subprocess
import sys

import pytest

from rookery.sim.many import run_world

SEEDS = (5, 14)  # with deaths in them
PROGRAM = (
    "import sys; from rookery.sim.many import run_world; print(run_world(int(sys.argv[1])).digest)"
)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_runs_of_a_seed_are_the_same_to_the_byte(seed: int) -> None:
    first, second = run_world(seed), run_world(seed)
    assert first == second


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_pythons_sets_changes_nothing(seed: int) -> None:
    digests = set()
    for hashes in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hashes}
        command = [sys.executable, "-c", PROGRAM, str(seed)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        digests.add(run.stdout)
    assert digests == {run_world(seed).digest + "\n"}


def test_another_seed_is_another_world() -> None:
    assert run_world(SEEDS[0]).digest != run_world(SEEDS[1]).digest
