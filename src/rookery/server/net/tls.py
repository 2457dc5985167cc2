"""TLS as a layer of bytes: encrypted ones in, plain ones out, and the other way round.

Plain and TLS connections share a port, and the first byte tells them apart. By then it has been
read, so the event loop's own TLS cannot be used any more; this one needs no socket at all.

Handshakes are done in a thread of their own: a signature takes a millisecond or two that nobody
can interrupt, and OpenSSL releases the interpreter meanwhile. There is one thread, at a low
priority, and hosts have equal parts of its time however many of their connections wait. A
handshake also costs the loop about half as much, to accept, answer and close; so while others
play the thread rests between two. A connection owns its layer, but while the thread works on it.
"""

import asyncio
import os
import ssl
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from time import thread_time_ns
from typing import Final

from rookery.core.network import home_of
from rookery.server.config import BadSetting, Settings
from rookery.server.limits import HANDSHAKE_MAX
from rookery.server.net.fair import Flow, Turns

HELLO: Final = b"\x16"  # the first byte of every TLS connection: a handshake record


class TlsLayer:
    """The server's side of one TLS connection."""

    __slots__ = (
        "_before",
        "_early",
        "_incoming",
        "_object",
        "_outgoing",
        "ended",
        "in_handshake",
        "is_done",
    )

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._object = tls.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.in_handshake = False  # the thread has it: nothing is encrypted or drained meanwhile
        self.is_done = False  # the handshake is done
        self._before = 0  # bytes read before that
        self._early = b""  # plain bytes to encrypt once it is
        self.ended = False  # the other side has ended TLS, or cannot speak it

    def take(self, sealed: bytes) -> None:
        """Take in encrypted bytes; too many of them before the handshake is done end it all."""
        if not self.is_done:
            self._before += len(sealed)
            self.ended = self.ended or self._before > HANDSHAKE_MAX
        self._incoming.write(sealed)

    def handshake(self) -> None:
        """Do the handshake as far as the bytes allow; in any thread that has this alone."""
        try:
            self._object.do_handshake()
            self.is_done = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:  # the client cannot speak TLS
            self.ended = True

    def read(self) -> bytes:
        """Decrypt and return what is complete; bytes that are not TLS end it all."""
        plain = b""
        if not self.is_done:
            return plain
        try:
            if self._early:
                self._object.write(self._early)
                self._early = b""
            while piece := self._object.read(1 << 16):
                plain += piece
            self.ended = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:  # the client said goodbye, or cannot speak TLS
            self.ended = True
        return plain

    def seal(self, plain: bytes) -> None:
        """Encrypt these bytes, for `drain` to take out."""
        if self.is_done and not self.in_handshake:
            self._object.write(plain)
        else:
            self._early += plain

    def drain(self) -> bytes:
        """Take out the bytes to send, those of the handshake included."""
        return b"" if self.in_handshake else self._outgoing.read()


def tls_of(settings: Settings) -> ssl.SSLContext | None:
    """Load the certificate of the settings; None if there is none. Raises BadSetting."""
    if not settings.tls_cert:
        return None
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.options |= ssl.OP_NO_RENEGOTIATION  # a handshake is dear: one a connection
    try:
        tls.load_cert_chain(settings.tls_cert, settings.tls_key)
    except (OSError, ssl.SSLError) as wrong:
        raise BadSetting(f"The TLS certificate or key cannot be used: {wrong}.") from None
    return tls


RESTS: Final = 4  # times as long as a handshake took, while others play
NICE: Final = 10  # the thread's niceness: the loop and the log's thread go first
NANOS: Final = 1e9  # in a second

Then = Callable[[], None]


class Handshakes:
    """Does one handshake after the other; the thread is started for the first."""

    def __init__(
        self, thread: Executor | None = None, others: Callable[[], bool] = lambda: False
    ) -> None:
        self._thread = thread
        self._others = others  # whether others play
        self._order = Turns()
        self._waiting: dict[Flow, tuple[TlsLayer, Then]] = {}
        self._working = False

    def __len__(self) -> int:
        """How many connections wait for their turn."""
        return len(self._waiting)

    def ask(self, host: str, sealed: TlsLayer, then: Then) -> None:
        """Do this handshake in its turn, then call `then`; neither if it has ended by then."""
        flow = self._order.flow(home_of(host))
        self._waiting[flow] = sealed, then
        self._order.wait(flow)
        if not self._working:
            self._next()

    def _next(self) -> None:
        while (flow := self._order.next()) is not None:
            sealed, then = self._waiting.pop(flow)
            if sealed.ended:
                self._order.leave(flow)
                continue
            self._working = True
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "handshakes", _stand_back)
            done = asyncio.get_running_loop().run_in_executor(self._thread, _timed, sealed)
            done.add_done_callback(partial(self._finish, flow, then))
            return

    def _finish(self, flow: Flow, then: Then, done: "asyncio.Future[int]") -> None:
        self._working = False
        spent = done.result()
        self._order.charge(flow, spent)
        self._order.leave(flow)
        if self._others():
            self._working = True
            asyncio.get_running_loop().call_later(RESTS * spent / NANOS, self._rested)
        else:
            self._next()
        then()

    def _rested(self) -> None:
        self._working = False
        self._next()


def _timed(sealed: TlsLayer) -> int:
    """Do the handshake as far as possible; return the nanoseconds of processor time it took."""
    began = thread_time_ns()
    sealed.handshake()
    return thread_time_ns() - began


def _stand_back() -> None:
    """Give this thread a lower priority, on systems where one thread can have its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, NICE)  # of this thread; elsewhere, of all of us
