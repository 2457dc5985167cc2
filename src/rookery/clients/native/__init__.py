"""The native dialect, from the client's side: JSON lines, each request answered in order.

Boards come ready with the news, so no rules are needed. The code that uses a client keeps what
it is told of a table as a `KnownTable` (`table`).
"""

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from rookery.clients.lines import Lines
from rookery.clients.native.words import Answer, Greeting, Hello, Request, Unasked
from rookery.games.views import read_part

LINE_MAX: Final = 1 << 24  # bytes of an answer; the longest are lists of moves


class Answered(Struct, frozen=True):
    """The server answered this request of ours."""

    asked: Request
    answer: Answer


class Unknown(Struct, frozen=True):
    """A line the client cannot read: of a later version, or the server is no Rookery."""

    line: str


Happening: TypeAlias = Answered | Unasked | Unknown

_READER: Final[msgspec.json.Decoder[Answer | Unasked]] = msgspec.json.Decoder(
    Answer | Unasked, dec_hook=read_part
)


class NativeClient:
    """One player, over one connection after the other."""

    def __init__(self, name: str | None = None) -> None:
        self.me: Greeting | None = None  # as the server last greeted us
        self.greeted = False  # on this connection
        self._name = name
        self._lines = Lines(LINE_MAX)
        self._owed: deque[Request] = deque()  # what is not answered yet

    @property
    def busy(self) -> bool:
        """Whether the client waits for the answer to a request."""
        return bool(self._owed)

    def hello(self) -> Hello:
        """Begin a new connection; returns its first request: be a new player, or the same again."""
        self._lines, self.greeted = Lines(LINE_MAX), False
        self._owed.clear()
        if self.me is None or self.me.player is None:
            return Hello(name=self._name, views=True)
        return Hello(player=self.me.player, token=self.me.token, views=True)

    def forget(self) -> None:
        """Forget who we were, as the server has: the next hello asks for a new player."""
        self.me = None

    def ask(self, request: Request) -> bytes:
        """The bytes of a request; the client waits for its answer from now on."""
        self._owed.append(request)
        return msgspec.json.encode(request) + b"\n"

    def hear(self, came: bytes) -> Iterator[Happening]:
        """Read the server's bytes into happenings, one a line; answers with their requests."""
        for line in self._lines.feed(came):
            try:
                message = _READER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield Unknown(line.decode("utf-8", "replace"))
                continue
            if isinstance(message, Unasked):
                yield message
            elif not self._owed:
                yield Unknown(line.decode("utf-8", "replace"))
            else:
                if isinstance(message, Greeting):
                    self.me, self.greeted = message, True
                yield Answered(self._owed.popleft(), message)
