"""Floods by people who mean harm: `python -m rookery_tools.bench.hostile.floods PORT FLOOD LINES`.

LINES connections ask one thing as fast as the server takes it, and read all that comes. The
process prints `ready` on a line when all have begun, goes on until its standard input ends, and
then prints how many answers they had, in how many seconds.
"""

import os
import re
import select
import socket
import sys
from collections.abc import Callable
from functools import partial
from threading import Thread
from time import perf_counter
from typing import Final

from msgspec import Struct

from rookery_tools.bench.hostile.flooding import trusting
from rookery_tools.bench.load.load import BUFFER, close, connect, hear_lines

BULK: Final = 64 * 1024  # bytes that wait to be sent on a connection
AHEAD: Final = 20  # things asked at once, where each hangs on the answer to the one before
CROWD: Final = 400  # connections that ask one thing each, where a flood is one of many
SHAKERS: Final = 4  # threads that shake hands
TABLES: Final = 50  # opened by each connection before it asks for a list of them

PLAYER: Final = b'{"type":"hello","version":1,"name":"mallory"}\n'
LIST: Final = b'{"type":"list_tables"}\n'
OPEN: Final = b'{"type":"open","variant":"tictactoe"}\n'
LOBBY: Final = b'{"type":"open","variant":"reversi","time":"1h"}\n'
ROOM: Final = b'"room":"flood","variant":"reversi"'
UPGRADE: Final = (
    b"GET /ws/native HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
BIG_NIM: Final = "nim sticks=" + ",".join(["1000"] * 30)
_SAT: Final = re.compile(rb'"type":"done","table":(\d+),"seat":0')


class Flood(Struct, frozen=True):
    """One way to ask too much of a server."""

    name: str
    answer: bytes  # what an answer has in it, once
    asked: Callable[[socket.socket], bytes]  # what is asked again and again, once all is ready
    then: Callable[[bytes], bytes] | None = None  # what is asked next, after these answers
    ahead: int = AHEAD  # things asked at once, where that hangs on the answers
    connections: int | None = None  # instead of as many as others have


def _say(words: bytes, lines: int, to: socket.socket) -> bytes:
    """Send bytes, and wait for so many lines, which are returned."""
    to.sendall(words)
    return hear_lines(to, lines)


def _after(before: bytes, lines: int, asked: bytes, to: socket.socket) -> bytes:
    """Send bytes and wait for their answers; returns the request to flood with."""
    _say(before, lines, to)
    return asked


def _questions(to: socket.socket) -> bytes:
    """Dear ones: lists of tables, and every move of a large game of nim."""
    _say(PLAYER + b'{"type":"enter","name":"second"}\n', 2, to)
    heard = b""
    for player in _players(_say(b'{"type":"list_players"}\n', 1, to))[-2:]:
        opening = b'{"type":"open","variant":"tictactoe","player":%d}\n' % player
        heard = _say(opening * (TABLES // 2), TABLES, to)
    first, second = _players(_say(b'{"type":"list_players"}\n', 1, to))[-2:]
    opening = b'{"type":"open","variant":"%b","player":%d}\n' % (BIG_NIM.encode(), first)
    heard = _say(opening, 2, to)
    found = _SAT.search(heard)
    if found is None:
        return LIST
    table = int(found[1])
    _say(b'{"type":"sit","table":%d,"player":%d}\n' % (table, second), 3, to)
    moves = b'{"type":"legal_moves","table":%d,"player":%d}\n' % (table, first)
    return LIST + moves


def _players(heard: bytes) -> list[int]:
    return [int(one) for one in re.findall(rb'"player":(\d+)', heard)]


def _renames(to: socket.socket) -> bytes:
    _say(PLAYER, 1, to)
    return b"".join(b'{"type":"rename","name":"mallory %d"}\n' % n for n in range(50))


def _open_and_leave(to: socket.socket) -> bytes:
    _say(PLAYER, 1, to)
    return OPEN


def _seated(to: socket.socket) -> bytes:
    """Enter, open a table, and return the request for a list of all tables."""
    _say(PLAYER, 1, to)
    _say(OPEN, 2, to)
    return LIST


def _list(heard: bytes) -> bytes:
    """The next question, when the last is answered."""
    return LIST * heard.count(_LISTED)


def _leave(heard: bytes) -> bytes:
    """The requests that leave each table of these answers, and open another."""
    tables = _SAT.findall(heard)
    return b"".join(b'{"type":"leave","table":%b}\n' % one + OPEN for one in tables)


def _games(to: socket.socket) -> bytes:
    """The requests that open and leave games of bughouse, before all in its lobby."""
    number = int(_say(b"ADD_PLAYER:mallory\n", 1, to).split(b"\n")[0])
    return b"CREATE_GAME:%d\nQUIT:%d\n" % (number, number)


_ENTER: Final = b'{"type":"enter_room",%b}\n{"type":"leave_room"}\n' % ROOM
_LISTED: Final = b'"type":"tables"'
_GET: Final = b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_PING_FRAME: Final = b"\x89\x80\x00\x00\x00\x00"  # no word, and a mask of zeros

SHAKING: Final = "TLS handshakes"
FLOODS: Final = {
    flood.name: flood
    for flood in (
        Flood("pings", b"pong", partial(_after, PLAYER, 1, b'{"type":"ping"}\n')),
        Flood("unreadable lines", b"unreadable", partial(_after, PLAYER, 1, b"x\n")),
        Flood("dear questions", b'"type":"', _questions),
        Flood("HTTP GET", b"HTTP/1.1 ", lambda _: _GET),
        Flood("open and leave", b'"type":"done"', _open_and_leave, _leave),
        Flood("bughouse lobby", b"QUIT_OK", _games),
        Flood("rooms", b'"type":"roomed"', partial(_after, PLAYER, 1, _ENTER)),
        Flood("rename", b'"type":"', _renames),
        Flood("many connections", _LISTED, _seated, _list, ahead=1, connections=CROWD),
        Flood("WebSocket frames", b"\x8a\x00", partial(_after, UPGRADE, 5, _PING_FRAME)),
    )
}
NAMES: Final = (*FLOODS, SHAKING)


class _Line:
    """One connection of a flood."""

    def __init__(self, port: int, flood: Flood) -> None:
        self.socket = connect(port)
        self._flood = flood
        asked = flood.asked(self.socket)
        self.answers = 0
        self._again = b"" if flood.then else asked * (BULK // len(asked))
        self._left = asked * flood.ahead if flood.then else self._again
        self.socket.settimeout(0)

    @property
    def wants_to_send(self) -> bool:
        """Whether bytes wait to be sent."""
        return bool(self._left)

    def send(self) -> None:
        """Send as many bytes as the server takes."""
        self._left = self._left[self.socket.send(self._left) :] or self._again

    def hear(self) -> bool:
        """Hear what came; whether the server is still there."""
        heard = self.socket.recv(BUFFER)
        self.answers += heard.count(self._flood.answer)
        if self._flood.then is not None:
            self._left += self._flood.then(heard)
        return bool(heard)


def main(port: int, name: str, lines: int) -> None:
    """Flood until the standard input ends."""
    # It stands for people elsewhere: it runs where nobody who is measured wants to.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    began = perf_counter()
    answers = _shake(port) if name == SHAKING else _flood(port, FLOODS[name], lines)
    print(f"{answers} {perf_counter() - began:.3f}", flush=True)  # noqa: T201


def _flood(port: int, flood: Flood, count: int) -> int:
    lines = {line.socket.fileno(): line for line in (_Line(port, flood) for _ in range(count))}
    print("ready", flush=True)  # noqa: T201 # to the process that started us
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN | select.POLLHUP)
    for fd in lines:
        poll.register(fd, select.POLLIN | select.POLLOUT)
    while lines:
        for fd, event in poll.poll():
            if fd == sys.stdin.fileno():
                close(line.socket for line in lines.values())
                return sum(line.answers for line in lines.values())
            line = lines[fd]
            if event & ~select.POLLOUT and not line.hear():
                poll.unregister(fd)
                continue
            if event & select.POLLOUT and line.wants_to_send:
                line.send()
            poll.modify(fd, select.POLLIN | (select.POLLOUT if line.wants_to_send else 0))
    return 0


def _shake(port: int) -> int:
    """Shake hands, hang up, and again."""
    tls = trusting()
    shaken: list[None] = []

    def shake() -> None:
        while True:
            with connect(port) as plain, tls.wrap_socket(plain):
                shaken.append(None)

    for _ in range(SHAKERS):
        Thread(target=shake, daemon=True).start()
    print("ready", flush=True)  # noqa: T201 # to the process that started us
    os.read(sys.stdin.fileno(), 1)
    return len(shaken)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
