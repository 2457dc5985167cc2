"""Every test of plug-ins has registries of its own, and most have a hall."""

from collections.abc import Iterator

import pytest

from tests.hall.house import House
from tests.plugins.toys import own_registries


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    """What a test loads is gone after it."""
    with own_registries():
        yield


@pytest.fixture
def house() -> House:
    """A hall with nobody in it, and the time in the test's hand."""
    return House()
