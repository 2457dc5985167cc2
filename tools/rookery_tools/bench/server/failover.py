"""How soon another hall decides, from the end of the hall that led to the next answer.

PostgreSQL, NATS, two halls and an edge are processes of this machine. A client at the edge
opens a table, and asks for another when the hall that leads has been told to go, or has been
dead for so long that no request is sent to it any more.
"""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Final

from msgspec import Struct

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.words import Hello, Request
from rookery.core.intents import Open
from rookery.core.messages import Refused
from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.engines.nats import NatsEngine
from rookery_tools.bench.engines.postgres import PostgresEngine
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.load.processes import CannotMeasure, ServerProcess, running
from rookery_tools.bench.server.waiting_for_hall import wait_for_hall

PATIENCE: Final = 60.0  # seconds for an answer
UNASKED: Final = 0.5  # seconds after which an edge asks nothing of a hall that it does not hear
OPEN: Final = Open("nim")
QUIET: Final = ("--port", "0", "--log-level", "error")


def failover(setup: BenchSetup) -> Iterator[Sample]:
    """Measure the next answer after a kill of the hall that leads, by each lease, and a SIGTERM."""
    with ExitStack() as stack:
        database = PostgresEngine(str(setup.folder))
        stack.callback(database.remove)
        broker = NatsEngine()
        stack.callback(broker.kill)
        for lease in setup.scale.leases:
            halls = _Halls(setup, broker.url, f"{database.address()}?hall=lease-{lease:g}", lease)
            took = halls.take_over(signal.SIGKILL)
            yield Sample(f"kill -9 to the next answer, lease {lease:g} s", took, "s")
        halls = _Halls(setup, broker.url, f"{database.address()}?hall=good-order", 6.0)
        yield Sample("SIGTERM to the next answer", halls.take_over(signal.SIGTERM), "s")


class _Halls(Struct, frozen=True):
    """Two halls of a name, which have a log and a lease."""

    setup: BenchSetup
    nats: str
    log: str
    lease: float

    def take_over(self, how: signal.Signals) -> float:
        """Seconds from the end of who leads to the next answer. Raises CannotMeasure."""
        hall = ("hall", "--data", self.log, "--lease", f"{self.lease:g}", "--house", "off")
        with ExitStack() as stack:

            def start(*words: str) -> ServerProcess:
                build, more = self.setup.build, ("--nats", self.nats, *QUIET)
                begun = running(
                    "rookery", *words, *more, python=build.python, env=build.environment
                )
                return stack.enter_context(begun)

            leader = start(*hall)
            edge = start("edge")
            wait_for_hall(edge.port)
            start(*hall)
            line = stack.enter_context(
                closing(socket.create_connection(("127.0.0.1", edge.port), PATIENCE))
            )
            ann = NativeClient()
            _ask(line, ann, Hello(name="ann"))
            time.sleep(self.setup.scale.rests)
            _ask(line, ann, OPEN)
            began = time.perf_counter()
            leader.signal(how)
            if how == signal.SIGKILL:
                time.sleep(UNASKED)
            _ask(line, ann, OPEN)
            return time.perf_counter() - began


def _ask(line: socket.socket, client: NativeClient, request: Request) -> None:
    """Send a request and wait for its answer; news are passed over. Raises CannotMeasure."""
    line.sendall(client.ask(request))
    while client.busy:
        came = line.recv(1 << 16)
        if not came:
            raise CannotMeasure("The server under test hung up.")
        for one in client.hear(came):
            match one:
                case Answered(answer=Refused(sentence=sentence)):
                    raise CannotMeasure(f"The server under test says: {sentence}")
                case _:
                    pass
