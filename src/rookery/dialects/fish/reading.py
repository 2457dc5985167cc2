"""What players say in fish: a line is read into one of three messages, or is none.

The seed names messages and no encoding. Its authors' own keys (`Request`, `ID`, `X`, `Y`)
are read as well as ours, and `Age` as the seed writes it. Keys that nobody knows are
ignored; numbers are whole.
"""

from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

OLDEST: Final = 150
ID_MAX: Final = 40
NUMBER_MAX: Final = 10**9  # no board is so large, and no text of a move so long
SHORT: Final = 100  # bytes of a line whose meaning is remembered: there are few moves

_JSON_ERRORS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Join(Struct, frozen=True):
    """A player wants to be in a game."""

    age: int
    id: str


class Placing(Struct, frozen=True):
    """An answer to the referee: a penguin is placed on a tile, or moved from one to another."""

    move: str  # as the game writes it


class Unreadable(Struct, frozen=True):
    """A line that is no message, and the sentence that says why."""

    sentence: str


Said = Join | Placing | Unreadable


def read(line: bytes) -> Said:
    """Read a line of a player; one that is no message becomes `Unreadable`."""
    return _short(line) if len(line) <= SHORT else _read(line)


def _read(line: bytes) -> Said:
    try:
        if not line.isascii():
            line.decode()  # the reader of JSON looks only at what it needs
        found = msgspec.json.decode(line)
    except _JSON_ERRORS:
        return Unreadable("A message is one JSON object on a line.")
    if not isinstance(found, dict):
        return Unreadable("A message is one JSON object on a line.")
    match found.get("type", found.get("Request")):
        case "joinGame" | "Join":
            return _join(found)
        case "PlaceAvatar":
            return _move(found, (("y", "Y"), ("x", "X")), "PlaceAvatar has x and y")
        case "MoveAvatar" | "Move":
            keys = (("fromY",), ("fromX",), ("toY",), ("toX",))
            return _move(found, keys, "MoveAvatar has fromX, fromY, toX and toY")
        case _:
            return Unreadable("A player sends joinGame, PlaceAvatar or MoveAvatar.")


_short: Final = lru_cache(maxsize=2048)(_read)


def _join(found: dict[str, object]) -> Said:
    # The seed writes joinGame[Age, ID], and its authors' programs mix the two.
    age, name = found.get("age", found.get("Age")), found.get("id", found.get("ID"))
    if not isinstance(age, int) or isinstance(age, bool) or not 0 <= age <= OLDEST:
        return Unreadable(f"An age is a whole number from 0 to {OLDEST}.")
    if not isinstance(name, str) or not 1 <= len(name) <= ID_MAX:
        return Unreadable(f"An id is 1 to {ID_MAX} characters.")
    return Join(age, name)


def _move(found: dict[str, object], keys: tuple[tuple[str, ...], ...], has: str) -> Said:
    """A placement or move as the game writes it: row before column, from tile before to tile."""
    numbers = []
    for names in keys:
        number = next((found[name] for name in names if name in found), None)
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) >= NUMBER_MAX:
            return Unreadable(f"{has}, all whole numbers.")
        numbers.append(number)
    tiles = [f"{row},{col}" for row, col in zip(numbers[::2], numbers[1::2], strict=True)]
    return Placing("-".join(tiles))
