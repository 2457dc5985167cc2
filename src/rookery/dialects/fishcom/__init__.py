"""The dialect `fishcom`: the course's official protocol of the fish game, bare JSON values.

The server always calls, and the client answers. `values` cuts bytes into values, `calls`
knows what is called and answered, `speaking` is one connection, `options` what can be set
for a port, and `manners` what is declared of its clients.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.fishcom.manners import MANNERS, opens_with
from rookery.dialects.fishcom.options import FishcomOptions
from rookery.dialects.fishcom.speaking import FishcomDialect

KIND: Final[Kind] = Kind(MANNERS, FishcomOptions, FishcomDialect, opens_with)

__all__ = ["KIND", "FishcomDialect", "FishcomOptions"]
