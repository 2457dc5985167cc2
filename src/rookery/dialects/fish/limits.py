"""Every bound of fish, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of one line of fish. The longest sensible one, a joinGame with an id of 40 characters
# written as \u escapes, has 550.
LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
