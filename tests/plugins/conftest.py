from collections.abc import Iterator

import pytest

from tests.plugins.toys import own_registries


@pytest.fixture(autouse=True)
def own() -> Iterator[None]:
    with own_registries():
        yield
