"""Every bound of the transports, each with its reason."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros

BACKLOG_MAX: Final = 1 << 20  # bytes a slow reader may fall behind before we hang up
PENDING_MAX: Final = 64  # things a session may have asked and not been told; then we read no more
PENDING_LOW: Final = 32  # and this is when we read on
SLICE: Final = 256  # bytes a dialect hears in one go: whatever a player says at once
SLICE_OF_MUCH: Final = 64  # and of a client that has said more: 32 unreadable lines take 0.3 ms
SLICE_FRAMED: Final = 256  # bytes of a WebSocket opened in one go: 40 empty frames take 0.7 ms
PIECE: Final = 1024  # bytes of HTTP or TLS heard in one go: 170 chunks of a byte take 2 ms
UNHEARD_MAX: Final = 4 * 1024  # bytes that wait to be heard before we read no more
# A client that reads no answers is not heard; a flag waits so long for its words, and falls.
UNREAD_MAX: Final[Micros] = 5 * MICROS_A_SECOND
SESSIONS_A_HOST: Final = 500  # a class behind one router
SESSIONS_LOOPBACK: Final = 20_000  # tests and bots on the same machine
SESSIONS_MAX: Final = 50_000  # from everywhere: about half a gigabyte; fewer with fewer files
HOME_SHARE: Final = (3, 4)  # of these that one home may have at most, where files are few
FILES_RESERVED: Final = 64  # for the log, the ports, the bots, and one to refuse with
FILES_SPARE: Final = 1_024  # connections that wait at a port, taken at once to be refused
# A connection that never says anything that can be read is closed.
SILENCE: Final[Micros] = 600 * MICROS_A_SECOND
HANDSHAKE: Final[Micros] = 10 * MICROS_A_SECOND  # to shake hands under TLS; a slow phone takes two
HANDSHAKE_MAX: Final = 64 * 1024  # bytes until then; a hello has at most 16 kB
LAST_WORDS: Final[Micros] = 30 * MICROS_A_SECOND  # to read what was sent before we hung up
GOODBYE: Final[Micros] = MICROS_A_SECOND  # to answer our goodbye in a WebSocket; some never do
REACHED: Final = 2.5  # seconds for the other end to acknowledge what is sent; then it is gone
SWEEP_EVERY_S: Final = 5.0  # between searches for silent connections
SHUTDOWN_TIMEOUT_S: Final = 5.0  # for what was asked to be written before we stop
# Requests that wait at an edge for its hall: as many as a host has connections; a proxy on the
# same machine is everybody; and of all, with what connections keep meanwhile, about 100 MB.
AWAITED_A_HOST: Final = 500
AWAITED_LOOPBACK: Final = 5_000
AWAITED_MAX: Final = 10_000


class Awaited(Struct, frozen=True):
    """How many requests may wait for a hall; tests alone use others than these."""

    host: int = AWAITED_A_HOST
    loopback: int = AWAITED_LOOPBACK
    all: int = AWAITED_MAX


class Bounds(Struct, frozen=True):
    """What the door lets a connection do; tests alone use others than these."""

    backlog: int = BACKLOG_MAX
    pending: int = PENDING_MAX
    pending_low: int = PENDING_LOW
    sessions_a_host: int = SESSIONS_A_HOST
    sessions_loopback: int = SESSIONS_LOOPBACK
    sessions: int = SESSIONS_MAX
    handshake: Micros = HANDSHAKE
    silence: Micros = SILENCE
    last_words: Micros = LAST_WORDS
    goodbye: Micros = GOODBYE
