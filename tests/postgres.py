"""A real PostgreSQL for the tests, which needs no root and no setting up.

It comes with a wheel, or is Debian's own; where neither can be had the tests that need it
say so and are skipped. Its files are in memory where there is room. A process that tests has
one server, started when it is first needed; what kills a server has one of its own. Every test
has a hall of its own, which is all that separates one log from another.
"""

import atexit
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from rookery.store.address import LogAddress, read_address
from rookery_tools.bench.engines.postgres import PostgresEngine
from rookery_tools.bench.engines.programs import NO_POSTGRES, postgres_programs
from tests.effort import MEMORY

PASSWORD: Final = "open/sesame"  # of `locked`, the one user who needs one
_ADMITS: Final = "host all locked 127.0.0.1/32 scram-sha-256"

_numbers: Final = count(1)


class Server(PostgresEngine):
    """One PostgreSQL, and halls in it."""

    def __init__(self) -> None:
        super().__init__(MEMORY, admits=[_ADMITS])
        self.run(f"CREATE USER locked SUPERUSER PASSWORD '{PASSWORD}'", "postgres")

    def hall(self, port: int = 0) -> LogAddress:
        """A hall that nobody had before."""
        return read_address(f"{self.address(port=port)}?hall=test-{next(_numbers)}")


@cache
def server() -> Server:
    """The server of this process's tests, which nobody may kill."""
    found = Server()
    atexit.register(found.remove)
    return found


def which(program: str) -> Path | None:
    """Where this program of PostgreSQL is; None: there is none."""
    found = postgres_programs()
    return None if found is None else found / program


needs_postgres = pytest.mark.skipif(which("postgres") is None, reason=NO_POSTGRES)
