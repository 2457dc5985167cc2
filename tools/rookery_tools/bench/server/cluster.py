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

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.engines.nats import NatsEngine
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.load.load import LoadRun, Pair, play
from rookery_tools.bench.load.processes import ServerProcess, running
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import Party, parties, seated
from rookery_tools.bench.server.waiting_for_hall import wait_for_hall

GAMES: Final = 2  # at each table


def cluster(setup: BenchSetup) -> Iterator[Sample]:
    """Many tables of reversi: one process, an edge and a hall, two edges and a hall."""
    playing = parties(REVERSI, setup.scale.tables, GAMES)
    with setup.rookery() as server:
        yield from _played("one process", [server.port], {"server": server}, playing)
    for edges in (1, 2):
        what = "one edge" if edges == 1 else "two edges"
        with clustered(setup, edges) as (ports, parts):
            yield from _played(what, ports, parts, playing)
    alone = parties(REVERSI, 1, setup.scale.light_games)
    with clustered(setup, 1) as (ports, _), seated(ports[0], alone) as pairs:
        run = play(pairs)
    for part in (50, 99):
        name = f"answer at one table, one edge, p{part}"
        yield Sample(name, run.answer(part) / 1000, "ms")


def _played(
    what: str, ports: list[int], parts: dict[str, ServerProcess], playing: list[Party]
) -> Iterator[Sample]:
    """Play at these ports; samples of moves a second, and of each part's CPU a move."""
    with ExitStack() as stack:
        pairs: list[Pair] = []
        for n, port in enumerate(ports):
            pairs += stack.enter_context(seated(port, playing[n :: len(ports)]))
        before = {name: part.cpu() for name, part in parts.items()}
        run: LoadRun = play(pairs)
        spent = {name: part.cpu() - before[name] for name, part in parts.items()}
    yield Sample(f"moves, {what}", run.moves / run.nanos * 1e9, "/s", more=True)
    for name, cpu in spent.items():
        yield Sample(f"  CPU a move of the {name}, {what}", cpu / run.moves / 1000, "µs")
    yield Sample(f"  of the load itself, {what}", run.cpu / run.moves / 1000, "µs")
    for part in (50, 99):
        yield Sample(f"  answer, {what}, p{part}", run.answer(part) / 1000, "ms")


@contextmanager
def clustered(
    setup: BenchSetup, edges: int
) -> Iterator[tuple[list[int], dict[str, ServerProcess]]]:
    """Run a broker, a hall with an empty log, and edges; yields the edges' ports, and the parts."""
    build = setup.build
    quiet = ("--port", "0", "--log-level", "error")
    with ExitStack() as stack:
        broker = stack.enter_context(_broker())
        carried = ("--nats", f"nats://127.0.0.1:{broker.port}", *quiet)

        def start(*words: str) -> ServerProcess:
            started = running("rookery", *words, python=build.python, env=build.environment)
            return stack.enter_context(started)

        data = stack.enter_context(TemporaryDirectory(dir=setup.folder))
        hall = start("hall", "main", *carried, "--data", data, "--house", "off")
        parts = {"hall": hall, "broker": broker}
        for n in range(edges):
            parts["edge" if edges == 1 else f"edge {n + 1}"] = start("edge", *carried)
        ports = [part.port for name, part in parts.items() if name.startswith("edge")]
        for port in ports:
            wait_for_hall(port)
        yield ports, parts


@contextmanager
def _broker() -> Iterator[ServerProcess]:
    broker = NatsEngine()
    try:
        yield ServerProcess(broker.process, broker.port, 0)
    finally:
        broker.kill()
