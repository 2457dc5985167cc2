"""What each dialect's clients say, and how to tell whether what they hear is well-formed.

The laws of dialects know no grammar. A dialect that has no speaker here is tried with the hello
that it declares.
"""

import re
from collections.abc import Mapping
from typing import Final, Protocol

import msgspec

from rookery.dialects import LANGUAGES
from rookery.dialects.native import profile as native_limits
from rookery.dialects.othello import profile as othello_limits
from rookery.dialects.tourney import profile as tourney_limits
from tests.laws.blackwhite_speaker import BlackWhiteSpeaker
from tests.laws.bughouse_speaker import BughouseSpeaker
from tests.laws.fish_speaker import FishSpeaker
from tests.laws.fishcom_speaker import FishcomSpeaker


class Speaker(Protocol):
    """One dialect, as its clients know it."""

    requests: tuple[bytes, ...]  # each whole, with its end, and each answered once
    answers_all: bool  # also when the hall does as it is asked; some only tell news then
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

    answers_all = True
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
        b'{"type":"enter_room","room":"den","variant":"nim","name":"Cyd"}\n',
        b'{"type":"enter_room","room":"den","variant":"nim","player":1}\n',
        b'{"type":"leave_room","player":1}\n',
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
    too_long = b'{"type":"say","table":1,"text":"' + b"x" * native_limits.LINE_MAX + b'"}\n'

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


class OthelloSpeaker:
    """Frames as lines of text, or with a length."""

    answers_all = False  # a move is answered with the new board, which both players get
    requests: tuple[bytes, ...] = (
        b"1\n",
        b"1\r\n",
        b"1 x\n",
        b"232\n",
        b"2 3 2\n",
        b"2:2,4\r\n",
        b"288\n",
        b"2d3\n",
        b"2\n",
        b"3\n",
        b"4\n",
        b"5\n",
        b"51\n",
        b"6\n",
        b"7hello\n",
        b"7 \xff\0\n",
        b"7\n",
        b"8\n",
        b"0\n",
        b"hello\n",
        b"\xc2\xb2\n",
        b"GET / HTTP/1.1\r\n",
    )
    noise: tuple[bytes, ...] = (b"\n", b"\r\n", b"  \n")
    too_long = b"7" + b"x" * othello_limits.FRAME_MAX + b"\n"

    def answers(self, said: bytes) -> list[bytes]:
        """Colours, invalid moves, and errors."""
        return [frame for frame in self._frames(said) if frame[:1] in (b"1", b"3", b"6")]

    def news(self, said: bytes) -> list[bytes]:
        """Boards, ends and messages."""
        return [frame for frame in self._frames(said) if frame[:1] in (b"4", b"5", b"7")]

    def _frames(self, said: bytes) -> list[bytes]:
        binary = said[:1] in _OTHELLO_BYTES
        frames = _othello_binary(said) if binary else said.splitlines(keepends=True)
        for frame in frames:
            assert _OTHELLO.fullmatch(frame.decode()), f"{frame!r} is no frame of the page"
        return frames


_OTHELLO: Final = re.compile(r"(?:1[12]|3|4[012]{65}|5[012]|6[^\x00-\x1f]*|7[^\x00-\x1f]{1,500})\n")
_OTHELLO_BYTES: Final = tuple(bytes([kind]) for kind in range(1, 8))


def _othello_binary(said: bytes) -> list[bytes]:
    """Frames with a length, as they would be in text."""
    frames = []
    while said:
        end = 3 + int.from_bytes(said[1:3], "big")
        assert len(said) >= end, "every frame is whole"
        frames.append(b"%d%b\n" % (said[0], said[3:end]))
        said = said[end:]
    return frames


class TourneySpeaker:
    """Lines cut at colons."""

    answers_all = False  # a name is taken without a word, and a move is told to both
    requests: tuple[bytes, ...] = (
        b"@NEW PLAYER\n",
        b"@new player\r\n",
        b"@PLAYER\n",
        b"@PLAYER:1\n",
        b"@PLAYER:x\n",
        b"@PLAYER:99:code\n",
        b"@GET NAME:1\n",
        b"@GET NAME:-1\r",
        b"@GET NAME\n",
        b"@GET NAME:\n",
        b"@NAME\n",
        b"@PING\n",
        b"@PING:1:2:3:4:5:6\r\n",
        b"@TOUR\n",
        b"@TOUR:CREATE:NIM\n",
        b"@TOUR:CREATE:GO\n",
        b"@TOUR:JOIN\n",
        b"@TOUR:JOIN:-1\n",
        b"@TOUR:JOIN:1\n",
        b"@TOUR:JOIN:1:KXQTW\n",
        b"@TOUR:JOIN:KXQTW\n",
        b"@TOUR:START\n",
        b"@TOUR:PAUSE\n",
        b"@TOUR:END\n",
        b"@TOUR:REPORT\n",
        b"@TOUR:MATCHES LEFT\n",
        b"@TOUR:x\n",
        b"@GAME\n",
        b"@GAME:MOVE\n",
        b"@GAME:MOVE:0,1\n",
        b"\n",
        b" @PING\n",
        b"hello\n",
        b"\xff\n",
        b"GET / HTTP/1.1\r\n",
    )
    noise: tuple[bytes, ...] = (b"@PONG\n", b"@pong:x\n")
    too_long = b"@NAME:" + b"x" * tourney_limits.LINE_MAX + b"\n"

    def answers(self, said: bytes) -> list[bytes]:
        """What a request is answered with."""
        return [line for line in self._lines(said) if line.startswith(_TOURNEY_ANSWERS)]

    def news(self, said: bytes) -> list[bytes]:
        """Pings, and what happens in a match."""
        return [line for line in self._lines(said) if not line.startswith(_TOURNEY_ANSWERS)]

    def _lines(self, said: bytes) -> list[bytes]:
        lines = said.splitlines(keepends=True)
        for line in lines:
            assert _TOURNEY.fullmatch(line.decode()), f"{line!r} is no line of the page"
        return lines


_TOURNEY_ANSWERS: Final = (
    b"@ERROR:", b"@MESSAGE:", b"@PID:", b"@TID:", b"@REPORT:", b"@NAME:", b"@PONG",
)  # fmt: skip
_TOURNEY: Final = re.compile(
    r"@(?:PING|PONG|PID:\d+(?::[^:]+)?|NAME:[^:]+:\d+|(?:ERROR|MESSAGE):[^:]+|TID:\d+|TOUR:END"
    r"|REPORT:(?:\d+/\d+/[NITHA](?:,(?!\n))?)*"
    r"|GAME:(?:START:[HA]:[^:]+|STATE:[01],[^:]+|(?:MESSAGE|ERROR):[^:]+|RESULT:[HAT]))\n"
)


class Typed(msgspec.Struct):
    """A JSON object with a type."""

    type: str


ANSWERS: Final = frozenset(
    {
        "hello", "pong", "done", "refused", "welcome", "games", "tables", "players", "shown",
        "moves", "past", "roomed", "tour_made", "tour_joined", "tours", "tour_shown", "matches",
        "ratings",
    }
)  # fmt: skip
UNASKED: Final = frozenset({"news", "notice", "room_news", "tour_news"})

SPEAKERS: Final[Mapping[str, Speaker]] = {
    "blackwhite": BlackWhiteSpeaker(),
    "bughouse": BughouseSpeaker(),
    "fish": FishSpeaker(),
    "fishcom": FishcomSpeaker(),
    "native": NativeSpeaker(),
    "othello": OthelloSpeaker(),
    "tourney": TourneySpeaker(),
}


class Greeter:
    """A dialect of which nothing is known but its hello. What it says is taken as lines."""

    answers_all = False
    noise: tuple[bytes, ...] = ()
    too_long = b"x" * (1 << 15)

    def __init__(self, hello: str) -> None:
        said = hello.encode() + b"\n"
        self.requests: tuple[bytes, ...] = (said, said.upper(), b"\n")

    def answers(self, said: bytes) -> list[bytes]:
        """All lines, in no order: which of them are news is not known."""
        return sorted(said.splitlines())

    def news(self, _: bytes) -> list[bytes]:
        """None that could be told from answers."""
        return []


def speaker_of(name: str) -> Speaker:
    """Who speaks this dialect: by heart, or as it declares itself."""
    return SPEAKERS.get(name) or Greeter(LANGUAGES[name].hello)
