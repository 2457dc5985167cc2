"""Who is calling? Every dialect is recognised by its first bytes, on one port.

Bytes may come one at a time: `recognise` says a name as soon as it can, None while it
must wait, and UNKNOWN when no dialect begins so. White space in front is skipped here
and handed on to the dialect like all the rest.
"""

import re
from typing import Final

import msgspec

SPACE_MAX: Final = 8 * 1024  # bytes of white space before anything is said
WORD_MAX: Final = 64  # letters of a first word; the longest verb has 17
LINE_MAX: Final = 16 * 1024  # bytes of a JSON line; who sends more is told so by the native dialect

UNKNOWN: Final = "unknown"
TLS: Final = "tls"
HTTP: Final = "http"

METHODS: Final = frozenset(
    {b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"CONNECT", b"TRACE"}
)
_WORD: Final = re.compile(rb"[A-Za-z_]+")
_TLS_HELLO: Final = 0x16  # the first byte of every TLS connection: a handshake record


_object: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def recognise(heard: bytes) -> str | None:
    """The dialect that begins with these bytes; None if more of them are needed."""
    if heard[:1] == bytes([_TLS_HELLO]):
        return TLS
    said = heard.lstrip(b" \t\r\n")
    if not said:
        return None if len(heard) <= SPACE_MAX else UNKNOWN
    first = said[0]
    if first == ord("@"):
        return "tourney"
    if first == ord('"'):
        return "fishcom"
    if first in range(1, 8) or first in b"1234567":
        return "othello"
    if first == ord("{"):
        return _of_object(said)
    return _of_word(said)


def _of_object(said: bytes) -> str | None:
    """Native, or fish: one line of JSON decides."""
    line, end, _ = said.partition(b"\n")
    if not end:
        return "native" if len(said) > LINE_MAX else None
    try:
        found = _object.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "native"  # it will say what is wrong with it
    joins = bytes(found.get("type", b"")) == b'"joinGame"'
    return "fish" if joins or "Request" in found else "native"


def _of_word(said: bytes) -> str | None:
    """HTTP, blackwhite or bughouse: a word, and what follows it."""
    read = _WORD.match(said[: WORD_MAX + 1])
    if read is None or len(read[0]) > WORD_MAX:
        return UNKNOWN
    word, after = read[0], said[read.end() : read.end() + 1]
    if not after:
        return None
    if after == b":":
        return "bughouse"
    if after == b" " and word in METHODS:
        return HTTP
    if word.upper() == b"ENTERROOM":
        return "blackwhite"
    return UNKNOWN
