"""How much a client of bughouse can be told at once, and how soon: a port's options.

The old client takes broadcasts through a pipe of 1,024 bytes, and stops for good when an
answer it waits for is stuck behind them. So no more than a burst is on its way to it until
we know that it has been read, and it is told nothing while it builds its window.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros

BURST: Final = 700  # bytes
GAP: Final[Micros] = 60_000  # of silence, after which all that was sent has been read
WELCOME: Final[Micros] = 200_000  # of silence before a newcomer's first broadcast
FIRST_TURN: Final[Micros] = 600_000  # from GAME_STARTED to a game's first YOUR_TURN
# A client that talks on and on is told all the same: no old client does so without reading.
PATIENCE: Final[Micros] = 2 * MICROS_A_SECOND


class Pace(Struct, frozen=True):
    """How many bytes a port's clients take at once, and how many microseconds they need."""

    burst: int = BURST
    gap: Micros = GAP
    welcome: Micros = WELCOME
    first_turn: Micros = FIRST_TURN
