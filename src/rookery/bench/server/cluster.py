"""A hall and its edges as processes of their own, beside one process that is both.

All are on this machine, with the broker between them, so they share its processors with each
other and with the load: what each costs a move is the figure, and moves a second on two cores
say little about four machines. The broker is looked for beside Python and in the path; where
there is none, the row says so.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import Final

from rookery.bench.bed import Bed
from rookery.bench.engines.nats import NatsEngine
from rookery.bench.figures import Sample
from rookery.bench.load.load import Course, Pair, play
from rookery.bench.load.processes import Server, running
from rookery.bench.load.scripts import REVERSI
from rookery.bench.load.seats import Party, parties, seated
from rookery.bench.server.finding import find_hall

GAMES: Final = 2  # at each table


def cluster(bed: Bed) -> Iterator[Sample]:
    """Many tables of reversi: one process, an edge and a hall, two edges and a hall."""
    playing = parties(REVERSI, bed.scale.tables, GAMES)
    with bed.rookery() as server:
        yield from _played("one process", [server.port], {"server": server}, playing)
    for edges in (1, 2):
        what = "one edge" if edges == 1 else "two edges"
        with clustered(bed, edges) as (ports, parts):
            yield from _played(what, ports, parts, playing)
    alone = parties(REVERSI, 1, bed.scale.light_games)
    with clustered(bed, 1) as (ports, _), seated(ports[0], alone) as pairs:
        course = play(pairs)
    for part in (50, 99):
        name = f"answer at one table, one edge, p{part}"
        yield Sample(name, course.answer(part) / 1000, "ms")


def _played(
    what: str, ports: list[int], parts: dict[str, Server], playing: list[Party]
) -> Iterator[Sample]:
    """What a move costs each part, and how many there are."""
    with ExitStack() as stack:
        pairs: list[Pair] = []
        for n, port in enumerate(ports):
            pairs += stack.enter_context(seated(port, playing[n :: len(ports)]))
        before = {name: part.cpu() for name, part in parts.items()}
        course: Course = play(pairs)
        spent = {name: part.cpu() - before[name] for name, part in parts.items()}
    yield Sample(f"moves, {what}", course.moves / course.nanos * 1e9, "/s", more=True)
    for name, cpu in spent.items():
        yield Sample(f"  CPU a move of the {name}, {what}", cpu / course.moves / 1000, "µs")
    yield Sample(f"  of the load itself, {what}", course.cpu / course.moves / 1000, "µs")
    for part in (50, 99):
        yield Sample(f"  answer, {what}, p{part}", course.answer(part) / 1000, "ms")


@contextmanager
def clustered(bed: Bed, edges: int) -> Iterator[tuple[list[int], dict[str, Server]]]:
    """A broker, a hall with an empty log, and edges that have found it; where to call them."""
    build = bed.build
    quiet = ("--port", "0", "--log-level", "error")
    with ExitStack() as stack:
        broker = stack.enter_context(_broker())
        carried = ("--nats", f"nats://127.0.0.1:{broker.port}", *quiet)

        def start(*words: str) -> Server:
            started = running("rookery", *words, python=build.python, env=build.environment)
            return stack.enter_context(started)

        data = stack.enter_context(TemporaryDirectory(dir=bed.folder))
        hall = start("hall", "main", *carried, "--data", data, "--house", "off")
        parts = {"hall": hall, "broker": broker}
        for n in range(edges):
            parts["edge" if edges == 1 else f"edge {n + 1}"] = start("edge", *carried)
        ports = [part.port for name, part in parts.items() if name.startswith("edge")]
        for port in ports:
            find_hall(port)
        yield ports, parts


@contextmanager
def _broker() -> Iterator[Server]:
    broker = NatsEngine()
    try:
        yield Server(broker.process, broker.port, 0)
    finally:
        broker.kill()
