"""What a worker is asked, and what it answers: one JSON object a line.

A thought is all that a bot is given, with the level that is to think and for how long. The
same structs are used by whoever runs workers, in the server and in matches.
"""

from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat
from rookery.games import read_view


class Thought(Struct, frozen=True):
    """A move is wanted: where, from whom, and what may be spent on it."""

    variant: str
    level: int
    seat: Seat
    view: AnyView
    moves: tuple[str, ...]
    seed: int
    millis: int  # for the whole thought
    left: tuple[Micros, ...] | None = None
    played: tuple[tuple[Seat, str], ...] | None = None  # so far; None: nobody knows it all


class Answer(Struct, frozen=True):
    """The move; None to wait for now."""

    move: str | None


_encoder: Final = msgspec.json.Encoder()
# All that it does not know by itself is a view.
_thoughts: Final[msgspec.json.Decoder[Thought]] = msgspec.json.Decoder(
    Thought, dec_hook=lambda _, found: read_view(found)
)
_answers: Final[msgspec.json.Decoder[Answer]] = msgspec.json.Decoder(Answer)


def write(line: Struct) -> bytes:
    """This as a line: what a worker is asked, or what it answers."""
    return _encoder.encode(line) + b"\n"


def read_thought(line: bytes) -> Thought:
    """What a worker is asked."""
    return _thoughts.decode(line)


def read_answer(line: bytes) -> Answer:
    """What a worker answers. Raises msgspec.DecodeError where it is none."""
    return _answers.decode(line)
