"""The dialect `fish`: penguins, a referee and players, in JSON objects on lines.

`wire` is what players and the referee say, `speaking` one connection, and `profile` what is
declared: bounds, what can be set for a port, and what its clients are like.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.fish.profile import MANNERS, FishOptions, opens_with
from rookery.dialects.fish.speaking import FishDialect

KIND: Final[Kind] = Kind(MANNERS, FishOptions, FishDialect, opens_with)

__all__ = ["KIND", "FishDialect", "FishOptions"]
