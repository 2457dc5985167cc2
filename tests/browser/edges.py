"""Over an edge too: some of the browser's tests are tried both ways, all of them by a setting.

With `ROOKERY_BROWSER=cluster` every test has an edge and a hall in the place of its server.
"""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import pytest

from tests.server.cluster import serving_over_an_edge
from tests.server.process import Server, serving

OVER_AN_EDGE: Final = os.environ.get("ROOKERY_BROWSER") == "cluster"

over_an_edge_too = pytest.mark.parametrize(
    "server", [False, True], indirect=True, ids=["here", "over-an-edge"]
)


def with_page(folder: Path, *, edge: bool = OVER_AN_EDGE) -> AbstractContextManager[Server]:
    """A server whose bots come only when asked for; an edge, where this is tried over one."""
    start = serving_over_an_edge if edge else serving
    return start(folder, "--house", "on,wait=3600")
