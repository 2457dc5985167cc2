"""Every bound of the dialects, each with its reason. What is over one is told so, and cut off."""

from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

# Requests that wait while an earlier one is before the hall: with so many a dialect is full, and
# its connection reads no more until fewer wait. Who sends fast is read more slowly, not cut off.
ENOUGH: Final = 64
# The bounds on what waits below (`…_WAITING_MAX`, `FISH_HELD_MAX`) are for whoever does not look
# whether it is full: they are above all that one read of 4 kB can add.

# Bytes of one line of JSON without its end. The longest sensible request, a chat of 500
# characters all written as \u escapes, has 6,100; more is a mistake or an attack.
NATIVE_LINE_MAX: Final = 16 * 1024

# Bytes of one othello frame's payload, or of its line. The longest sensible one is a
# message of 500 characters of four bytes each.
OTHELLO_FRAME_MAX: Final = 4 * 1024
# Frames that may wait while an earlier one is before the hall.
OTHELLO_WAITING_MAX: Final = 5_000

# Bytes of one line of fish. The longest sensible one, a joinGame with an id of 40 characters
# written as \u escapes, has 550.
FISH_LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
FISH_HELD_MAX: Final = 5_000

# Bytes of one line of blackwhite. The longest sensible one has two names of 40 characters of
# four bytes each.
BLACKWHITE_LINE_MAX: Final = 1024
# Lines that may wait while an earlier one is before the hall.
BLACKWHITE_WAITING_MAX: Final = 5_000

# Bytes of one line of tourney; the longest sensible one is a name or a move.
TOURNEY_LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
TOURNEY_WAITING_MAX: Final = 5_000
# "The server itself sends `@PING` to a client silent for 30 s", and waits as long again.
TOURNEY_SILENCE: Final[Micros] = 30 * MICROS_A_SECOND
# A ping that waits behind a slow answer is answered before it when so long nothing was said;
# clients "give up after about 2 s without any line", and begin to ask after 200 ms.
TOURNEY_PONG_AFTER: Final[Micros] = 500_000
# A player's connection that "sent something in the last 3 s" is there; one that did not is asked.
TOURNEY_SILENT: Final[Micros] = 3 * MICROS_A_SECOND
# And whoever wants to be that player waits so long for what comes of it; a dead line is found
# out in 2.5 s.
TOURNEY_ASKED_AFTER: Final[Micros] = 3 * MICROS_A_SECOND

# After a move that was passed over as one of the last match, the state is told again when none
# followed for so long: a client that had stopped thinking in time would wait for ever.
TOURNEY_ASKED_AGAIN: Final[Micros] = 5 * MICROS_A_SECOND

# Bytes of one line of bughouse. The longest sensible one has a name of 40 characters of four
# bytes each.
BUGHOUSE_LINE_MAX: Final = 1024
# Requests that may wait while an earlier one is before the hall.
BUGHOUSE_WAITING_MAX: Final = 5_000
# Games whose news may wait in one connection; of older ones they are dropped, for whoever asks
# GET_GAMES is told anyway.
BUGHOUSE_LOBBY_MAX: Final = 200

# Bytes of fishcom values that are kept while no call is open, white space not counted; the
# longest sensible answer has 30.
FISHCOM_KEPT_MAX: Final = 4 * 1024
