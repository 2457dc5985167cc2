"""Players of fish, for any board and 2 to 4 seats.

`sea` is the ice as a bot thinks of it, `simple` has the two that do not think ahead,
`maximin` the course's standard player, `sampling` the strongest, which judges by
`territory`. The first three place on the first free tile, or anywhere; the strongest
searches for its places too.
"""

from typing import Final

from rookery.bots.base import Level
from rookery.bots.fish.maximin import FishMaximin
from rookery.bots.fish.sampling import FishSampler
from rookery.bots.fish.simple import FishGreedy, FishRandom

LEVELS: Final[tuple[Level, ...]] = (
    Level(FishRandom(), nodes=1),
    Level(FishGreedy(), nodes=1),
    Level(FishMaximin(turns=3), nodes=800),
    Level(FishSampler(), nodes=15_000),
    Level(FishSampler(), nodes=100_000),
)

__all__ = ["LEVELS", "FishGreedy", "FishMaximin", "FishRandom", "FishSampler"]
