"""Every bound of bughouse, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of one line of bughouse. The longest sensible one has a name of 40 characters of four
# bytes each.
LINE_MAX: Final = 1024
# Requests that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
# Games whose news may wait in one connection; of older ones they are dropped, for a client that
# asks GET_GAMES is told anyway.
LOBBY_MAX: Final = 200
