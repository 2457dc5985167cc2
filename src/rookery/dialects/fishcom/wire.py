"""Bytes cut into whole JSON values, and what the calls and answers of fishcom mean.

A call is a name and a list of arguments; its answer is `"void"`, a tile, or two of them.
Between values there is nothing but white space, which means nothing and is not kept: some
clients send two thousand spaces first. A value may come a byte at a time, or several in one
packet.
"""

import re
from collections import deque
from enum import Enum, auto
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.ids import Micros, Seat
from rookery.games.fish import PLACE, FishView
from rookery.games.fish.ice import Square
from rookery.games.fish.state import COLORS

SPACE: Final = b" \t\r\n\v\f"  # "accept any white space", also what JSON does not
QUOTE: Final = ord('"')
BACKSLASH: Final = ord("\\")
OPENING: Final = b"[{"
CLOSING: Final = b"]}"

# What nearly every answer is: a tile, two of them, or the word for nothing, without a space.
_TILE: Final = rb"\[[0-9]{1,3},[0-9]{1,3}\]"
_PLAIN: Final = re.compile(rb"\[" + _TILE + b"," + _TILE + rb"\]|" + _TILE + rb'|"void"')


class Values:
    """Values that have come and were not taken.

    More than `limit` bytes of them set `overflowed`.
    """

    __slots__ = (
        "_depth",
        "_escaped",
        "_limit",
        "_part",
        "_size",
        "_string",
        "_whole",
        "overflowed",
    )

    def __init__(self, limit: int) -> None:
        self.overflowed = False
        self._limit = limit
        self._whole: deque[bytes] = deque()
        self._size = 0  # bytes of the whole ones
        self._part = bytearray()  # the beginning of a value
        self._depth = 0  # of brackets, in that
        self._string = False  # whether a string has begun in it
        self._escaped = False  # whether its next byte stands for itself

    def __bool__(self) -> bool:
        """Whether a value has come, or has begun to."""
        return bool(self._whole or self._part)

    @property
    def unfinished(self) -> bytes:
        """The beginning of the only value there is; nothing if one is whole."""
        return b"" if self._whole else bytes(self._part)

    def feed(self, data: bytes) -> int:
        """Take bytes in until a value is whole, or to the end; return how many were taken."""
        if not self._part and (plain := _PLAIN.match(data)) is not None:
            value = plain[0]  # what follows would find the same, byte by byte
            if self._size + len(value) <= self._limit:
                self._whole.append(value)
                self._size += len(value)
                return len(value)
        before = len(self._whole)
        for taken, byte in enumerate(data, 1):
            if self._string:
                self._in_string(byte)
            else:
                self._outside(byte)
            self.overflowed = self.overflowed or self._size + len(self._part) > self._limit
            if self.overflowed or len(self._whole) > before:
                return taken
        return len(data)

    def take(self) -> bytes | None:
        """Take out the oldest whole value; None if there is none."""
        if not self._whole:
            return None
        value = self._whole.popleft()
        self._size -= len(value)
        return value

    def _in_string(self, byte: int) -> None:
        self._part.append(byte)
        if self._escaped:
            self._escaped = False
        elif byte == BACKSLASH:
            self._escaped = True
        elif byte == QUOTE:
            self._string = False
            if not self._depth:
                self._finish()

    def _outside(self, byte: int) -> None:
        if byte in SPACE:
            if not self._depth:
                self._finish()
            elif self._part[-1:] != b" ":
                self._part += b" "  # one is as good as many, and keeps `1 2` apart
            return
        if not self._depth and (byte == QUOTE or byte in OPENING):
            self._finish()  # a bare word or number ends where another value begins
        self._part.append(byte)
        if byte == QUOTE:
            self._string = True
        elif byte in OPENING:
            self._depth += 1
        elif byte in CLOSING:
            self._depth = max(0, self._depth - 1)
            if not self._depth:
                self._finish()

    def _finish(self) -> None:
        if self._part:
            self._whole.append(bytes(self._part))
            self._size += len(self._part)
            self._part.clear()


NUMBER_MAX: Final = 10**9  # no board is so large, and no text of a move so long
SHORT: Final = 40  # bytes of an answer whose meaning is remembered: there are few moves

_writer: Final = msgspec.json.Encoder()
_JSON_ERRORS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Wants(Enum):
    """The kind of answer that a call wants."""

    VOID = auto()
    TILE = auto()
    TILES = auto()


class AnswerTime(Struct, frozen=True):
    """How many microseconds an answer may take: to its first byte, and to its last."""

    first: Micros
    whole: Micros


class FishCall(Struct, frozen=True):
    """One call, as it is sent, without a line end after it."""

    text: bytes
    wants: Wants
    patience: AnswerTime
    first: bool = False  # its answer is the taking of the start
    last: bool = False  # after its answer we hang up


class CalledPlayer(Struct, frozen=True):
    """A player who is still in the game: colour, score, and where its penguins stand."""

    color: str
    score: int
    places: tuple[Square, ...]


class CalledState(Struct, frozen=True):
    """The ice, and the players in turn order from the one who is called."""

    players: tuple[CalledPlayer, ...]
    board: tuple[tuple[int, ...], ...]


def start(patience: AnswerTime) -> FishCall:
    """The first call of a tournament."""
    return _call("start", [True], patience, first=True)


def introduction(seat: Seat, seats: int, patience: AnswerTime) -> tuple[FishCall, ...]:
    """The calls that tell a player its colour and the others', before its first turn."""
    # "The others, in turn order; note the inner array."
    others = [color for color in COLORS[:seats] if color != COLORS[seat]]
    return (
        _call("playing-as", [COLORS[seat]], patience),
        _call("playing-with", [others], patience),
    )


def turn(view: FishView, seat: Seat, patience: AnswerTime) -> FishCall:
    """The call to place or to move; the list of actions is always sent empty."""
    order = (*view.players[seat:], *view.players[:seat])
    stayed = [flock for flock in order if not flock.removed]
    players = [CalledPlayer(flock.color, flock.score, flock.places) for flock in stayed]
    state = CalledState(tuple(players), view.board)
    if view.phase == PLACE:
        return _call("setup", [state], patience, Wants.TILE)
    return _call("take-turn", [state, []], patience, Wants.TILES)


def end(patience: AnswerTime, *, won: bool) -> FishCall:
    """The last call of a tournament."""
    return _call("end", [won], patience, last=True)


def is_void(value: bytes) -> bool:
    """Whether this value is `"void"`, the answer to a call that wants no other."""
    return _decode(value) == "void"


def move_of(value: bytes, wants: Wants) -> str | None:
    """The placement or move that an answer means, as the game writes it; None if it is none."""
    placed = wants is Wants.TILE
    return _short_move(value, placed) if len(value) <= SHORT else _move_of(value, placed)


def _move_of(value: bytes, placed: bool) -> str | None:
    found = _decode(value)
    if placed:
        return _tile(found)
    match found:
        case [start, to]:
            tiles = _tile(start), _tile(to)
            return None if None in tiles else f"{tiles[0]}-{tiles[1]}"
        case _:
            return None


_short_move: Final = lru_cache(maxsize=2048)(_move_of)


def text_of(value: bytes) -> str | None:
    """The string that this value is; None if it is none."""
    found = _decode(value)
    return found if isinstance(found, str) else None


def _tile(found: object) -> str | None:
    match found:
        case [int(row), int(col)] if not isinstance(row, bool) and not isinstance(col, bool):
            inside = abs(row) < NUMBER_MAX and abs(col) < NUMBER_MAX
            return f"{row},{col}" if inside else None
        case _:
            return None


def _decode(value: bytes) -> object:
    try:
        value.decode()  # the reader of JSON looks only at what it needs
        return msgspec.json.decode(value)
    except _JSON_ERRORS:
        return None


def _call(
    name: str,
    arguments: list[object],
    patience: AnswerTime,
    wants: Wants = Wants.VOID,
    *,
    first: bool = False,
    last: bool = False,
) -> FishCall:
    return FishCall(_writer.encode([name, arguments]), wants, patience, first, last)
