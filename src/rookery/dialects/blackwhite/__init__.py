"""The dialect `blackwhite`: rooms where two play 10x10 reversi and everyone else looks on.

`words` reads and writes the lines, `telling` puts a game's events into them, `speaking` is
one connection, and `options` what can be set.
"""

from rookery.dialects.blackwhite.options import BlackWhiteOptions
from rookery.dialects.blackwhite.speaking import BlackWhite

__all__ = ["BlackWhite", "BlackWhiteOptions"]
