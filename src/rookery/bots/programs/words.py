"""What a program is told and what it answers: one JSON object a line, `type` says which.

The words are those of the native dialect where it has them. `begin` is answered with
`ready` and `turn` with `play` or `wait`; `end` and `quit` have no answer. Fields may be
added: both sides ignore fields and types that they do not know.
"""

from typing import Final

import msgspec
from msgspec import Struct

from rookery.bots.asking import Thought
from rookery.core.game import AnyView, Outcome
from rookery.core.ids import Micros, Seat


class Told(Struct, frozen=True):
    """Something a program is told."""


class Begin(Told, frozen=True, tag="begin"):
    """A game begins: which, where the program sits, and who else does."""

    variant: str
    seat: Seat
    seats: int
    names: tuple[str, ...]
    time: str


class Turn(Told, frozen=True, tag="turn"):
    """The program may move: what it sees and may play, what is left, and what was played."""

    seat: Seat
    view: AnyView
    moves: tuple[str, ...]
    left: tuple[Micros, ...] | None
    played: tuple[tuple[Seat, str], ...] | None = None


class End(Told, frozen=True, tag="end"):
    """The game is over; None where it was broken off."""

    outcome: Outcome | None


class Quit(Told, frozen=True, tag="quit"):
    """There is nothing more to play; the program goes."""


class Answered(Struct, frozen=True):
    """Something a program answers."""


class Ready(Answered, frozen=True, tag="ready"):
    """It has read `begin`, and its clock may start."""


class Play(Answered, frozen=True, tag="play"):
    """The move it makes."""

    move: str


class Wait(Answered, frozen=True, tag="wait"):
    """It makes no move for now, where a game goes on without it."""


Answer = Ready | Play | Wait


class _Line(Struct, frozen=True):
    """All that every line has."""

    type: str


ANSWERS: Final = frozenset({"ready", "play", "wait"})

_encoder: Final = msgspec.json.Encoder()
_lines: Final[msgspec.json.Decoder[_Line]] = msgspec.json.Decoder(_Line)
_answers: Final[msgspec.json.Decoder[Answer]] = msgspec.json.Decoder(Answer)


def write(told: Begin | Turn | End | Quit) -> bytes:
    """Write a message to a program as a line."""
    return _encoder.encode(told) + b"\n"


def read(line: bytes) -> Answer | None:
    """Read a program's answer; None for an unknown type. Raises msgspec.DecodeError."""
    if _lines.decode(line).type not in ANSWERS:
        return None
    return _answers.decode(line)


def word(of: Answer) -> str:
    """The type of an answer, as it stands in its line."""
    return str(of.__struct_config__.tag)


def turn_for(thought: Thought) -> Turn:
    """The message that asks a program for the move that a thought asks for."""
    return Turn(thought.seat, thought.view, thought.moves, thought.left, thought.played)


def move_in(answer: Answer) -> str | None:
    """The move that a turn was answered with; None to wait."""
    match answer:
        case Play(move):
            return move
        case Wait():
            return None
        case Ready():
            raise AssertionError("ready answers nothing but begin")
