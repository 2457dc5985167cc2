"""How soon another hall decides, from the end of who led to the next thing that is answered.

PostgreSQL, NATS, two halls and an edge are processes of this machine. Somebody at the edge opens a
table, and asks for another when who leads has been told to go, or has been killed for so long
that nothing more is asked of it.
"""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Final

from msgspec import Struct

from rookery.bench.bed import Bed
from rookery.bench.engines.nats import NatsEngine
from rookery.bench.engines.postgres import PostgresEngine
from rookery.bench.figures import Sample
from rookery.bench.load.processes import CannotMeasure, Server, running
from rookery.bench.server.finding import find_hall

PATIENCE: Final = 60.0  # seconds for an answer
UNASKED: Final = 0.5  # seconds after which an edge asks nothing of a hall that it does not hear
HELLO: Final = b'{"type":"hello","version":1,"name":"ann"}\n'
OPEN: Final = b'{"type":"open","variant":"nim"}\n'
QUIET: Final = ("--port", "0", "--log-level", "error")


def failover(bed: Bed) -> Iterator[Sample]:
    """Kill who leads, by each lease, and stop it in good order."""
    with ExitStack() as stack:
        database = PostgresEngine(str(bed.folder))
        stack.callback(database.remove)
        broker = NatsEngine()
        stack.callback(broker.kill)
        for lease in bed.scale.leases:
            halls = _Halls(bed, broker.url, f"{database.address()}?hall=lease-{lease:g}", lease)
            took = halls.take_over(signal.SIGKILL)
            yield Sample(f"kill -9 to the next answer, lease {lease:g} s", took, "s")
        halls = _Halls(bed, broker.url, f"{database.address()}?hall=good-order", 6.0)
        yield Sample("SIGTERM to the next answer", halls.take_over(signal.SIGTERM), "s")


class _Halls(Struct, frozen=True):
    """Two halls of a name, which have a log and a lease."""

    bed: Bed
    nats: str
    log: str
    lease: float

    def take_over(self, how: signal.Signals) -> float:
        """Seconds from the end of who leads to the next answer. Raises CannotMeasure."""
        hall = ("hall", "--data", self.log, "--lease", f"{self.lease:g}", "--house", "off")
        with ExitStack() as stack:

            def start(*words: str) -> Server:
                build, more = self.bed.build, ("--nats", self.nats, *QUIET)
                begun = running(
                    "rookery", *words, *more, python=build.python, env=build.environment
                )
                return stack.enter_context(begun)

            leader = start(*hall)
            edge = start("edge")
            find_hall(edge.port)
            start(*hall)
            line = stack.enter_context(
                closing(socket.create_connection(("127.0.0.1", edge.port), PATIENCE))
            )
            _ask(line, HELLO)
            time.sleep(self.bed.scale.rests)
            _ask(line, OPEN)
            began = time.perf_counter()
            leader.signal(how)
            if how == signal.SIGKILL:
                time.sleep(UNASKED)
            _ask(line, OPEN)
            return time.perf_counter() - began


def _ask(line: socket.socket, words: bytes) -> None:
    """Say this, and wait for its answer; what is told unasked is passed over."""
    line.sendall(words)
    heard = b""
    while True:
        more = line.recv(1 << 16)
        heard += more
        if not more or b'"refused"' in heard:
            raise CannotMeasure(f"There was no answer, but {heard!r}.")
        if any(b'"type":"%b"' % kind in heard for kind in (b"hello", b"done", b"opened")):
            return
