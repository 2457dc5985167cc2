"""The dialect `fishcom`: the course's official protocol of the fish game, bare JSON values.

The server always calls, and the client answers. `wire` cuts bytes into values and knows what is
called and answered, `speaking` is one connection with its `agenda` of calls, and `profile` what is
declared: bounds, names, what can be set for a port, and what its clients are like.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.fishcom.profile import MANNERS, FishcomOptions, opens_with
from rookery.dialects.fishcom.speaking import FishcomDialect

KIND: Final[Kind] = Kind(MANNERS, FishcomOptions, FishcomDialect, opens_with)

__all__ = ["KIND", "FishcomDialect", "FishcomOptions"]
