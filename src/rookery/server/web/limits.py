"""Every bound of what HTTP asks, each with its reason; those of its bytes stand in `protocol/`.

Requests are counted by host. Each has so many at hand, and they come back with time. A
host on the same machine has more: it may be a proxy, and then it is everybody.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.network import Rate

BODY_MAX: Final = 64 * 1024  # bytes; the longest plan has a few hundred
NUMBER_MAX: Final = 2**53 - 1  # the largest whole number that every reader of JSON keeps
PAGE: Final = 50  # lines of a page, where nobody says how many
PAGE_MAX: Final = 200
PATIENCE: Final = 10.0  # seconds to wait for the hall, which waits itself for the disk
WAITING_MAX: Final = 500  # questions on their way to the hall; more is a flood


READS: Final = Rate(500, MICROS_A_SECOND // 50)  # a class opens the page at the same moment
READS_LOOPBACK: Final = Rate(5_000, MICROS_A_SECOND // 500)
# An answer that is given again costs a tenth and less: ten times as many, counted apart.
AGAIN: Final = Rate(5_000, MICROS_A_SECOND // 500)
AGAIN_LOOPBACK: Final = Rate(50_000, MICROS_A_SECOND // 5_000)
# Nobody's hand is quicker, and guessing a token takes longer than there will be stars.
WRITES: Final = Rate(60, MICROS_A_SECOND // 10)
WRITES_LOOPBACK: Final = Rate(600, MICROS_A_SECOND // 100)
# Codes of private tables; a right one is given back. As many as over a line (`hall/limits.py`).
CODES: Final = Rate(50, 2 * MICROS_A_SECOND)
CODES_LOOPBACK: Final = Rate(500, MICROS_A_SECOND // 10)
# The page has twenty-five files, and a browser keeps nearly all of them: a class that opens it in
# several tabs each is far from this.
PAGES: Final = Rate(5_000, MICROS_A_SECOND // 50)
PAGES_LOOPBACK: Final = Rate(50_000, MICROS_A_SECOND // 500)
# Seconds until a client hears that it is refused. To refuse costs as much as to answer: a client
# that asks on at once is slowed down by this, and not by the refusal.
HOLD: Final = 1.0


class Rates(Struct, frozen=True):
    """How much the guard lets a host do; tests alone use others than these."""

    reads: Rate = READS
    reads_loopback: Rate = READS_LOOPBACK
    again: Rate = AGAIN
    again_loopback: Rate = AGAIN_LOOPBACK
    writes: Rate = WRITES
    writes_loopback: Rate = WRITES_LOOPBACK
    codes: Rate = CODES
    codes_loopback: Rate = CODES_LOOPBACK
    pages: Rate = PAGES
    pages_loopback: Rate = PAGES_LOOPBACK
