"""The load: many pairs of connections that play prepared games as fast as they are answered.

One thread, one epoll, no JSON: bytes are read into one buffer and their lines counted.
It must cost less than the server it drives, so it says what it cost. The time of an
answer is taken from sending a move to hearing the first byte after it, which is the
answer to it: a mover has heard everything else before.
"""

import select
import socket
import struct
from collections.abc import Iterable, Sequence
from time import perf_counter_ns, thread_time_ns
from typing import Final

from msgspec import Struct

from rookery_tools.bench.figures import percentile
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import PairScript

PATIENCE: Final = 20.0  # seconds without a word from the server
BUFFER: Final = 1 << 18
NEWLINE: Final = 10


class LoadLine:
    """One connection of a pair, and what it has heard."""

    __slots__ = ("heard", "mark", "pair", "seat", "sent", "size", "socket")

    def __init__(self, connection: socket.socket, seat: int, mark: bytes = b"\n") -> None:
        self.socket = connection
        self.seat = seat
        self.mark = mark  # what is counted: a line's end, or what is once in the news of a move
        self.pair: Pair
        self.heard = 0  # marks
        self.size = 0  # bytes
        self.sent = 0  # when it sent a move that is not answered yet


class Pair:
    """Two connections and the script they play."""

    __slots__ = ("at", "done", "lines", "script")

    def __init__(self, lines: tuple[LoadLine, LoadLine], script: PairScript) -> None:
        self.lines = lines
        self.script = script
        self.at = 0  # the step to be made next
        self.done = False
        for line in lines:
            line.pair = self

    def over(self) -> bool:
        """Whether everything was sent and everything was heard."""
        return self.at == len(self.script.steps) and all(
            line.heard >= self.script.heard[line.seat] for line in self.lines
        )


class LoadRun(Struct, frozen=True):
    """What playing all scripts took, from the first move to the last line heard."""

    moves: int
    nanos: int
    cpu: int  # nanoseconds that the load itself used
    sent: int  # bytes
    heard: int
    answers: tuple[int, ...]  # nanoseconds from a move to its answer, sorted

    def answer(self, percent: int) -> float:
        """Microseconds within which so many percent of the answers came."""
        return percentile(self.answers, percent) / 1000


def connect(port: int) -> socket.socket:
    """A connection to the server under test."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def hear_lines(connection: socket.socket, lines: int) -> bytes:
    """Read until so many lines have ended, and return them. Raises CannotMeasure if fewer come."""
    heard = b""
    while heard.count(b"\n") < lines:
        more = connection.recv(1 << 16)
        if not more:
            raise CannotMeasure("A server hung up before the games began.")
        heard += more
    return heard


def play(pairs: Sequence[Pair]) -> LoadRun:
    """Play everything. Raises CannotMeasure when the server falls silent."""
    lines = {line.socket.fileno(): line for pair in pairs for line in pair.lines}
    answers: list[int] = []
    with select.epoll(len(lines)) as epoll:
        for fd, line in lines.items():
            line.socket.settimeout(0)
            epoll.register(fd, select.EPOLLIN)
        cpu, began = thread_time_ns(), perf_counter_ns()
        for pair in pairs:
            _move(pair)
        _turn(epoll, lines, len(pairs), answers)
        nanos, cpu = perf_counter_ns() - began, thread_time_ns() - cpu
    answers.sort()
    steps = [step for pair in pairs for step in pair.script.steps]
    return LoadRun(
        moves=len(steps),
        nanos=nanos,
        cpu=cpu,
        sent=sum(len(step.line) for step in steps),
        heard=sum(line.size for line in lines.values()),
        answers=tuple(answers),
    )


def _turn(
    epoll: "select.epoll", lines: dict[int, LoadLine], pairs: int, answers: list[int]
) -> None:
    """Hear and answer until every pair is done."""
    buffer = bytearray(BUFFER)
    while pairs:
        events = epoll.poll(PATIENCE)
        now = perf_counter_ns()
        if not events:
            raise CannotMeasure(f"The server fell silent, and {pairs} pairs still had to play.")
        for fd, _ in events:
            line = lines[fd]
            size = line.socket.recv_into(buffer)
            if not size:
                raise CannotMeasure("The server hung up in the middle of a game.")
            line.size += size
            line.heard += buffer.count(line.mark, 0, size)
            if line.sent:
                answers.append(now - line.sent)
                line.sent = 0
            pair = line.pair
            if pair.at < len(pair.script.steps):
                step = pair.script.steps[pair.at]
                if step.seat == line.seat and line.heard >= step.due:
                    _move(pair)
            elif not pair.done and pair.over():
                pair.done = True
                pairs -= 1


def _move(pair: Pair) -> None:
    step = pair.script.steps[pair.at]
    line = pair.lines[step.seat]
    pair.at += 1
    line.sent = perf_counter_ns()
    line.socket.send(step.line)


def close(connections: Iterable[socket.socket]) -> None:
    """Hang up at once, and leave no port behind that has to be waited for."""
    for connection in connections:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
