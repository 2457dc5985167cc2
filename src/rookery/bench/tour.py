"""A whole tournament: instant nim clients of the tourney dialect, all against all, twice.

The old server took minutes for this, because it looked at its matches once in a while. It
should take about the time its bytes take: the same number of moves, with as many bytes, is
played by as many connections at a server that only moves bytes.
"""

import select
import socket
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Final

from msgspec import Struct

from rookery.bench.load.load import PATIENCE, Line, Pair, close, connect, play
from rookery.bench.load.processes import CannotMeasure, rookery, running
from rookery.bench.load.scripts import Script, Step

TURN: Final = {b"H": b"0", b"A": b"1"}  # how a STATE begins when it is one's turn
RESULT: Final = b"@GAME:RESULT:"
STATE: Final = b"@GAME:STATE:"
START: Final = b"@GAME:START:"


class TourCourse(Struct, frozen=True):
    """One tournament, and the same bytes bare."""

    clients: int
    matches: int
    moves: int
    seconds: float  # from the start to the last result
    bare_seconds: float
    micros: float  # CPU of the server, a move
    matches_a_second: int


class Client:
    """One player; it answers every state that is its turn by taking a whole row."""

    __slots__ = ("_rest", "_turn", "connection", "heard", "moves", "results", "sent")

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.moves = self.results = self.sent = self.heard = 0
        self._rest = b""
        self._turn = b""

    def hear(self, data: bytes) -> None:
        """Answer what has come."""
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


def tournament(clients: int, folder: Path) -> TourCourse:
    """Everyone against everyone twice. Raises CannotMeasure."""
    with TemporaryDirectory(dir=folder) as log, rookery(Path(log)) as server:
        connections = [connect(server.port) for _ in range(clients + 1)]
        try:
            owner, *others = connections
            _ask(owner, b"@NEW PLAYER\n@TOUR:CREATE:NIM\n", 2)
            for one in others:
                _ask(one, b"@NEW PLAYER\n@TOUR:JOIN\n", 2)
            players = [Client(one) for one in others]
            before, began = server.cpu(), perf_counter_ns()
            owner.sendall(b"@TOUR:START\n")
            _play(players, clients * (clients - 1))
            nanos, cpu = perf_counter_ns() - began, server.cpu() - before
        finally:
            close(connections)
    moves = sum(player.moves for player in players)
    return TourCourse(
        clients=clients,
        matches=clients * (clients - 1),
        moves=moves,
        seconds=round(nanos / 1e9, 3),
        bare_seconds=round(_bare(players, moves) / 1e9, 3),
        micros=round(cpu / moves / 1000, 1),
        matches_a_second=round(clients * (clients - 1) / nanos * 1e9),
    )


def _play(players: list[Client], matches: int) -> None:
    """Hear and answer until every match has come out for both."""
    by_file = {player.connection.fileno(): player for player in players}
    with select.epoll(len(players)) as epoll:
        for fd in by_file:
            epoll.register(fd, select.EPOLLIN)
        while sum(player.results for player in players) < 2 * matches:
            events = epoll.poll(PATIENCE)
            if not events:
                raise CannotMeasure("The server fell silent in the middle of a tournament.")
            for fd, _ in events:
                data = by_file[fd].connection.recv(1 << 16)
                if not data:
                    raise CannotMeasure("The server hung up in the middle of a tournament.")
                by_file[fd].hear(data)


def _bare(players: list[Client], moves: int) -> int:
    """Nanoseconds for as many moves with as many bytes, in pairs, at a bare server."""
    pairs = len(players) // 2
    line = b"@GAME:MOVE:0,%d\n" % (10 ** (sum(p.sent for p in players) // moves - 14))
    each = sum(player.heard for player in players) // moves
    steps, heard = [], [0, 0]
    for n in range(max(1, moves // pairs)):
        seat = n % 2
        steps.append(Step(seat, line, heard[seat]))
        heard[seat] += 2
        heard[1 - seat] += 1
    script = Script(tuple(steps), (heard[0], heard[1]))
    with running("rookery.bench.load.bare") as server:
        sockets = [connect(server.port) for _ in range(2 * pairs)]
        try:
            for n, one in enumerate(sockets):
                one.sendall(b"pair %d %d %d\n" % (n // 2, each - each // 3, each // 3))
            for one in sockets:
                _hear_lines(one, 1)
            both = zip(sockets[::2], sockets[1::2], strict=True)
            return play([Pair((Line(a, 0), Line(b, 1)), script) for a, b in both]).nanos
        finally:
            close(sockets)


def _ask(connection: socket.socket, lines: bytes, answers: int) -> None:
    """Say this, and hear so many answers, none of them an error."""
    connection.sendall(lines)
    heard = _hear_lines(connection, answers)
    if b"@ERROR" in heard:
        raise CannotMeasure(f"The server under test says: {heard.decode().strip()}")


def _hear_lines(connection: socket.socket, lines: int) -> bytes:
    heard = b""
    while heard.count(b"\n") < lines:
        more = connection.recv(1 << 16)
        if not more:
            raise CannotMeasure("A server hung up before the games began.")
        heard += more
    return heard
