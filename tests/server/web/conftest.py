"""One server with something to look at, for all the tests of a file, and two who join tours."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.process import Server
from tests.server.web.asking import Entrant, furnished


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with furnished(tmp_path_factory.mktemp("web")) as server:
        yield server
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()


@pytest.fixture
def pair(server: Server) -> Iterator[tuple[Entrant, Entrant]]:
    """Two who would join a tour."""
    with ExitStack() as calls:
        ann, bob = (calls.enter_context(Entrant(server, name)) for name in ("ann", "bob"))
        yield ann, bob
