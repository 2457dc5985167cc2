"""Native over a WebSocket, as the page speaks it: the same lines, a message each."""

import base64
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Final

import msgspec

from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import (
    BegunPairs,
    Language,
    connections,
    game_of,
    pair,
    told_both,
)
from rookery_tools.bench.load.load import Pair
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import REVERSI, Moves, games_of

NEWS: Final = b'"type":"news"'
TEXT: Final = 0x81  # a whole message of text
MASKED: Final = 0x80
SHORT: Final = 126  # bytes from which a length takes two more
MASK: Final = b"\x12\x34\x56\x78"  # any will do
SHAKE: Final = (
    b"GET /ws/native HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: %b\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def message(text: bytes) -> bytes:
    """A message as a client sends it, which must be masked."""
    size = len(text)
    length = bytes([MASKED | size]) if size < SHORT else b"\xfe" + size.to_bytes(2, "big")
    masked = bytes(one ^ key for one, key in zip(text, cycle(MASK), strict=False))
    return bytes([TEXT]) + length + MASK + masked


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each, over WebSockets."""
    with connections(port, 2 * tables) as sockets:
        games = games_of(REVERSI)
        both = zip(sockets[::2], sockets[1::2], strict=True)
        yield [
            BegunPairs((_begin(one, two, game_of(games, n)),)) for n, (one, two) in enumerate(both)
        ]


def _begin(one: socket.socket, two: socket.socket, moves: Moves) -> Pair:
    for connection, name in ((one, "Black"), (two, "White")):
        connection.sendall(SHAKE % base64.b64encode(bytes(16)))
        _until(connection, b"\r\n\r\n")
        _say(connection, type="hello", version=1, name=name)
        _until(connection, b'"token"')
    _say(one, type="open", variant=REVERSI, time="1h")
    done = _until(one, b'"sat"')
    table = int(done.partition(b'"table":')[2].partition(b",")[0])
    _say(two, type="sit", table=table)
    for connection in (one, two):
        _until(connection, b'"started"')
    line = b'{"type":"play","table":%d,"move":"%b"}'
    steps = [(seat, message(line % (table, text.encode()))) for seat, text in moves]
    return pair((one, two), told_both(steps), NEWS)


def _say(connection: socket.socket, **words: str | int) -> None:
    connection.sendall(message(msgspec.json.encode(words)))


def _until(connection: socket.socket, mark: bytes) -> bytes:
    heard = b""
    while mark not in heard:
        more = connection.recv(1 << 16)
        if not more or b'"refused"' in heard:
            raise CannotMeasure("The server let nobody play over a WebSocket.")
        heard += more
    return heard


LANGUAGE: Final = Language("websocket", seat, FigureBudget(4, 3, bare=True), share=0.58)
