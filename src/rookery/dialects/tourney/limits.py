"""Every bound of tourney, each with its reason. What is over one is told so, and cut off."""

from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

# Bytes of one line of tourney; the longest sensible one is a name or a move.
LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
# "The server itself sends `@PING` to a client silent for 30 s", and waits as long again.
SILENCE: Final[Micros] = 30 * MICROS_A_SECOND
# A ping that waits behind a slow answer is answered before it when so long nothing was said;
# clients "give up after about 2 s without any line", and begin to ask after 200 ms.
PONG_AFTER: Final[Micros] = 500_000
# A player's connection that "sent something in the last 3 s" is there; one that did not is asked.
SILENT: Final[Micros] = 3 * MICROS_A_SECOND
# And a client that wants to be that player waits so long for what comes of the question; a dead
# line is found out in 2.5 s.
ASKED_AFTER: Final[Micros] = 3 * MICROS_A_SECOND

# After a move that was passed over as one of the last match, the state is told again when none
# followed for so long: a client that had stopped thinking in time would wait for ever.
ASKED_AGAIN: Final[Micros] = 5 * MICROS_A_SECOND
