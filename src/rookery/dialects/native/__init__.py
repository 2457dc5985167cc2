"""The dialect `native`: JSON lines that say all the hall can do, for people who write clients.

`speaking` is one connection and the language's own words, `profile` what is declared of it.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.native.profile import MANNERS, opens_with
from rookery.dialects.native.speaking import (
    REQUESTS,
    VERSION,
    Greeting,
    Hello,
    NativeDialect,
    NativeOptions,
    Ping,
    Pong,
    Request,
)

KIND: Final[Kind] = Kind(MANNERS, NativeOptions, NativeDialect, opens_with)

__all__ = [
    "KIND",
    "REQUESTS",
    "VERSION",
    "Greeting",
    "Hello",
    "NativeDialect",
    "NativeOptions",
    "Ping",
    "Pong",
    "Request",
]
