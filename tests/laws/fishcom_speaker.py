"""What fishcom clients say, and the grammar of the calls they hear, written from the page."""

import json
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rookery.dialects.fishcom import profile as fishcom_limits

Color = Literal["red", "white", "brown", "black"]
Index = Annotated[int, Meta(ge=0)]


class Somebody(Struct, forbid_unknown_fields=True):
    """A player in a state."""

    color: Color
    score: Index
    places: list[tuple[Index, Index]]


class State(Struct, forbid_unknown_fields=True):
    """A state; whoever is called is its first player."""

    players: Annotated[list[Somebody], Meta(min_length=1, max_length=4)]
    board: list[list[Annotated[int, Meta(ge=0, le=5)]]]


Others = Annotated[list[Color], Meta(min_length=1, max_length=3)]

# The arguments of each call; none can be told from the others but by name.
CALLS: Final[dict[str, object]] = {
    "playing-as": tuple[Color],
    "playing-with": tuple[Others],
    "setup": tuple[State],
    "take-turn": tuple[State, Annotated[list[int], Meta(max_length=0)]],
    "end": tuple[bool],
}


class FishcomSpeaker:
    """Bare JSON values, and none of them answered: it is the server that calls."""

    answers_all = False
    requests: tuple[bytes, ...] = (
        b'"ann" ',
        b' \t\r\n"bob"',
        b'"\\"\\\\\\u0041"',
        b'"a name of more than twelve"',
        b'"void"',
        b"[0,0]",
        b"[[0, 0], [2,0]]",
        b"[ [0,\n0] ,[2,1e9]]",
        b'{"a":["]",{}]}',
        b"ann ",
        b"12 ",
        b"]",
        b'"\xff"',
        b"\0 ",
        b"GET / HTTP/1.1\r\n",
        b"[" * 200 + b"]" * 200,
    )
    noise: tuple[bytes, ...] = (b"\n", b" " * 2040, b"\t\r\n")
    too_long = b'"' + b"x" * fishcom_limits.KEPT_MAX + b'"'

    def answers(self, said: bytes) -> list[bytes]:
        """There are none."""
        self.news(said)
        return []

    def news(self, said: bytes) -> list[bytes]:
        """The calls."""
        text, found = said.decode(), []
        while text:
            (name, arguments), end = json.JSONDecoder().raw_decode(text)
            if name == "start":
                assert arguments == [True]
            else:
                msgspec.convert(arguments, CALLS[name])
            found.append(text[:end].encode())
            text = text[end:]
        return found
