"""A whole tournament: instant nim clients of the tourney dialect, all against all, twice.

The old server took minutes for this, because it looked at its matches once in a while. It
should take about the time its bytes take: the same number of moves, with as many bytes, is
played by as many connections at a server that only moves bytes.
"""

import select
import socket
from collections.abc import Iterator, Sequence
from time import perf_counter_ns
from typing import Final

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import FigureBudget, Sample
from rookery_tools.bench.load.load import PATIENCE, LoadLine, Pair, close, connect, hear_lines, play
from rookery_tools.bench.load.processes import CannotMeasure, running
from rookery_tools.bench.load.scripts import PairScript, ScriptedMove
from rookery_tools.bench.server.moves import disk_micros

TURN: Final = {b"H": b"0", b"A": b"1"}  # how a STATE begins when it is one's turn
RESULT: Final = b"@GAME:RESULT:"
STATE: Final = b"@GAME:STATE:"
START: Final = b"@GAME:START:"
BUDGET_FOR: Final = 16  # clients
EIGHTHS: Final = 8

Mark = tuple[float, float]  # seconds since the start, and seconds of the server's CPU


class TourBot:
    """A player that answers every state on its turn by taking a whole row of sticks."""

    __slots__ = ("_rest", "_turn", "connection", "heard", "moves", "results", "sent")

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.moves = self.results = self.sent = self.heard = 0
        self._rest = b""
        self._turn = b""

    def hear(self, data: bytes) -> None:
        """Take in bytes of the server, and answer each state that is our turn."""
        self.heard += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        answer = b""
        for line in lines:
            if line.startswith(STATE):
                answer += self._move(line[len(STATE) :])
            elif line.startswith(START):
                self._turn = TURN[line[len(START) : len(START) + 1]]
            elif line.startswith(RESULT):
                self.results += 1
            elif line.startswith(b"@GAME:ERROR"):
                raise CannotMeasure(f"The server under test says: {line.decode()}")
        if answer:
            self.sent += len(answer)
            self.connection.send(answer)

    def _move(self, state: bytes) -> bytes:
        turn, _, *rows = state.split(b",")
        if turn != self._turn:
            return b""
        self.moves += 1
        row = next(n for n, sticks in enumerate(rows) if sticks != b"0")
        return b"@GAME:MOVE:%d,%b\n" % (row, rows[row])


def tournament(setup: BenchSetup) -> Iterator[Sample]:
    """Measure a tournament in which everyone meets everyone twice. Raises CannotMeasure."""
    clients = setup.scale.clients
    disk = disk_micros(setup.folder) / 1e6
    players, marks = _tour(setup, clients, (1.0,))
    matches, moves = clients * (clients - 1), sum(player.moves for player in players)
    seconds, cpu = marks[-1]
    budget = FigureBudget(0.6, round(2 * disk * matches, 2)) if clients == BUDGET_FOR else None
    bare = _bare(players, moves) / 1e9
    name = f"a tournament of {clients} instant nim clients, {matches} matches"
    yield Sample(name, seconds, "s", bare, budget)
    yield Sample("  CPU a match", cpu / matches * 1e6, "µs")
    yield Sample("  CPU a move", cpu / moves * 1e6, "µs")
    yield Sample("  matches", matches / seconds, "/s", more=True)


def long_tournament(setup: BenchSetup) -> Iterator[Sample]:
    """The same with many, by eighths: the last must not be dearer than the first."""
    clients = setup.scale.many_clients
    matches = clients * (clients - 1)
    _, marks = _tour(setup, clients, tuple(n / EIGHTHS for n in range(1, EIGHTHS + 1)))
    name = f"a tournament of {clients} instant nim clients, {matches} matches"
    yield Sample(name, marks[-1][0], "s")
    before = (0.0, 0.0)
    for n, mark in enumerate(marks, 1):
        took, cpu = (
            (now - then) / (matches / EIGHTHS) for now, then in zip(mark, before, strict=True)
        )
        yield Sample(f"  CPU a match, eighth {n}", cpu * 1e6, "µs")
        yield Sample(f"  time a match, eighth {n}", took * 1e3, "ms")
        before = mark


def _tour(
    setup: BenchSetup, clients: int, parts: Sequence[float]
) -> tuple[list[TourBot], list[Mark]]:
    """Play a whole tournament; returns its players, and the time and CPU at each of these parts."""
    with setup.rookery() as server:
        connections = [connect(server.port) for _ in range(clients + 1)]
        try:
            owner, *others = connections
            _ask(owner, b"@NEW PLAYER\n@TOUR:CREATE:NIM\n", 2)
            for one in others:
                _ask(one, b"@NEW PLAYER\n@TOUR:JOIN\n", 2)
            players = [TourBot(one) for one in others]
            before, began = server.cpu(), perf_counter_ns()
            owner.sendall(b"@TOUR:START\n")
            marks = []
            with select.epoll(len(players)) as epoll:
                for player in players:
                    epoll.register(player.connection.fileno(), select.EPOLLIN)
                for part in parts:
                    _play(epoll, players, round(part * clients * (clients - 1)))
                    took, cpu = perf_counter_ns() - began, server.cpu() - before
                    marks.append((took / 1e9, cpu / 1e9))
        finally:
            close(connections)
    return players, marks


def _play(epoll: "select.epoll", players: list[TourBot], matches: int) -> None:
    """Hear and answer until so many matches have come out for both."""
    by_file = {player.connection.fileno(): player for player in players}
    while sum(player.results for player in players) < 2 * matches:
        events = epoll.poll(PATIENCE)
        if not events:
            raise CannotMeasure("The server fell silent in the middle of a tournament.")
        for fd, _ in events:
            data = by_file[fd].connection.recv(1 << 16)
            if not data:
                raise CannotMeasure("The server hung up in the middle of a tournament.")
            by_file[fd].hear(data)


def _bare(players: list[TourBot], moves: int) -> int:
    """Nanoseconds for as many moves with as many bytes, in pairs, at a bare server."""
    pairs = len(players) // 2
    line = b"@GAME:MOVE:0,%d\n" % (10 ** (sum(p.sent for p in players) // moves - 14))
    each = sum(player.heard for player in players) // moves
    steps, heard = [], [0, 0]
    for n in range(max(1, moves // pairs)):
        seat = n % 2
        steps.append(ScriptedMove(seat, line, heard[seat]))
        heard[seat] += 2
        heard[1 - seat] += 1
    script = PairScript(tuple(steps), (heard[0], heard[1]))
    with running("rookery_tools.bench.load.bare") as server:
        sockets = [connect(server.port) for _ in range(2 * pairs)]
        try:
            for n, one in enumerate(sockets):
                one.sendall(b"pair %d %d %d\n" % (n // 2, each - each // 3, each // 3))
            for one in sockets:
                hear_lines(one, 1)
            both = zip(sockets[::2], sockets[1::2], strict=True)
            return play([Pair((LoadLine(a, 0), LoadLine(b, 1)), script) for a, b in both]).nanos
        finally:
            close(sockets)


def _ask(connection: socket.socket, lines: bytes, answers: int) -> None:
    """Send lines, and wait for so many answers. Raises CannotMeasure for an error among them."""
    connection.sendall(lines)
    heard = hear_lines(connection, answers)
    if b"@ERROR" in heard:
        raise CannotMeasure(f"The server under test says: {heard.decode().strip()}")
