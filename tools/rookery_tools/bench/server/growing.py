"""What a move costs as tables become more: from one to ten thousand, all played at once."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.load.load import Pair, play
from rookery_tools.bench.load.processes import CannotMeasure, allow_files
from rookery_tools.bench.load.scripts import REVERSI, PairScript, games_of
from rookery_tools.bench.load.seats import paired, parties, seated
from rookery_tools.bench.server.moves import sizes_of

GAMES_MOST: Final = 40  # of a pair; the hall lets nobody have many more tables
WAVE: Final = 250  # pairs that connect before any is served


def growing(setup: BenchSetup) -> Iterator[Sample]:
    """CPU a move for each number of tables."""
    for wanted in setup.scale.growing:
        tables = allow_files(2 * wanted) // 2  # as many as the machine lets us, and it is said
        if tables < 1:
            raise CannotMeasure("This machine lets a process open too few files.")
        setup.say(f"  {tables} tables…")
        each = max(2, setup.scale.growing_moves // tables)
        yield _sample(setup, tables, each)


def _sample(setup: BenchSetup, tables: int, each: int) -> Sample:
    games = min(GAMES_MOST, -(-each // min(map(len, games_of(REVERSI)))))
    waves = [min(WAVE, tables - begun) for begun in range(0, tables, WAVE)]
    with ExitStack() as stack:
        server = stack.enter_context(setup.rookery())
        pairs: list[Pair] = []
        for wave in waves:
            pairs += stack.enter_context(seated(server.port, parties(REVERSI, wave, games)))
        _cut(pairs, each)
        before = server.cpu()
        run = play(pairs)
        cpu = (server.cpu() - before) / run.moves / 1000
        sizes = {REVERSI: sizes_of(pairs)}
    with ExitStack() as stack:
        server = stack.enter_context(setup.bare())
        pairs = []
        # A bare server knows pairs by numbers that begin anew with every wave; each is whole.
        for wave in waves:
            playing = parties(REVERSI, wave, games)
            pairs += stack.enter_context(paired(server.port, playing, sizes))
        _cut(pairs, each)
        before = server.cpu()
        run = play(pairs)
        bare = (server.cpu() - before) / run.moves / 1000
    return Sample(f"CPU a move, {tables} tables", cpu, "µs", bare)


def _cut(pairs: Sequence[Pair], each: int) -> None:
    """Let every pair make no more moves than so many."""
    for pair in pairs:
        steps, heard = pair.script.steps[:each], [0, 0]
        for step in steps:
            heard[step.seat] = max(heard[step.seat], step.due) + 2
            heard[1 - step.seat] += 1
        pair.script = PairScript(steps, (heard[0], heard[1]))
