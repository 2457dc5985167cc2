"""What bounds every dialect, with its reason; each has bounds of its own in its folder."""

from typing import Final

# Requests that wait while an earlier one is before the hall: with so many a dialect is full, and
# its connection reads no more until fewer wait. Who sends fast is read more slowly, not cut off.
ENOUGH: Final = 64
# The bounds on what waits in a dialect (its `WAITING_MAX`) are for a connection that does not
# look whether the dialect is full: they are above all that one read of 4 kB can add.
