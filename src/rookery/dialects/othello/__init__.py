"""The dialect `othello`: 8x8 reversi in seven types of frames, carried in more than one way.

`wire` cuts bytes into frames and knows what stands in them, `speaking` is one connection, and
`profile` what is declared: bounds, what can be set for a port, and what its clients are like.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.othello.profile import MANNERS, OthelloOptions, opens_with
from rookery.dialects.othello.speaking import OthelloDialect

KIND: Final[Kind] = Kind(
    MANNERS, OthelloOptions, OthelloDialect, opens_with, house_bot=OthelloOptions.house_bot
)

__all__ = ["KIND", "OthelloDialect", "OthelloOptions"]
