"""The dialect `fishcom`: the course's official protocol of the fish game, bare JSON values.

The server always calls, and the client answers. `values` cuts bytes into values, `calls`
knows what is called and answered, `speaking` is one connection, and `options` what can be
set for a port.
"""

from rookery.dialects.fishcom.options import FishcomOptions
from rookery.dialects.fishcom.speaking import Fishcom

__all__ = ["Fishcom", "FishcomOptions"]
