"""What each worker begins with, so that processors are busy all the time.

Tests that wait for pages, that wait for processes and that only compute go best beside each
other. Workers are dealt equal pieces of the list, and who is done takes the back half of what
another has left. So one piece begins with the browser's tests, or two where workers are many:
one after the other they take longest of all. One begins with what computes, and all between
them with what waits for processes, which is most of the time.
"""

from collections.abc import Sequence
from typing import Final

# Beginnings of tests' names, by what they wait for: pages, processes, or nothing.
LONG: Final = (
    ("tests/browser/",),
    ("tests/server/", "tests/cli/", "tests/plugins/", "tests/testing/", "tests/tools/crashtest/"),
    (
        "tests/tools/sim/",
        "tests/tools/bench/",
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
MANY: Final = 5  # workers, of which two may have browsers


def dealt(names: Sequence[str], workers: int) -> list[int]:
    """The places of these tests in the order in which so many workers should be dealt them."""
    kinds: list[list[int]] = [[] for _ in LONG]
    short: list[int] = []
    for place, name in enumerate(names):
        kind = next((n for n, begins in enumerate(LONG) if name.startswith(begins)), None)
        (short if kind is None else kinds[kind]).append(place)
    pages, processes, computing = kinds
    heads: list[list[int]] = [[] for _ in range(workers)]
    first = 2 if workers >= MANY else 1
    _deal(pages, heads[:first])
    _deal(processes, heads[first:-1] or heads[first:] or heads)
    heads[-1] += computing
    order: list[int] = []
    for n, head in enumerate(heads):
        room = (len(names) - len(order)) // (workers - n) - len(head)
        order += head + short[: max(room, 0)]
        short = short[max(room, 0) :]
    return order


def _deal(tests: Sequence[int], heads: Sequence[list[int]]) -> None:
    """Each a part in a row, for tests of one file share what it sets up."""
    for n, head in enumerate(heads):
        head.extend(tests[len(tests) * n // len(heads) : len(tests) * (n + 1) // len(heads)])
