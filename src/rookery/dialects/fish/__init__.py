"""The dialect `fish`: penguins, a referee and players, in JSON objects on lines.

`reading` is what players say, `writing` what the referee says, `speaking` one connection,
`options` what can be set for a port, and `manners` what is declared of its clients.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.fish.manners import MANNERS, opens_with
from rookery.dialects.fish.options import FishOptions
from rookery.dialects.fish.speaking import FishDialect

KIND: Final[Kind] = Kind(MANNERS, FishOptions, FishDialect, opens_with)

__all__ = ["KIND", "FishDialect", "FishOptions"]
