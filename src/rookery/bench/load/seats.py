"""Seating the load: pairs of connections, each with its tables full of games to play.

At Rookery every table of a pair is seated and started before anything is measured. A
bare server is only told who belongs to whom, and how many bytes to send to each.
"""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec
from msgspec import Struct

from rookery.bench.load.load import Line, Pair, close, connect
from rookery.bench.load.processes import CannotMeasure
from rookery.bench.load.scripts import Moves, Script, games_of, script

TIME: Final = "1h"  # clocks are on, as in most real games, and none falls
BARE_TABLE: Final = 1000  # a bare server has no tables; this number is as long as Rookery's
_REFUSED: Final = b'"type":"refused"'


class Party(Struct, frozen=True):
    """What one pair plays: games of a variant, one after the other."""

    variant: str
    games: tuple[Moves, ...]


class Sizes(Struct, frozen=True):
    """Bytes that the two of a pair are sent for one move."""

    mover: int
    other: int


class _Reply(Struct, frozen=True):
    """As much of a line as seating needs."""

    type: str
    table: int | None = None
    sentence: str = ""


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
        for (first, _), party in zip(sockets, playing, strict=True):
            opening = {"type": "open", "variant": party.variant, "time": TIME}
            _say(first, "Black", [opening] * len(party.games))
        tables = []
        for (first, second), party in zip(sockets, playing, strict=True):
            # Greeted; then for each table an answer, and news of sitting down there.
            heard = _hear(first, 1 + 2 * len(party.games))
            tables.append([one.table or 0 for one in heard if one.type == "done"])
            _say(second, "White", [{"type": "sit", "table": table} for table in tables[-1]])
        pairs = []
        for (first, second), party, at in zip(sockets, playing, tables, strict=True):
            _hear(first, 2 * len(at))  # the other sat down, the game started
            _hear(second, 1 + 3 * len(at))  # the same, with the greeting and the answers
            pairs.append(_pair(first, second, script(party.games, at, ending=1)))
        yield pairs


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
                _read(one, 1)
            tables = [BARE_TABLE] * len(party.games)
            pairs.append(_pair(first, second, script(party.games, tables, ending=0)))
        yield pairs


def _pair(first: socket.socket, second: socket.socket, play: Script) -> Pair:
    return Pair((Line(first, 0), Line(second, 1)), play)


@contextmanager
def _sockets(port: int, pairs: int) -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    sockets: list[socket.socket] = []
    try:
        sockets.extend(connect(port) for _ in range(2 * pairs))
        yield list(zip(sockets[::2], sockets[1::2], strict=True))
    finally:
        close(sockets)


def _say(to: socket.socket, name: str, requests: Sequence[Mapping[str, object]]) -> None:
    hello = {"type": "hello", "version": 1, "name": name}
    to.sendall(b"".join(msgspec.json.encode(one) + b"\n" for one in (hello, *requests)))


def _hear(source: socket.socket, lines: int) -> list[_Reply]:
    """The next so many lines, none of them a refusal."""
    heard = [msgspec.json.decode(line, type=_Reply) for line in _read(source, lines)]
    for one in heard:
        if one.type == "refused":
            raise CannotMeasure(f"The server under test says: {one.sentence}")
    return heard


def _read(source: socket.socket, lines: int) -> list[bytes]:
    """The next so many lines, fewer where one is a refusal; nothing must come after them."""
    heard = b""
    while heard.count(b"\n") < lines and not (heard.endswith(b"\n") and _REFUSED in heard):
        more = source.recv(1 << 16)
        if not more:
            raise CannotMeasure("A server hung up before the games began.")
        heard += more
    assert heard.count(b"\n") <= lines, "a pair is told nothing else before it plays"
    return heard.splitlines()
