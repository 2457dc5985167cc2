"""What a durable move costs in each language, beside a server that moves as many bytes.

All pairs are seated first. Then all tables are played at once, and the CPU time that the server
used is divided by the moves; the load says what it used itself. The bare server writes as
often, to as many connections, with as many bytes.
"""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.languages.language import Language, connections
from rookery_tools.bench.load.load import LoadLine, LoadRun, Pair, play
from rookery_tools.bench.load.processes import ServerProcess
from rookery_tools.bench.load.scripts import PairScript, ScriptedMove

BUDGET_FOR: Final = 100  # tables


def a_move(language: Language, setup: BenchSetup) -> Iterator[Sample]:
    """Measure a move in this language once, at Rookery and at the bare server."""
    tables = setup.scale.tables
    with listening(setup, language) as (server, port), language.seat(port, tables) as rooms:
        cpu, run = _play(server, [pair for room in rooms for pair in room.pairs])
        shapes = [tuple(pair.script for pair in room.pairs) for room in rooms]
    with setup.bare() as server, connections(server.port, 2 * sum(map(len, shapes))) as sockets:
        pairs = _rooms(iter(sockets), language, shapes, run.heard / run.moves)
        bare_cpu, bare = _play(server, pairs)
    name = f"CPU a move, {language.name}, {tables} tables"
    budget = language.budget if tables == BUDGET_FOR else None
    yield Sample(name, cpu, "µs", bare_cpu, budget)
    yield Sample("  of the load itself", run.cpu / run.moves / 1000, "µs")
    yield Sample("  answer, p50", run.answer(50) / 1000, "ms", bare.answer(50) / 1000)
    yield Sample("  answer, p99", run.answer(99) / 1000, "ms", bare.answer(99) / 1000)
    yield Sample("  moves a second", run.moves / run.nanos * 1e9, "/s", more=True)


def _play(server: ServerProcess, pairs: Sequence[Pair]) -> tuple[float, LoadRun]:
    """Microseconds that a move cost the server, and how it went."""
    before = server.cpu()
    run = play(pairs)
    return (server.cpu() - before) / run.moves / 1000, run


@contextmanager
def listening(setup: BenchSetup, language: Language) -> Iterator[tuple[ServerProcess, int]]:
    """Run a server; yields it, and the port where it speaks this language."""
    if language.options is None:
        with setup.rookery() as server:
            yield server, server.port
        return
    with TemporaryDirectory(dir=setup.folder) as folder:
        port, file = _free_port(), Path(folder) / "ports.toml"
        file.write_text(f"[listen.{language.name}]\nport = {port}\n{language.options}", "utf-8")
        with setup.rookery("--config", str(file)) as server:
            yield server, port


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _rooms(
    sockets: Iterator[socket.socket],
    language: Language,
    shapes: Sequence[Sequence[PairScript]],
    each: float,
) -> list[Pair]:
    """Seat the same pairs at the bare server, in rooms of the same size."""
    made: list[Pair] = []
    for room, scripts in enumerate(shapes):
        own, theirs, rest = _sizes(language.share, each, len(scripts))
        for script in scripts:
            both = next(sockets), next(sockets)
            for one in both:
                words = (len(made), own, theirs, rest, room, 2 * len(scripts))
                one.sendall(b"room %d %d %d %d %d %d\n" % words)
            made.append(
                Pair((LoadLine(both[0], 0), LoadLine(both[1], 1)), _meaningless(script, own))
            )
    for one in (line.socket for pair in made for line in pair.lines):
        while not one.recv(64).endswith(b"ready\n"):
            pass
    return made


def _sizes(share: float, each: float, boards: int) -> tuple[int, int, int]:
    """Bytes for who moves, for the other of the pair, and for each of the rest of a room."""
    if boards > 1:
        part = max(1, round(each / (2 * boards)))
        return part, part, part
    own = round(each * share)
    return own, max(1, round(each) - own), 0


def _meaningless(script: PairScript, own: int) -> PairScript:
    """A script of as many moves and bytes, taken in turns, for the bare server."""
    heard, steps = [0, 0], []
    for n, step in enumerate(script.steps):
        seat = n % 2
        steps.append(ScriptedMove(seat, b"x" * (len(step.line) - 1) + b"\n", heard[seat]))
        heard[seat] += own > 0
        heard[1 - seat] += 1
    return PairScript(tuple(steps), (heard[0], heard[1]))
