"""Every bound of othello, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of one othello frame's payload, or of its line. The longest sensible one is a
# message of 500 characters of four bytes each.
FRAME_MAX: Final = 4 * 1024
# Frames that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
