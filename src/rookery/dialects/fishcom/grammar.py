"""Follows a JSON value byte by byte, to know at once when it cannot become JSON any more.

An answer that is spoilt in its second byte is judged then, and not seconds later when the
answer is late. A grammar mutates, and belongs to the values of one connection.
"""

import codecs
import re
from enum import Enum, auto
from typing import Final

_decoder: Final = codecs.getincrementaldecoder("utf-8")

_LITERALS: Final = {ord("t"): b"true", ord("f"): b"false", ord("n"): b"null"}
_CLOSES: Final = {ord("["): ord("]"), ord("{"): ord("}")}
_IN_NUMBERS: Final = b"0123456789+-.eE"
_NUMBER: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER_BEGUN: Final = re.compile(
    rb"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?"
)
_ESCAPES: Final = b'"\\/bfnrt'
_HEX: Final = b"0123456789abcdefABCDEF"
_SPACE: Final = b" \t\r\n\v\f"
_QUOTE: Final = ord('"')


class _Next(Enum):
    """What may come next in a JSON value."""

    VALUE = auto()
    VALUE_OR_END = auto()  # right behind an opening bracket
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()
    STRING = auto()
    ESCAPED = auto()
    HEX = auto()
    SCALAR = auto()  # a number, true, false or null


class Grammar:
    """One value as far as it has come. `wrong` says that nothing can make it JSON any more."""

    __slots__ = ("_hex", "_key", "_next", "_open", "_scalar", "_utf8", "wrong")

    def __init__(self) -> None:
        self.wrong = False
        self._next = _Next.VALUE
        self._open = bytearray()  # brackets that are not closed, the last one innermost
        self._key = False  # whether the string that is read is a key
        self._hex = 0  # digits that a \u still needs
        self._scalar = b""
        self._utf8 = _decoder()

    def feed(self, byte: int) -> None:
        """Take in one byte more; white space between words may be any, or left out."""
        if self.wrong:
            return
        match self._next:
            case _Next.STRING | _Next.ESCAPED | _Next.HEX:
                self._in_string(byte)
            case _Next.SCALAR if byte in _IN_NUMBERS or chr(byte).isalpha():
                self._scalar += bytes((byte,))
                self.wrong = not _may_become_scalar(self._scalar)
            case _Next.SCALAR:
                self.wrong = not _is_scalar(self._scalar)
                self._next = _Next.COMMA_OR_END
                self._between(byte)
            case _:
                self._between(byte)

    def _in_string(self, byte: int) -> None:
        try:
            self._utf8.decode(bytes((byte,)))
        except UnicodeDecodeError:
            self.wrong = True
            return
        if self._next is _Next.ESCAPED:
            self.wrong = byte not in _ESCAPES and byte != ord("u")
            self._next, self._hex = (_Next.HEX, 4) if byte == ord("u") else (_Next.STRING, 0)
        elif self._next is _Next.HEX:
            self.wrong = byte not in _HEX
            self._hex -= 1
            self._next = _Next.HEX if self._hex else _Next.STRING
        elif byte == ord("\\"):
            self._next = _Next.ESCAPED
        elif byte == _QUOTE:
            self._next = _Next.COLON if self._key else _Next.COMMA_OR_END
        else:
            self.wrong = byte < ord(" ")  # a line that ended before its string did

    def _between(self, byte: int) -> None:
        """Take in a byte outside of strings and scalars, which may begin a value."""
        if byte in _SPACE:
            return
        match self._next:
            case _Next.COLON if byte == ord(":"):
                self._next = _Next.VALUE
            case _Next.COMMA_OR_END if byte == ord(",") and self._open:
                self._next = _Next.KEY if self._open[-1] == ord("{") else _Next.VALUE
            case _Next.VALUE_OR_END | _Next.KEY_OR_END | _Next.COMMA_OR_END if self._closes(byte):
                self._open.pop()
                self._next = _Next.COMMA_OR_END
            case _Next.KEY | _Next.KEY_OR_END if byte == _QUOTE:
                self._next, self._key = _Next.STRING, True
            case _Next.VALUE | _Next.VALUE_OR_END:
                self._begin(byte)
            case _:
                self.wrong = True

    def _closes(self, byte: int) -> bool:
        return bool(self._open) and byte == _CLOSES[self._open[-1]]

    def _begin(self, byte: int) -> None:
        """Take in the first byte of a value."""
        if byte in _CLOSES:
            self._open.append(byte)
            self._next = _Next.KEY_OR_END if byte == ord("{") else _Next.VALUE_OR_END
        elif byte == _QUOTE:
            self._next, self._key = _Next.STRING, False
        else:
            self._next, self._scalar = _Next.SCALAR, bytes((byte,))
            self.wrong = not _may_become_scalar(self._scalar)


def _may_become_scalar(begun: bytes) -> bool:
    literal = _LITERALS.get(begun[0])
    return literal.startswith(begun) if literal else bool(_NUMBER_BEGUN.fullmatch(begun))


def _is_scalar(text: bytes) -> bool:
    return text in _LITERALS.values() or bool(_NUMBER.fullmatch(text))
