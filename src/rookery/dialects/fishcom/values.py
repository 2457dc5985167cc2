"""Bytes in, whole JSON values out: a stream with nothing between its values but white space.

White space means nothing and is not kept: some clients send two thousand spaces first.
A value may come a byte at a time, or several in one packet. This file only finds where
values end; whether one is JSON is for the code that reads it.
"""

import re
from collections import deque
from typing import Final

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
