"""The dialect `fish`: penguins, a referee and players, in JSON objects on lines.

`reading` is what players say, `writing` what the referee says, `speaking` one connection,
and `options` what can be set for a port.
"""

from rookery.dialects.fish.options import FishOptions
from rookery.dialects.fish.speaking import FishDialect

__all__ = ["FishDialect", "FishOptions"]
