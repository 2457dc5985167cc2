"""What fish clients say, and the grammar of what they hear, written from the page.

Every message is read strictly: no field may be missing, of another kind, or too many.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rookery.dialects.fish import profile as fish_limits

Color = Literal["red", "white", "brown", "black"]
Index = Annotated[int, Meta(ge=0)]
Id = Annotated[str, Meta(min_length=1, max_length=40)]


class Somebody(Struct, forbid_unknown_fields=True):
    """A player in a state."""

    id: Id
    color: Color
    score: Index
    places: list[tuple[Index, Index]]


class Ice(Struct, forbid_unknown_fields=True):
    """A state."""

    phase: Literal["place", "move", "over"]
    players: Annotated[list[Somebody], Meta(max_length=4)]
    board: list[list[Annotated[int, Meta(ge=0, le=5)]]]


class SendGameState(Struct, forbid_unknown_fields=True, tag=True):
    """To all."""

    state: Ice


class AssignColor(Struct, forbid_unknown_fields=True, tag=True):
    """To each, once."""

    color: Color
    turn: Annotated[int, Meta(ge=0, le=3)]
    penguinCount: Annotated[int, Meta(ge=2, le=4)]  # noqa: N815 - the wire's own word


class RequestPlacement(Struct, forbid_unknown_fields=True, tag=True):
    """To one."""


class RequestMove(Struct, forbid_unknown_fields=True, tag=True):
    """To one."""


class NotifyGameOver(Struct, forbid_unknown_fields=True, tag=True):
    """To each."""

    winners: list[Id]
    losers: list[Id]
    cheaters: list[Id]
    scores: dict[str, Index]

    def __post_init__(self) -> None:
        everyone = [*self.winners, *self.losers, *self.cheaters]
        if len(set(everyone)) != len(everyone):
            raise ValueError("every player is in exactly one list")
        if set(self.scores) != {*self.winners, *self.losers}:
            raise ValueError("who was not removed has a score")


class Waiting(Struct, forbid_unknown_fields=True, tag=True):
    """To one."""

    message: Annotated[str, Meta(pattern=r"^[A-Z].*\.$")]


class Error(Struct, forbid_unknown_fields=True, tag=True):
    """To one."""

    message: Annotated[str, Meta(pattern=r"^[A-Z].*\.$")]


Heard = (
    SendGameState | AssignColor | RequestPlacement | RequestMove | NotifyGameOver | Waiting | Error
)

_reader: Final[msgspec.json.Decoder[Heard]] = msgspec.json.Decoder(Heard)


class FishSpeaker:
    """JSON objects on lines."""

    answers_all = False  # a join that is taken is answered by the game
    requests: tuple[bytes, ...] = (
        b'{"type":"joinGame","age":8,"id":"ann"}\n',
        b'{"type":"joinGame","age":8,"id":"bob"}\r\n',
        b'{"Request":"Join","ID":"Zo\xc3\xab","age":150}\n',
        b'{"type":"joinGame","age":151,"id":"ann"}\n',
        b'{"type":"joinGame","age":8,"id":""}\n',
        b'{"type":"joinGame","age":8,"id":"\\u0000"}\n',
        b'{"type":"PlaceAvatar","x":2,"y":0}\n',
        b'{"Request":"PlaceAvatar","Y":2,"X":0}\n',
        b'{"type":"MoveAvatar","fromX":2,"fromY":0,"toX":2,"toY":2}\n',
        b'{"type":"Move","fromX":2,"fromY":0,"toX":2,"toY":1e9}\n',
        b'{"type":"SendGameState"}\n',
        b'{"type":\n',
        b"GET / HTTP/1.1\r\n",
        b'{"type":"joinGame","age":8,"id":"\xff"}\n',
        b"[" * 3000 + b"]" * 1000 + b"\n",
        b"9" * 4096 + b"\n",
        b"\r{}\n",
        b"\0\n",
    )
    noise: tuple[bytes, ...] = (b"\n", b"\r\n", b" \t\n")
    too_long = b'{"type":"joinGame","age":8,"id":"' + b"x" * fish_limits.LINE_MAX + b'"}\n'

    def answers(self, said: bytes) -> list[bytes]:
        """Errors."""
        return [line for line in self._lines(said) if isinstance(_reader.decode(line), Error)]

    def news(self, said: bytes) -> list[bytes]:
        """All else."""
        return [line for line in self._lines(said) if not isinstance(_reader.decode(line), Error)]

    def _lines(self, said: bytes) -> list[bytes]:
        assert not said or said.endswith(b"\n"), "every line has its end"
        return said.split(b"\n")[:-1]
