"""What nearly every test of the hall begins with."""

import pytest

from tests.hall.house import House


@pytest.fixture
def house() -> House:
    """A hall with nobody in it, and the time in the test's hand."""
    return House()
