"""What a language is to the load, and what all of them need to be seated."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from msgspec import Struct

from rookery.bench.figures import FigureBudget
from rookery.bench.load.load import LoadLine, Pair, close, connect
from rookery.bench.load.processes import CannotMeasure
from rookery.bench.load.scripts import Moves, PairScript, ScriptedMove


class BegunPairs(Struct, frozen=True):
    """Pairs whose games have begun; those of one room hear of each other's moves."""

    pairs: tuple[Pair, ...]


Seating = Callable[
    [int, int], AbstractContextManager[list[BegunPairs]]
]  # a port, and how many tables


class Language(Struct, frozen=True):
    """A language: its port's options as lines of TOML, who seats, and what a move may cost."""

    name: str
    seat: Seating
    budget: FigureBudget
    options: str | None = None  # None: spoken at the port that understands everyone
    share: float = 0.5  # of the bytes of a move, what its mover hears of what a pair hears


class SeatingClient(Protocol):
    """As much of a client as seating needs."""

    def hear(self, came: bytes) -> Iterator[object]:
        """What these bytes tell; bytes among it are to be answered at once."""
        ...


def hear_until(
    connection: socket.socket, client: SeatingClient, done: Callable[[object], bool]
) -> None:
    """Let this client hear until something has happened. Raises CannotMeasure."""
    while True:
        try:
            came = connection.recv(1 << 16)
        except TimeoutError:
            raise CannotMeasure("The server fell silent before the games began.") from None
        if not came:
            raise CannotMeasure("The server hung up before the games began.")
        happened = []
        for one in client.hear(came):
            if isinstance(one, bytes):
                connection.sendall(one)
            happened.append(one)
        if any(done(one) for one in happened):
            return


@contextmanager
def connections(port: int, many: int) -> Iterator[list[socket.socket]]:
    """So many connections, for as long as the block lasts."""
    opened: list[socket.socket] = []
    try:
        while len(opened) < many:
            opened.append(connect(port))
        yield opened
    finally:
        close(opened)


def told_both(steps: Sequence[tuple[int, bytes]]) -> PairScript:
    """A script where every move is told once to each of the two."""
    made = tuple(ScriptedMove(seat, line, n) for n, (seat, line) in enumerate(steps))
    return PairScript(made, (len(made), len(made)))


def told_next(steps: Sequence[tuple[int, bytes]]) -> PairScript:
    """A script where only who is next is told; the first has been told already."""
    heard = [0, 0]
    made = []
    for n, (seat, line) in enumerate(steps):
        heard[seat] += n > 0
        made.append(ScriptedMove(seat, line, heard[seat]))
    return PairScript(tuple(made), (heard[0], heard[1]))


def pair(both: Sequence[socket.socket], script: PairScript, mark: bytes) -> Pair:
    """Two connections that play this, and count what is told by this mark in it."""
    first, second = both
    return Pair((LoadLine(first, 0, mark), LoadLine(second, 1, mark)), script)


def game_of(known: Sequence[Moves], table: int) -> Moves:
    """The game of a table: all are different as far as there are games."""
    return known[table % len(known)]
