"""How long answers take at a given load: moves are due by the clock, whatever the server does.

Moves come at even distances, each at the next table that is free. An answer counts from when
its move was due, not from when it could be sent: a slow server does not get less to do, and a
queue shows. Beyond what a server can do, answers take as long as one cares to wait.
"""

import select
from collections import deque
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Final

from msgspec import Struct

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample, percentile
from rookery_tools.bench.load.load import BUFFER, LoadLine, Pair
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import REVERSI, games_of
from rookery_tools.bench.load.seats import paired, parties, seated
from rookery_tools.bench.server.moves import sizes_of

KEPT: Final = 0.95  # of what was offered; below it a server is saturated
SOON: Final = 0.01  # seconds; no longer wait, or the end is missed


class LoadAnswers(Struct, frozen=True):
    """The answers to an offered load: how many a second, and how long each took."""

    rate: float  # answers a second, while moves were due
    seconds: tuple[float, ...]  # each answer's, sorted

    def millis(self, percent: int) -> float:
        """Within which so many percent of the answers came."""
        return percentile(self.seconds, percent) * 1000


def offered(setup: BenchSetup) -> Iterator[Sample]:
    """Answers at each load up to the first that is too much, of Rookery and bare."""
    seconds, tables = setup.scale.offered_seconds, setup.scale.tables
    shortest = min(map(len, games_of(REVERSI)))
    for rate in setup.scale.offered:
        setup.say(f"  {rate} moves a second…")
        games = 1 + int(rate * seconds) // (tables * shortest)
        playing = parties(REVERSI, tables, games)
        with setup.rookery() as server, seated(server.port, playing) as pairs:
            ours = play_at(pairs, rate, seconds)
            sizes = {REVERSI: sizes_of(pairs)}
        with setup.bare() as server, paired(server.port, playing, sizes) as pairs:
            bare = play_at(pairs, rate, seconds)
        yield Sample(f"answer at {rate} moves/s, p50", ours.millis(50), "ms", bare.millis(50))
        yield Sample(f"answer at {rate} moves/s, p99", ours.millis(99), "ms", bare.millis(99))
        yield Sample(f"  answered of {rate} moves/s", ours.rate, "/s", bare.rate, more=True)
        if ours.rate < KEPT * rate:
            break  # more would only be more of the same


def play_at(pairs: Sequence[Pair], rate: float, seconds: float) -> LoadAnswers:
    """Offer `rate` moves a second for so many seconds. Raises CannotMeasure."""
    lines = {line.socket.fileno(): line for pair in pairs for line in pair.lines}
    free = deque(pairs)  # those that may move
    sent: dict[Pair, float] = {}  # when the open move of a pair was due
    buffer, times = bytearray(BUFFER), list[float]()
    with select.epoll(len(lines)) as epoll:
        for fd, line in lines.items():
            line.socket.settimeout(0)
            epoll.register(fd, select.EPOLLIN)
        began = perf_counter()
        offered_yet, total = 0, int(rate * seconds)
        while (now := perf_counter() - began) < seconds:
            while free and offered_yet < total and offered_yet / rate <= now:
                pair = free.popleft()
                _move(pair)
                sent[pair] = offered_yet / rate
                offered_yet += 1
            # Only select() can wait for less than a millisecond, and who spins takes a processor
            # from the server.
            wait = offered_yet / rate - (perf_counter() - began) if free else SOON
            select.select([epoll], [], [], min(SOON, max(0.0, wait)))
            for fd, _ in epoll.poll(0):
                line = lines[fd]
                if _hear(line, buffer) and line.pair in sent:
                    times.append(perf_counter() - began - sent.pop(line.pair))
                    if line.pair.at < len(line.pair.script.steps):
                        free.append(line.pair)
    # What was due and is not answered has taken as long as we waited, at the least.
    waited = [seconds - due for due in sent.values()]
    unsent = [seconds - n / rate for n in range(offered_yet, total)]
    return LoadAnswers(len(times) / seconds, tuple(sorted([*times, *waited, *unsent])))


def _move(pair: Pair) -> None:
    step = pair.script.steps[pair.at]
    pair.at += 1
    pair.lines[step.seat].socket.send(step.line)


def _hear(line: LoadLine, buffer: bytearray) -> bool:
    """Whether the pair of this line may move again, after the bytes that have come."""
    size = line.socket.recv_into(buffer)
    if not size:
        raise CannotMeasure("The server hung up in the middle of a game.")
    line.heard += buffer.count(line.mark, 0, size)
    line.size += size
    pair, steps = line.pair, line.pair.script.steps
    if pair.at == len(steps):
        return pair.over()
    step = steps[pair.at]
    return pair.lines[step.seat].heard >= step.due
