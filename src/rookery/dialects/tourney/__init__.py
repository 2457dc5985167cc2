"""The dialect `tourney`: bot tournaments of six types, in lines cut at colons.

`speaking` is one connection; `match` tells one player of a match, in the `games`' words;
`tours` speaks of tournaments, with `reports` of their matches; `naming` makes names fit,
`pulse` listens for life, `patience` sees to it that a pong is never late, and a `pause` is
a while to wait.
"""

from rookery.dialects.tourney.options import TourneyOptions
from rookery.dialects.tourney.speaking import Tourney

__all__ = ["Tourney", "TourneyOptions"]
