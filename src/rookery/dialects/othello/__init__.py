"""The dialect `othello`: 8x8 reversi in seven types of frames, carried in more than one way.

`carriers` cuts bytes into frames, `words` knows what stands in them, `speaking` is one
connection, and `options` what can be set.
"""

from rookery.dialects.othello.options import OthelloOptions
from rookery.dialects.othello.speaking import Othello

__all__ = ["Othello", "OthelloOptions"]
