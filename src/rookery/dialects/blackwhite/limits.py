"""Every bound of blackwhite, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of one line of blackwhite. The longest sensible one has two names of 40 characters of
# four bytes each.
LINE_MAX: Final = 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
