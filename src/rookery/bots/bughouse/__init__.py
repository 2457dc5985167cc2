"""Players of bughouse: each thinks for one board, the best with the other in mind.

`quick` is a board as a bot thinks of it, with `geometry` and `moves`; `worth` and `safety`
say what a position is worth, `needs` what the other board needs, `search` looks ahead,
`sitting` says when to wait. `players` puts them together.
"""

from typing import Final

from rookery.bots.base import Level
from rookery.bots.bughouse.analyst import BughouseAnalyst
from rookery.bots.bughouse.players import BughouseGreedy, BughouseRandom, BughouseSearcher

LEVELS: Final[tuple[Level, ...]] = (
    Level(BughouseRandom(), nodes=1),
    Level(BughouseGreedy(), nodes=1),
    Level(BughouseSearcher(depth=1), nodes=1500),
    Level(BughouseSearcher(depth=3), nodes=2500),
    Level(BughouseSearcher(depth=12, minds=True, sits=True), nodes=20_000),
)
ANALYST: Final = BughouseAnalyst()

__all__ = ["ANALYST", "LEVELS", "BughouseGreedy", "BughouseRandom", "BughouseSearcher"]
