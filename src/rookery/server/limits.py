"""Every bound of the transports, each with its reason."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros

BACKLOG_MAX: Final = 1 << 20  # bytes a slow reader may fall behind before we hang up
PENDING_MAX: Final = 64  # things a session may have asked and not been told; then we read no more
PENDING_LOW: Final = 32  # and this is when we read on
SLICE: Final = 4 * 1024  # bytes taken to the dialect in one go: at most 200 requests
SLICE_FRAMED: Final = 1024  # bytes of a WebSocket opened in one go: 170 empty frames take 3 ms
SESSIONS_A_HOST: Final = 500  # a class behind one router
SESSIONS_LOOPBACK: Final = 20_000  # tests and bots on the same machine
SILENCE: Final[Micros] = 600 * MICROS_A_SECOND  # a connection that never says anything is closed
LAST_WORDS: Final[Micros] = 30 * MICROS_A_SECOND  # to read what was sent before we hung up
GOODBYE: Final[Micros] = MICROS_A_SECOND  # to answer our goodbye in a WebSocket; some never do
REACHED: Final = 2.5  # seconds for the other end to take what it is asked; then it is gone
SWEEP: Final = 10.0  # seconds between looks for silent connections
SHUTDOWN_PATIENCE: Final = 5.0  # seconds for what was asked to be written before we go


class Bounds(Struct, frozen=True):
    """What the door lets a connection do; other than these in tests only."""

    backlog: int = BACKLOG_MAX
    pending: int = PENDING_MAX
    pending_low: int = PENDING_LOW
    sessions_a_host: int = SESSIONS_A_HOST
    sessions_loopback: int = SESSIONS_LOOPBACK
    silence: Micros = SILENCE
    last_words: Micros = LAST_WORDS
    goodbye: Micros = GOODBYE
