r"""Laws as tests: `@pytest.mark.laws_of(Connect4())` on a test that takes a `law`.

pytest loads this in every project where Rookery is installed, so it imports nothing of the
laws before a test asks for them. The test is run once for each law and each case of what the
mark names: a game (an instance, or its class), the five levels that play a game
(`laws_of(LEVELS, game=Connect4())`) or a dialect's kind (`laws_of(KIND, says=(b"HI\n",))`).
`law()` tries it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest

MARK: Final = "laws_of"
ARGUMENT: Final = "law"


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(*things, game=None, says=(), seed=1, effort='usual'): run the test, which takes a "
        f"`{ARGUMENT}` and calls it, for every law of these games, levels or dialects",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each law, by its name."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is None or ARGUMENT not in metafunc.fixturenames:
        return
    tried = _laws(*mark.args, **mark.kwargs)
    metafunc.parametrize(ARGUMENT, list(tried.values()), ids=list(tried))


# Any: what is to be tried is seen by looking at it, and how by `subjects_of`.
def _laws(*things: Any, **how: Any) -> dict[str, Callable[[], int]]:
    from rookery.testing.subjects import subjects_of  # noqa: PLC0415 - only where it is asked for

    return {
        f"{law.name}-{case}": partial(law.hold, case)
        for thing in things
        for subject in subjects_of(thing, **how)
        for case in subject.cases
        for law in subject.laws
    }
