"""One server with something to look at, for all the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.server.process import Server
from tests.server.web.asking import furnished


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with furnished(tmp_path_factory.mktemp("web")) as server:
        yield server
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()
