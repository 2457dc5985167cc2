"""Waiting until an edge has found its hall."""

import time
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from typing import Final

from rookery_tools.bench.load.processes import START_PATIENCE, CannotMeasure

OK: Final = 200


def wait_for_hall(port: int) -> None:
    """Wait until an edge has its hall. Raises CannotMeasure."""
    until = time.monotonic() + START_PATIENCE
    while time.monotonic() < until:
        calling = closing(HTTPConnection("127.0.0.1", port, timeout=START_PATIENCE))
        with suppress(OSError, HTTPException), calling as line:
            line.request("GET", "/healthz")
            if line.getresponse().status == OK:
                return
        time.sleep(0.05)
    raise CannotMeasure("An edge did not find its hall.")
