"""A NATS of our own, on a port that it keeps when it is started again."""

import socket
import subprocess
import time
from contextlib import suppress
from typing import Final

from rookery_tools.bench.engines.programs import NO_NATS, NoEngine, nats_program, spare_port

PATIENCE: Final = 60.0  # seconds for it to listen


class NatsEngine:
    """A NATS broker that runs as a process of ours."""

    def __init__(self, *flags: str, port: int = 0) -> None:
        """Start a broker on this port, or a free one, with these flags. Raises NoEngine."""
        program = nats_program()
        if program is None:
            raise NoEngine(NO_NATS)
        self.port = port or spare_port()
        self._words = [program, "-a", "127.0.0.1", "-p", str(self.port), *flags]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process = self._begin()

    def again(self) -> None:
        """Start the broker anew."""
        self.process = self._begin()

    def kill(self) -> None:
        """Kill the broker at once."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def _begin(self) -> "subprocess.Popen[bytes]":
        none = subprocess.DEVNULL
        process = subprocess.Popen(self._words, stdin=none, stdout=none, stderr=none)  # noqa: S603
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return process
            time.sleep(0.01)
        raise NoEngine("NATS does not listen.")
