"""Who is calling? Every dialect is recognised by its first bytes, on one port.

Bytes may come one at a time: `recognise` returns a name as soon as it can, None while it
must wait for more bytes, and UNKNOWN when no dialect begins so. White space in front is
skipped here and handed on to the dialect like all the rest. The dialects are asked in the
order of the registry; while one of them needs more bytes, those after it are not asked.
"""

from typing import Final

from rookery.dialects import DIALECTS
from rookery.dialects.first_bytes import METHODS, first_word

SPACE_MAX: Final = 8 * 1024  # bytes of white space before anything is said

UNKNOWN: Final = "unknown"
TLS: Final = "tls"
HTTP: Final = "http"

_TLS_HELLO: Final = 0x16  # the first byte of every TLS connection: a handshake record


def _is_http(said: bytes) -> bool | None:
    match first_word(said):
        case (word, after):
            return after == b" " and word in METHODS
        case waits:
            return waits


def recognise(heard: bytes) -> str | None:
    """The name of the dialect (or HTTP, TLS) that begins so; None if more bytes are needed."""
    if heard[:1] == bytes([_TLS_HELLO]):
        return TLS
    said = heard.lstrip(b" \t\r\n")
    if not said:
        return None if len(heard) <= SPACE_MAX else UNKNOWN
    web = _is_http(said)
    if web is None or web:
        return HTTP if web else None
    for name, kind in DIALECTS.items():
        verdict = kind.opens_with(said)
        if verdict is None:
            return None
        if verdict:
            return name
    return UNKNOWN
