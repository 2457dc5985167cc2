"""What a language is to the load, and what all of them need to be seated."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from msgspec import Struct

from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.load.load import LoadLine, Pair, close, connect
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import Moves, PairScript, ScriptedMove


class BegunPairs(Struct, frozen=True):
    """Pairs whose games have begun; those of one room hear of each other's moves."""

    pairs: tuple[Pair, ...]


Seating = Callable[
    [int, int], AbstractContextManager[list[BegunPairs]]
]  # a port, and how many tables


class Language(Struct, frozen=True):
    """A language as a load: how to seat pairs, its port's TOML options, and a move's budget."""

    name: str
    seat: Seating
    budget: FigureBudget
    options: str | None = None  # None: spoken at the port that understands everyone
    share: float = 0.5  # of the bytes of a move, what its mover hears of what a pair hears


class SeatingClient(Protocol):
    """The part of a client that seating needs."""

    def hear(self, came: bytes) -> Iterator[object]:
        """Read the server's bytes into happenings; bytes among them are to be sent at once."""
        ...


def hear_until(
    connection: socket.socket, client: SeatingClient, done: Callable[[object], bool]
) -> None:
    """Let a client read until a happening satisfies `done`. Raises CannotMeasure."""
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
    """A script in which only the next mover is told of a move; the first has been told already."""
    heard = [0, 0]
    made = []
    for n, (seat, line) in enumerate(steps):
        heard[seat] += n > 0
        made.append(ScriptedMove(seat, line, heard[seat]))
    return PairScript(tuple(made), (heard[0], heard[1]))


def pair(both: Sequence[socket.socket], script: PairScript, mark: bytes) -> Pair:
    """A pair of connections that play this script, and count what they are told by this mark."""
    first, second = both
    return Pair((LoadLine(first, 0, mark), LoadLine(second, 1, mark)), script)


def game_of(known: Sequence[Moves], table: int) -> Moves:
    """The game of a table: all are different as far as there are games."""
    return known[table % len(known)]
