"""Over an edge too: some of the browser's tests are tried both ways, all of them by a setting.

With `ROOKERY_BROWSER=cluster` every test has an edge and a hall in the place of its server.
"""

import pytest

over_an_edge_too = pytest.mark.parametrize(
    "server", [False, True], indirect=True, ids=["here", "over-an-edge"]
)
