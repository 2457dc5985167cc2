"""The dialect `blackwhite`: rooms where two play 10x10 reversi and everyone else looks on.

`words` reads and writes the lines, `telling` puts a game's events into them, `speaking` is
one connection, `options` what can be set, and `manners` what is declared of its clients.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.blackwhite.manners import MANNERS, opens_with
from rookery.dialects.blackwhite.options import BlackWhiteOptions
from rookery.dialects.blackwhite.speaking import BlackwhiteDialect

KIND: Final[Kind] = Kind(MANNERS, BlackWhiteOptions, BlackwhiteDialect, opens_with)

__all__ = ["KIND", "BlackWhiteOptions", "BlackwhiteDialect"]
