"""The dialect `othello`: 8x8 reversi in seven types of frames, carried in more than one way.

`framing` cuts bytes into frames, `words` knows what stands in them, `speaking` is one
connection, `options` what can be set, and `manners` what is declared of its clients.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.othello.manners import MANNERS, opens_with
from rookery.dialects.othello.options import OthelloOptions
from rookery.dialects.othello.speaking import OthelloDialect

KIND: Final[Kind] = Kind(
    MANNERS, OthelloOptions, OthelloDialect, opens_with, house_bot=OthelloOptions.house_bot
)

__all__ = ["KIND", "OthelloDialect", "OthelloOptions"]
