"""The dialect `tourney`: bot tournaments of six types, in lines cut at colons.

`speaking` is one connection; `playing` tells one player of a match, in the `games`' words;
`tours` speaks of tournaments and reports their matches; `timers` are the waits of a connection,
and `profile` is what is declared: bounds, names, options, and what its clients are like.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.tourney.profile import MANNERS, TourneyOptions, opens_with
from rookery.dialects.tourney.speaking import TourneyDialect

KIND: Final[Kind] = Kind(
    MANNERS, TourneyOptions, TourneyDialect, opens_with, clash=TourneyOptions.clash
)

__all__ = ["KIND", "TourneyDialect", "TourneyOptions"]
