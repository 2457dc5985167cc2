"""Every bound of fishcom, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of fishcom values that are kept while no call is open, white space not counted; the
# longest sensible answer has 30.
KEPT_MAX: Final = 4 * 1024
