"""How a dialect knows its own clients by what they say first: the parts that some share.

A dialect's `opens_with` is given the first bytes of a connection, without white space in
front. It returns True or False as soon as it can, and None while it must wait for more
bytes; it never changes its mind.
"""

import re
from typing import Final

WORD_MAX: Final = 64  # letters of a first word; the longest verb has 17
LINE_MAX: Final = 16 * 1024  # bytes of a JSON line; who sends more is told so by the own dialect

METHODS: Final = frozenset(
    {b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"CONNECT", b"TRACE"}
)
_WORD: Final = re.compile(rb"[A-Za-z_]+")


def first_word(said: bytes) -> tuple[bytes, bytes] | bool | None:
    """The first word and the byte after it; None until it is whole, False where there is none."""
    read = _WORD.match(said[: WORD_MAX + 1])
    if read is None or len(read[0]) > WORD_MAX:
        return False
    after = said[read.end() : read.end() + 1]
    return (read[0], after) if after else None


def first_object(said: bytes) -> bytes | bool | None:
    """The first line, if it begins like a JSON object, else False; None until it is whole."""
    if said[:1] != b"{":
        return False
    line, end, _ = said.partition(b"\n")
    if end:
        return line
    return None if len(said) <= LINE_MAX else False
