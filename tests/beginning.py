"""What each worker begins with, so that nobody waits in the end for the last long test.

Workers are dealt equal pieces of the list, and who is done takes the back half of what
another has left. So long tests stand at the head of the pieces, each kind in one of them:
the browser is started by one worker, and what is left to be taken over is short.
"""

from collections.abc import Sequence
from typing import Final

# Beginnings of tests' names, by what they wait for: pages, processes, or nothing.
LONG: Final = (
    ("tests/browser/",),
    ("tests/server/", "tests/cli/", "tests/plugins/", "tests/testing/"),
    (
        "tests/sim/",
        "tests/bench/",
        "tests/laws/test_store_laws",
        "tests/laws/test_hall_laws",
        "tests/laws/test_catalogue_laws",
        "tests/laws/test_damage_laws",
        "tests/arena/",
        "tests/bots/",
        "tests/games/",
        "tests/dialects/",
    ),
)


def dealt(names: Sequence[str], workers: int) -> list[int]:
    """The places of these tests in the order in which so many workers should be dealt them."""
    heads: list[list[int]] = [[] for _ in range(workers)]
    short = []
    for place, name in enumerate(names):
        kind = next((n for n, begins in enumerate(LONG) if name.startswith(begins)), None)
        if kind is None:
            short.append(place)
        else:
            heads[kind % workers].append(place)
    order: list[int] = []
    for n, head in enumerate(heads):
        room = (len(names) - len(order)) // (workers - n) - len(head)
        order += head + short[: max(room, 0)]
        short = short[max(room, 0) :]
    return order
