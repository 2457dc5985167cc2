"""Mistakes that the server does not make are found when it makes them.

Here each is looked for in few worlds; `make sim` looks for all of them, and says in how many
worlds each was found.
"""

import os
from itertools import count

import pytest

from rookery.sim.many import run_world
from rookery.sim.mutations import MUTATIONS

QUICK = (
    *("tell-early", "lose-last", "tell-backwards", "leak-move", "forget-flags", "charge-way"),
    *("claim-too-much", "ask-again"),
)
ALL = bool(os.environ.get("ROOKERY_MUTATIONS"))
MOST = 400  # worlds in which a mistake must show


@pytest.mark.parametrize("name", sorted(MUTATIONS) if ALL else QUICK)
def test_a_mistake_is_found(name: str) -> None:
    found = next(n for n in count(1) if n > MOST or run_world(n, name).failings)
    assert found <= MOST, f"not in {MOST} worlds"
