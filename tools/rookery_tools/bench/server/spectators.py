"""What spectators cost: one pair plays, and many sessions watch its table.

What a move costs is measured twice, with watchers who want the lines alone and with those
who want the view that a page shows; every move is made when all have heard of the one
before, so that each is told to each by itself. How long the players' answers take is
measured while they answer at once, and are in nobody's way but the watchers'; and what a move
costs then, until everybody has heard all. The bare server writes as many bytes to as many, for
each move: what that costs, no server of ours can beat where nobody hurries.
"""

import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec
from msgspec import Struct

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample, percentile
from rookery_tools.bench.languages.language import connections
from rookery_tools.bench.load.load import (
    BUFFER,
    NEWLINE,
    PATIENCE,
    LoadLine,
    Pair,
    close,
    connect,
    play,
)
from rookery_tools.bench.load.processes import CannotMeasure, ServerProcess, allow_files
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import parties, seated

BUDGET: Final = FigureBudget(3, 1)
BUDGET_FOR: Final = 1_000
WAVE: Final = 500  # connections made before any is served
BARE_MOVES: Final = 30
ROUNDS: Final = 3  # games of players who answer at once
WATCH: Final = b'{"type":"hello","version":1%b}\n{"type":"watch","table":%d}\n{"type":"ping"}\n'


class WatchedStep(Struct):
    """The part of a move's line that a watcher needs."""

    table: int


def spectators(setup: BenchSetup) -> Iterator[Sample]:
    """Let so many watch a game, with and without views, calm and hurried. Raises CannotMeasure."""
    wanted = setup.scale.watchers
    if allow_files(wanted) < wanted:
        raise CannotMeasure(f"A process may open no files for {wanted} who look on here.")
    with setup.rookery() as server:
        micros, size = _calm(server, wanted, views=False)
        views, seen = _calm(server, wanted, views=True)
        hurried, answers = _hurried(server, wanted)
    floors = [_bare(setup, wanted, each) / 1000 for each in (size, seen)]
    budget = BUDGET if wanted == BUDGET_FOR else None
    yield Sample(f"CPU a move, {wanted} look on", micros / 1000, "ms", floors[0], budget)
    yield Sample("  the same where all want views", views / 1000, "ms", floors[1], budget)
    yield Sample(
        "  the same where players wait for nobody", hurried / 1000, "ms", floors[0], budget
    )
    yield Sample(
        "  answer to a player who waits for nobody, p50", percentile(answers, 50) / 1e6, "ms"
    )
    yield Sample("  answer to a player, p99", percentile(answers, 99) / 1e6, "ms")


def _calm(server: ServerProcess, watchers: int, *, views: bool) -> tuple[float, int]:
    """The CPU of each move of a game that all follow, and the bytes of it that each hears."""
    with _watched(server.port, watchers, views=views) as (pair, lines):
        cpu, moves = server.cpu(), len(pair.script.steps)
        play_before(pair, lines)
        return (server.cpu() - cpu) / moves / 1000, round(lines[0].size / moves)


def _bare(setup: BenchSetup, watchers: int, size: int) -> float:
    """The bare server's CPU microseconds to write so many bytes to all watchers and players."""
    room = watchers + watchers % 2 + 2
    with setup.bare() as server, connections(server.port, room) as sockets:
        for n, one in enumerate(sockets):
            one.sendall(b"room %d %d %d %d 0 %d\n" % (n // 2, size, size, size, room))
        for one in sockets:
            one.recv(64)  # that all are there
        cpu = server.cpu()
        for _ in range(BARE_MOVES):
            sockets[0].sendall(b"x\n")
            for one in sockets:
                left = size
                while left > 0:
                    left -= len(one.recv(left))
        return (server.cpu() - cpu) / BARE_MOVES / 1000


def _hurried(server: ServerProcess, watchers: int) -> tuple[float, Sequence[int]]:
    """The CPU of each move where players wait for nobody, and nanoseconds of answers, sorted."""
    answers: list[int] = []
    cpu = moves = 0
    for _ in range(ROUNDS):
        with _watched(server.port, watchers, views=False) as (pair, lines):
            began = server.cpu()
            answers.extend(play([pair]).answers)
            _hear_all(lines, len(pair.script.steps))
            cpu += server.cpu() - began
            moves += len(pair.script.steps)
    return cpu / moves / 1000, sorted(answers)


def _hear_all(watchers: Sequence[LoadLine], lines: int) -> None:
    """Let each watcher read so many lines, one watcher after the other."""
    buffer = bytearray(BUFFER)
    for one in watchers:
        while one.heard < lines:
            size = one.socket.recv_into(buffer)
            one.heard += buffer.count(NEWLINE, 0, size)
            if not size:
                raise CannotMeasure("The server hung up on somebody who looked on.")


@contextmanager
def _watched(port: int, watchers: int, *, views: bool) -> Iterator[tuple[Pair, list[LoadLine]]]:
    """Seat a pair that is to play a game, with so many watchers."""
    lines: list[LoadLine] = []
    with seated(port, parties(REVERSI, 1, 1)) as (pair,):
        table = msgspec.json.decode(pair.script.steps[0].line, type=WatchedStep).table
        words = WATCH % (b',"views":true' if views else b"", table)
        try:
            while len(lines) < watchers:
                look_on(port, lines, min(WAVE, watchers - len(lines)), words)
            yield pair, lines
        finally:
            close(line.socket for line in lines)


def look_on(port: int, lines: list[LoadLine], size: int, words: bytes) -> None:
    """Connect more watchers, and let each read what it is told first, up to a pong."""
    fresh = [LoadLine(connect(port), 0) for _ in range(size)]
    lines += fresh
    for line in fresh:
        line.socket.sendall(words)
    for line in fresh:
        heard = b""
        while b'"pong"' not in heard:
            more = line.socket.recv(BUFFER)
            heard += more
            if not more or b'"refused"' in heard:
                raise CannotMeasure("The server does not let everybody look on.")


def play_before(pair: Pair, watchers: Sequence[LoadLine]) -> None:
    """Play a game, each move when all have heard of the last."""
    lines = {line.socket.fileno(): line for line in (*watchers, *pair.lines)}
    with select.epoll(len(lines)) as epoll:
        for fd, line in lines.items():
            line.socket.settimeout(0)
            epoll.register(fd, select.EPOLLIN)
        for step in pair.script.steps:
            mover = pair.lines[step.seat]
            mover.socket.send(step.line)
            _hear(epoll, lines, mover)


def _hear(epoll: "select.epoll", lines: dict[int, LoadLine], mover: LoadLine) -> None:
    """Let all connections read the news of a move, and the mover its answer too."""
    buffer = bytearray(BUFFER)
    behind = dict.fromkeys(lines, 1)  # how many lines each has still to hear
    behind[mover.socket.fileno()] = 2
    while behind:
        events = epoll.poll(PATIENCE)
        if not events:
            raise CannotMeasure(f"The server fell silent, and {len(behind)} had not heard all.")
        for fd, _ in events:
            size = lines[fd].socket.recv_into(buffer)
            lines[fd].size += size
            if not size:
                raise CannotMeasure("The server hung up in the middle of a game.")
            left = behind.pop(fd, 0) - buffer.count(NEWLINE, 0, size)
            if left > 0:
                behind[fd] = left
