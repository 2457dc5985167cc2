"""Seating the load: pairs of connections, each with its tables full of games to play.

At Rookery every table of a pair is seated and started before anything is measured. A
bare server is only told who belongs to whom, and how many bytes to send to each.
"""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from rookery.clients.native import Answered, Happening, NativeClient
from rookery.clients.native.words import Hello, Request
from rookery.core.ids import TableId
from rookery.core.intents import Open, Sit
from rookery.core.messages import Done, Refused
from rookery_tools.bench.load.load import LoadLine, Pair, close, connect, hear_lines
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import Moves, PairScript, games_of, script

TIME: Final = "1h"  # clocks are on, as in most real games, and none falls
BARE_TABLE: Final = 1000  # a bare server has no tables; this number is as long as Rookery's


class Party(Struct, frozen=True):
    """What one pair plays: games of a variant, one after the other."""

    variant: str
    games: tuple[Moves, ...]


class Sizes(Struct, frozen=True):
    """Bytes that the two of a pair are sent for one move."""

    mover: int
    other: int


class _Caller:
    """One connection of a pair, until its tables are full."""

    def __init__(self, connection: socket.socket, name: str) -> None:
        self._socket, self._client = connection, NativeClient()
        self._name = name

    def say(self, requests: Sequence[Request]) -> None:
        """Send a hello without views, and these requests."""
        every = (Hello(name=self._name), *requests)
        self._socket.sendall(b"".join(map(self._client.ask, every)))

    def hear(self, lines: int) -> list[Happening]:
        """Read so many lines; no refusal may be among them, and nothing may come after them."""
        heard: list[Happening] = []
        while len(heard) < lines:
            more = self._socket.recv(1 << 16)
            if not more:
                raise CannotMeasure("A server hung up before the games began.")
            for one in self._client.hear(more):
                match one:
                    case Answered(answer=Refused(sentence=sentence)):
                        raise CannotMeasure(f"The server under test says: {sentence}")
                    case _:
                        heard.append(one)
        assert len(heard) == lines, "a pair is told nothing else before it plays"
        return heard


def parties(variant: str, pairs: int, games: int) -> list[Party]:
    """So many pairs that play so many games each."""
    known = games_of(variant)
    return [
        Party(variant, tuple(known[(pair + n) % len(known)] for n in range(games)))
        for pair in range(pairs)
    ]


@contextmanager
def seated(port: int, playing: Sequence[Party]) -> Iterator[list[Pair]]:
    """Pairs at a Rookery server, all their games started."""
    with _sockets(port, len(playing)) as sockets:
        callers = [(_Caller(first, "Black"), _Caller(second, "White")) for first, second in sockets]
        for (first, _), party in zip(callers, playing, strict=True):
            first.say([Open(party.variant, time=TIME)] * len(party.games))
        tables = []
        for (first, second), party in zip(callers, playing, strict=True):
            # Greeted; then for each table an answer, and news of sitting down there.
            tables.append(_opened(first.hear(1 + 2 * len(party.games))))
            second.say([Sit(table) for table in tables[-1]])
        for (first, second), at in zip(callers, tables, strict=True):
            first.hear(2 * len(at))  # the other sat down, the game started
            second.hear(1 + 3 * len(at))  # the same, with the greeting and the answers
        yield [
            _pair(first, second, script(party.games, at, ending=1))
            for (first, second), party, at in zip(sockets, playing, tables, strict=True)
        ]


@contextmanager
def paired(port: int, playing: Sequence[Party], sizes: Mapping[str, Sizes]) -> Iterator[list[Pair]]:
    """Pairs at a bare server, which sends what Rookery sent for a move of that variant."""
    with _sockets(port, len(playing)) as sockets:
        for n, (both, party) in enumerate(zip(sockets, playing, strict=True)):
            size = sizes[party.variant]
            for one in both:
                one.sendall(b"pair %d %d %d\n" % (n, size.mover, size.other))
        pairs = []
        for (first, second), party in zip(sockets, playing, strict=True):
            for one in (first, second):
                hear_lines(one, 1)
            tables = [BARE_TABLE] * len(party.games)
            pairs.append(_pair(first, second, script(party.games, tables, ending=0)))
        yield pairs


def _pair(first: socket.socket, second: socket.socket, play: PairScript) -> Pair:
    return Pair((LoadLine(first, 0), LoadLine(second, 1)), play)


@contextmanager
def _sockets(port: int, pairs: int) -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    sockets: list[socket.socket] = []
    try:
        sockets.extend(connect(port) for _ in range(2 * pairs))
        yield list(zip(sockets[::2], sockets[1::2], strict=True))
    finally:
        close(sockets)


def _opened(heard: Sequence[Happening]) -> list[TableId]:
    """The tables that these answers say were opened."""
    found = []
    for one in heard:
        match one:
            case Answered(answer=Done(table=int(table))):
                found.append(TableId(table))
            case _:
                pass
    return found
