"""The dialect `tourney`: bot tournaments of six types, in lines cut at colons.

`speaking` is one connection; `match` tells one player of a match, in the `games`' words;
`tours` speaks of tournaments, with `reports` of their matches; `naming` makes names fit,
`keepalive` asks silent clients whether they live, `late_pong` sees to it that a pong is never
late, a `delay` is a span of time to wait, and `manners` is what is declared of its clients.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.tourney.manners import MANNERS, opens_with
from rookery.dialects.tourney.options import TourneyOptions
from rookery.dialects.tourney.speaking import TourneyDialect

KIND: Final[Kind] = Kind(
    MANNERS, TourneyOptions, TourneyDialect, opens_with, clash=TourneyOptions.clash
)

__all__ = ["KIND", "TourneyDialect", "TourneyOptions"]
