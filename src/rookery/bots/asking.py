"""What a worker is asked, and what it answers: one JSON object a line.

A thought is all that a bot is given, with the level that is to think and for how long. The
server and matches, which both run workers, use the same structs.
"""

from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat
from rookery.games import read_view


class Thought(Struct, frozen=True):
    """A question for a move: the position, the level that is to think, and its milliseconds."""

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
    """Write a question to a worker, or its answer, as a line."""
    return _encoder.encode(line) + b"\n"


def read_thought(line: bytes) -> Thought:
    """Read the question to a worker."""
    return _thoughts.decode(line)


def read_answer(line: bytes) -> Answer:
    """Read a worker's answer. Raises msgspec.DecodeError where it is none."""
    return _answers.decode(line)
