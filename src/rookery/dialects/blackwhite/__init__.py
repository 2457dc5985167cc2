"""The dialect `blackwhite`: rooms where two play 10x10 reversi and everyone else looks on.

`wire` reads and writes the lines, `speaking` is one connection, and `profile` what is declared:
bounds, what can be set for a port, and what its clients are like.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.blackwhite.profile import MANNERS, BlackWhiteOptions, opens_with
from rookery.dialects.blackwhite.speaking import BlackwhiteDialect

KIND: Final[Kind] = Kind(MANNERS, BlackWhiteOptions, BlackwhiteDialect, opens_with)

__all__ = ["KIND", "BlackWhiteOptions", "BlackwhiteDialect"]
