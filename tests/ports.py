"""A port for who has to know its number beforehand, or to listen on it a second time.

What a process listens on by itself it should choose when it opens it (port 0). Where it
cannot, the port must be none that the system gives to others: between our looking and our
listening it would give it to any connection of any other test.
"""

import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")  # those that Linux gives by itself
FIRST: Final = 10_000  # below are those with names
GIVEN_FROM: Final = 32_768  # where nothing says otherwise


def spare_port() -> int:
    """A port of this machine that nobody listens on, and that the system gives nobody."""
    numbers = range(FIRST, _given_from())
    while True:
        port = secrets.choice(numbers)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def _given_from() -> int:
    try:
        lowest = int(RANGE.read_text("ascii").split()[0])
    except (OSError, ValueError):
        return GIVEN_FROM
    return lowest if lowest > FIRST + 1_000 else GIVEN_FROM
