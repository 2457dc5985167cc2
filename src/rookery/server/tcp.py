"""Connections over TCP: bytes to a dialect, its intents to the keeper, its bytes back.

A connection holds no rules and no words: the dialect has the words, the keeper the
order. What is here is manners. One write a drain. A sender who is faster than the hall,
or than it reads its answers, is read more slowly. A reader who is a megabyte behind is
cut off. A connection that never says anything is closed after a while.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from typing import Final, cast

from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId
from rookery.core.messages import AnyMessage, Notice
from rookery.dialects.base import Dialect
from rookery.server.fairtime import FairTime
from rookery.server.hosts import LOOPBACK, host_of
from rookery.server.keeper import Keeper
from rookery.server.limits import SLICE, Bounds

FULL: Final = b"Too many connections from your host; close some and try again.\n"
BOUNDS: Final = Bounds()


class Door:
    """Where connections come in. It knows all of them; it mutates."""

    def __init__(
        self,
        keeper: Keeper,
        time: FairTime,
        dialect: Callable[[], Dialect],
        bounds: Bounds = BOUNDS,
    ) -> None:
        self.keeper = keeper
        self.time = time
        self.dialect = dialect
        self.bounds = bounds
        self._next = 1
        self._open: dict[SessionId, Connection] = {}
        self._hosts: Counter[str] = Counter()
        self._silent: dict[SessionId, Micros] = {}  # who has said nothing yet, since when
        self._going: dict[SessionId, Micros] = {}  # to whom we hang up, since when
        self.empty = asyncio.Event()
        self.empty.set()

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: "Connection", host: str) -> SessionId | None:
        """The number of a new session; None where its host has enough."""
        bounds = self.bounds
        most = bounds.sessions_loopback if host == LOOPBACK else bounds.sessions_a_host
        if self._hosts[host] >= most:
            return None
        session = SessionId(self._next)
        self._next += 1
        self._hosts[host] += 1
        self._open[session] = connection
        self.empty.clear()
        self._silent[session] = self.time.now()
        return session

    def spoke(self, session: SessionId) -> None:
        """The session has said something, and is never closed for silence again."""
        self._silent.pop(session, None)

    def going(self, session: SessionId) -> None:
        """We hang up on the session, once it has read what was sent."""
        self._going.setdefault(session, self.time.now())

    def leave(self, session: SessionId, host: str) -> None:
        """The connection is gone."""
        del self._open[session]
        if not self._open:
            self.empty.set()
        self._silent.pop(session, None)
        self._going.pop(session, None)
        self._hosts[host] -= 1
        if not self._hosts[host]:
            del self._hosts[host]

    def sweep(self) -> None:
        """Close who has been silent for too long since it came, or reads no last words."""
        now = self.time.now()
        for session, since in list(self._silent.items()):
            if now - since < self.bounds.silence:
                break  # the rest came later
            self._open[session].close()
        for session, since in list(self._going.items()):
            if now - since < self.bounds.last_words:
                break
            self._open[session].abort()

    def close(self, notice: Notice) -> None:
        """Tell everyone, and hang up once they have been told."""
        for connection in list(self._open.values()):
            connection.tell(notice)
            connection.flush()
            connection.close()

    def abort(self) -> None:
        """Hang up on everyone at once."""
        for connection in list(self._open.values()):
            connection.abort()


class Connection(asyncio.Protocol):
    """One session over one socket."""

    __slots__ = (
        "_clogged",
        "_dialect",
        "_door",
        "_ended",
        "_host",
        "_paused",
        "_pending",
        "_session",
        "_timer",
        "_timer_at",
        "_transport",
        "_unread",
    )

    def __init__(self, door: Door) -> None:
        self._door = door
        self._dialect = door.dialect()
        self._host = ""
        self._session: SessionId | None = None
        self._transport: asyncio.Transport | None = None
        self._pending = 0  # asked, and not yet told
        self._unread = b""  # what came and the dialect has not seen yet
        self._clogged = False  # what we sent is not being read
        self._paused = False  # we read no more for now
        self._ended = False  # the other side will say no more
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: Micros | None = None

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A new socket."""
        # uvloop's transports are asyncio's in all but name.
        self._transport = out = cast("asyncio.Transport", transport)
        self._host = host_of(out.get_extra_info("peername"))
        connection = out.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._session = self._door.admit(self, self._host)
        if self._session is None:
            out.write(FULL)
            out.close()
            return
        self._door.keeper.connect(self._session, self._host, self)

    def data_received(self, data: bytes) -> None:
        """Bytes were read from the socket."""
        if self._session is None or self._ended:
            return
        self._door.spoke(self._session)
        self._unread += data
        self._read_on()

    def eof_received(self) -> bool:
        """The other side will say no more; it is still told what it asked."""
        self._ended = True
        if self._session is not None:
            self._dialect.receive(b"", self._door.time.now())
        # A TLS socket cannot be half closed.
        stay = self._owes() and self._out().get_extra_info("ssl_object") is None
        if not stay:
            self.close()
        return stay

    def pause_writing(self) -> None:
        """It does not read what we send: it may ask for more when it has."""
        self._clogged = True
        self._slow_down()

    def resume_writing(self) -> None:
        """It has."""
        self._clogged = False
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """The socket is gone."""
        if self._timer is not None:
            self._timer.cancel()
        if self._session is not None:
            self._door.keeper.hang_up(self._session, self._door.time.now())
            self._door.leave(self._session, self._host)
            self._session = None

    # -- what the keeper calls

    def tell(self, message: AnyMessage) -> None:
        """Put this into the dialect's words."""
        self._dialect.tell(message)

    def flush(self) -> None:
        """Send what has been put into words, in one write; cut off who does not read it."""
        transport = self._out()
        words = self._dialect.drain()
        if transport.is_closing():
            return
        if words:
            # Judged by what was sent before: the last answer may be long, and just left.
            if transport.get_write_buffer_size() > self._door.bounds.backlog:
                transport.abort()
                return
            transport.write(words)
        if self._dialect.closing:
            self.close()
        self._arm()

    def answered(self) -> None:
        """One thing it asked has been dealt with."""
        self._pending -= 1
        self._go_on()
        if self._ended and not self._owes():
            self.flush()
            self.close()

    def close(self) -> None:
        """Hang up once everything has been sent."""
        if self._session is not None:
            self._door.going(self._session)
        self._out().close()

    def abort(self) -> None:
        """Hang up at once."""
        self._out().abort()

    def _out(self) -> asyncio.Transport:
        assert self._transport is not None, "a connection is used once it is made"
        return self._transport

    # -- reading, no faster than it is answered

    def _owes(self) -> bool:
        """Whether something it said is not answered yet."""
        return self._pending > 0 or bool(self._unread)

    def _read_on(self) -> None:
        """Take what came to the dialect, until there is enough to answer."""
        while self._unread and not self._paused and self._session is not None:
            data, self._unread = self._unread[:SLICE], self._unread[SLICE:]
            # The time they were taken up at is the time they count from.
            now = self._door.time.now()
            intents = self._dialect.receive(data, now)
            if intents:
                self._pending += len(intents)
                self._door.keeper.ask(self._session, intents, now)
            self.flush()
            if self._pending > self._door.bounds.pending:
                self._slow_down()

    def _slow_down(self) -> None:
        if not self._paused:
            self._paused = True
            if not self._out().is_closing():
                self._out().pause_reading()

    def _go_on(self) -> None:
        if self._paused and not self._clogged and self._pending <= self._door.bounds.pending_low:
            self._paused = False
            self._read_on()
            if not self._paused and not self._out().is_closing():
                self._out().resume_reading()

    # -- the dialect's own time

    def _arm(self) -> None:
        deadline = self._dialect.deadline()
        if deadline == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = None, deadline
        if deadline is not None:
            wait = max(0, deadline - self._door.time.now()) / MICROS_A_SECOND
            self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._timer, self._timer_at = None, None
        if self._session is None:
            return
        now = self._door.time.now()
        intents = self._dialect.tick(now)
        if intents:
            self._pending += len(intents)
            self._door.keeper.ask(self._session, intents, now)
        self.flush()
