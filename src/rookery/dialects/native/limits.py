"""Every bound of native, each with its reason. What is over one is told so, and cut off."""

from typing import Final

# Bytes of one line of JSON without its end. The longest sensible request, a chat of 500
# characters all written as \u escapes, has 6,100; more is a mistake or an attack.
LINE_MAX: Final = 16 * 1024
