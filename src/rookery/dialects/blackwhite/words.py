"""The words of blackwhite: reading what clients write, and writing what they read.

From a client words come in any case and with or without spaces around brackets and commas;
the seed itself writes `PLAYWHITE[1,1]`. What the server says is always written one way.
"""

import re
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.ids import Seat
from rookery.games.reversi import Place, Reversi

GAME: Final = Reversi(size=10)
VARIANT: Final = "reversi size=10"
LOBBY: Final = "lobby"  # the room of a client that names none

_COLOURS: Final = ("BLACK", "WHITE")  # by seat
NAME_MAX: Final = 40
SHORT: Final = 24  # characters of a line whose meaning is remembered: there are few moves

_LINE: Final = re.compile(r"([A-Za-z]+)(.*)", re.DOTALL)
_NAMES: Final = re.compile(r"\s*\[([^][]*)\]\s*(?:\[([^][]*)\]\s*)?")
_BRACKET: Final = re.compile(r"[][]")
_SQUARE: Final = re.compile(r"\s*\[\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\]\s*")


class BadLine(Mistake):
    """A line that is not of this language, or not allowed now; the sentence says why."""


class EnterLine(Struct, frozen=True):
    """`ENTERROOM [name]`, or `ENTERROOM [name] [room]`."""

    name: str
    room: str | None


class PlayLine(Struct, frozen=True):
    """`PLAYBLACK [x,y]` or `PLAYWHITE [x,y]`, also where the square cannot be read."""

    seat: Seat
    move: str  # the game's own text, or one that it cannot read


class ResignLine(Struct, frozen=True):
    """`RESIGN`."""


class QuitLine(Struct, frozen=True):
    """`QUIT`."""


Line = EnterLine | PlayLine | ResignLine | QuitLine


def read(text: str) -> Line:
    """Read a line of a client. Raises BadLine."""
    return _short(text) if len(text) <= SHORT else _read(text)


def _read(text: str) -> Line:
    found = _LINE.fullmatch(text.strip())
    word, rest = (found[1].upper(), found[2]) if found else ("", "")
    match word:
        case "ENTERROOM":
            return _enter(rest)
        case "PLAYBLACK" | "PLAYWHITE":
            return PlayLine(Seat(_COLOURS.index(word.removeprefix("PLAY"))), _move(word, rest))
        case "RESIGN" | "QUIT" if rest.strip():
            raise BadLine(f"{word} stands alone.")
        case "RESIGN":
            return ResignLine()
        case "QUIT":
            return QuitLine()
        case _:
            raise BadLine("A line is ENTERROOM, PLAYBLACK, PLAYWHITE, RESIGN or QUIT.")


_short: Final = lru_cache(maxsize=1024)(_read)


def _enter(rest: str) -> EnterLine:
    found = _NAMES.fullmatch(rest)
    if found is None:
        raise BadLine("After ENTERROOM comes your name in brackets, and perhaps a room in others.")
    name, room = found[1].strip(), found[2]
    _check(name, "name")
    if room is not None:
        room = room.strip()
        _check(room, "room's name")
    return EnterLine(name, room)


def _check(name: str, what: str) -> None:
    if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
        raise BadLine(f"A {what} is 1 to {NAME_MAX} printable characters without brackets.")


def _move(word: str, rest: str) -> str:
    """The move in the game's own text; what is no square stays as written, with its verb."""
    found = _SQUARE.fullmatch(rest)
    if found is not None:
        place = Place(int(found[1]), int(found[2]))
        if place.col < GAME.size and place.row < GAME.size:
            return GAME.format_move(place)
    return f"{word} {rest.strip()}"


# -- what the server says


@lru_cache(maxsize=8_192)  # a line is the same for all in a room, and again for all who come
def named(word: str, name: str) -> str:
    """A line with a verb and a player's name: `TURN [pl1]`."""
    return f"{word} [{carried(name)}]"


def carried(name: str) -> str:
    """A name with `_` for its brackets, which this language cannot carry and other dialects can."""
    return _BRACKET.sub("_", name) or "-"


def assign(seat: Seat) -> str:
    """`ASSIGN [BLACK]`."""
    return f"ASSIGN [{_COLOURS[seat]}]"


def played(seat: Seat, place: Place) -> str:
    """`PLAYBLACK [5,6]`."""
    return f"PLAY{_COLOURS[seat]} [{place.col},{place.row}]"


@cache  # there are two hundred
def reversed_to(seat: Seat, col: int, row: int) -> str:
    """`REVERSETOBLACK [5,5]`."""
    return f"REVERSETO{_COLOURS[seat]} [{col},{row}]"


def invalid(seat: Seat) -> str:
    """`PLAYWHITE [INVALID]`."""
    return f"PLAY{_COLOURS[seat]} [INVALID]"


def error(sentence: str) -> str:
    """`ERROR [what is wrong]`."""
    return f"ERROR [{_BRACKET.sub('_', sentence)}]"
