"""What an analyst is asked, and what it answers: how a position stands, and what is best there.

Unlike a bot an analyst is given the whole game, from its seed on: only games that are over, or
that hide nothing, are studied. One JSON object a line, as with thoughts.
"""

from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.core.game import Forfeit
from rookery.core.ids import Seat

CHOICES_MAX: Final = 5  # moves that are named


class Done(Struct, frozen=True, omit_defaults=True):
    """What a seat did: a move, or why it went."""

    seat: Seat
    move: str = ""
    why: Forfeit | None = None


class Study(Struct, frozen=True):
    """A position, as what led to it, and whose move is looked for."""

    variant: str
    seats: int
    seed: int
    done: tuple[Done, ...]
    seat: Seat
    millis: int  # to look around
    proving: int = 0  # … and milliseconds more, to prove what can be proved


class Choice(Struct, frozen=True):
    """A move, and what it is worth to who makes it: from 0, lost, to 1, won."""

    move: str
    worth: float
    score: str  # the same for people: `+12 discs`, `63 %`


class Studied(Struct, frozen=True):
    """What was found; the best choice is the first."""

    choices: tuple[Choice, ...]
    depth: int  # moves ahead; or lines of play that were tried, where `tried`
    exact: bool = False  # whether the best choice is proved, to the end of the game
    tried: bool = False


# Any: a state of a game of unknown kind, only ever given back to it.
class Analyst(Protocol):
    """Studies the positions of a game. One file and one line in the registry make a new one."""

    def study(self, sight: Sight, state: Any, halt: Halt, last: Halt) -> Studied:
        """The best moves of a seat in this state, guessed until `halt`, proved until `last`."""
        ...


_studies: Final[msgspec.json.Decoder[Study]] = msgspec.json.Decoder(Study)
_answers: Final[msgspec.json.Decoder[Studied]] = msgspec.json.Decoder(Studied)


def read_study(line: bytes) -> Study:
    """Read the question to an analyst."""
    return _studies.decode(line)


def read_studied(line: bytes) -> Studied:
    """Read an analyst's answer. Raises msgspec.DecodeError where it is none."""
    return _answers.decode(line)


def percent(worth: float) -> str:
    """A worth for people, where the game counts nothing."""
    return f"{round(100 * worth)} %"
