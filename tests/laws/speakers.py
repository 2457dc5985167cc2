"""What each dialect's clients say, and how to tell whether what they hear is well-formed.

The laws of dialects know no grammar; whoever adds a dialect adds a speaker here.
"""

from collections.abc import Mapping
from typing import Final, Protocol

import msgspec

from rookery.dialects.limits import NATIVE_LINE_MAX


class Speaker(Protocol):
    """One dialect, as its clients know it."""

    requests: tuple[bytes, ...]  # each whole, with its end, and each answered once
    noise: tuple[bytes, ...]  # each whole, and not answered
    too_long: bytes  # more than the dialect reads

    def answers(self, said: bytes) -> list[bytes]:
        """The answers in what the server said, in order. Fails if any of it is malformed."""
        ...

    def news(self, said: bytes) -> list[bytes]:
        """What nobody asked for, in order. Fails if any of it is malformed."""
        ...


class NativeSpeaker:
    """JSON lines."""

    requests: tuple[bytes, ...] = (
        b'{"type":"hello","version":1}\n',
        b'{"type":"hello","version":1,"name":"Ann"}\n',
        b'{"type":"hello","version":1,"name":"Zo\xc3\xab","views":true}\r\n',
        b'{"type":"hello","version":1,"player":1,"token":"token-1"}\n',
        b'{"type":"hello","version":2}\n',
        b'{"type":"enter","name":"Bob","dialect":"tourney"}\n',
        b'{"type":"enter","name":""}\n',
        b'{"type":"ping"}\n',
        b'{"type":"ping"}\r\n',
        b'{"type":"list_games"}\n',
        b'{"type":"list_tables"}\n',
        b'{"type":"list_players"}\n',
        b'{"type":"open","variant":"nim sticks=2,1"}\n',
        b'{"type":"open","variant":"guess high=3","player":1}\n',
        b'{"type":"seek","variant":"tictactoe"}\n',
        b'{"type":"seek","variant":"tictactoe","player":1}\n',
        b'{"type":"seek","variant":"tictactoe","player":2}\n',
        b'{"type":"sit","table":1}\n',
        b'{"type":"sit","table":1,"player":2}\n',
        b'{"type":"watch","table":1}\n',
        b'{"type":"unwatch","table":1}\n',
        b'{"type":"play","table":1,"move":"4"}\n',
        b'{"type":"play","table":1,"move":"0,1","player":1}\n',
        b'{"type":"play","table":1,"move":"1","player":2}\n',
        b'{"type":"legal_moves","table":1}\n',
        b'{"type":"show","table":1}\n',
        b'{"type":"say","table":1,"text":"hello"}\n',
        b'{"type":"offer_draw","table":1}\n',
        b'{"type":"resign","table":1}\n',
        b'{"type":"rematch","table":1}\n',
        b'{"type":"history","table":1,"since":2}\n',
        b'{"type":"history","table":12345678901234567890123}\n',
        b'{"type":"nothing"}\n',
        b'{"type":\n',
        b"GET / HTTP/1.1\r\n",
        b'{"type":"enter","name":"\xff"}\n',
        b'{"a":' + b"[" * 3000 + b"]" * 3000 + b',"type":"ping"}\n',
        b"\r{}\n",
        b"\0\n",
    )
    noise: tuple[bytes, ...] = (b"\n", b"\r\n", b" \t\n")
    too_long = b'{"type":"say","table":1,"text":"' + b"x" * NATIVE_LINE_MAX + b'"}\n'

    def answers(self, said: bytes) -> list[bytes]:
        """All lines but news and notices."""
        return [line for line in self._lines(said) if not self._unasked(line)]

    def news(self, said: bytes) -> list[bytes]:
        """News and notices."""
        return [line for line in self._lines(said) if self._unasked(line)]

    def _lines(self, said: bytes) -> list[bytes]:
        assert not said or said.endswith(b"\n"), "every line has its end"
        return said.splitlines()

    def _unasked(self, line: bytes) -> bool:
        kind = msgspec.json.decode(line, type=Typed).type
        assert kind in ANSWERS | UNASKED, f"{kind} is nothing that the page lists"
        return kind in UNASKED


class Typed(msgspec.Struct):
    """A JSON object with a type."""

    type: str


ANSWERS: Final = frozenset(
    {
        "hello", "pong", "done", "refused", "welcome", "games", "tables", "players", "shown",
        "moves", "past",
    }
)  # fmt: skip
UNASKED: Final = frozenset({"news", "notice"})

SPEAKERS: Final[Mapping[str, Speaker]] = {"native": NativeSpeaker()}
