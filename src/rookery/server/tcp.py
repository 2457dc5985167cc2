"""Connections over TCP: bytes to a dialect, its intents to the keeper, its bytes back.

A connection holds no rules and no words: the dialect has the words, the keeper the
order. What is here is manners. One write a drain. A sender who is faster than the hall,
or than it reads its answers, is read more slowly. A reader who is a megabyte behind is
cut off. A connection that never says anything is closed after a while.
"""

import asyncio
import ssl
from collections.abc import Sequence
from functools import partial
from typing import cast

from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import WANTED, AnyMessage, Notice
from rookery.dialects import DIALECTS, begin
from rookery.dialects.base import Dialect
from rookery.dialects.detect import HTTP, UNKNOWN, recognise
from rookery.server.door import Door
from rookery.server.hosts import host_of
from rookery.server.limits import SLICE, SLICE_FRAMED
from rookery.server.port import ANY, Port
from rookery.server.reach import ask_after, prepare
from rookery.server.strangers import STRANGE, is_lost, misdirected
from rookery.server.tls import HELLO, Sealed
from rookery.server.web.carrier import Caller
from rookery.server.web.frames import CARRIED, GOING_AWAY, NORMAL, Framed


class Connection(asyncio.Protocol):
    """One session over one socket."""

    __slots__ = (
        "_came",
        "_clogged",
        "_door",
        "_ended",
        "_first",
        "_framed",
        "_fresh",
        "_host",
        "_paused",
        "_pending",
        "_port",
        "_sealed",
        "_session",
        "_timer",
        "_timer_at",
        "_transport",
        "_unread",
        "_web",
        "dialect",
    )

    def __init__(self, door: Door, port: Port = ANY) -> None:
        self._door = door
        self._port = port
        self.dialect: Dialect | None = None  # None until we know who is calling
        self._host = ""
        self._session: SessionId | None = None
        self._transport: asyncio.Transport | None = None
        self._pending = 0  # asked, and not yet told
        self._unread = b""  # what came and the dialect has not seen yet
        self._came: Micros = 0  # when the last of it did, at the least
        self._clogged = False  # what we sent is not being read
        self._paused = False  # we read no more for now
        self._ended = False  # the other side will say no more
        self._fresh = True  # nothing has come yet
        self._first = bool(port.dialect)  # whether to see if a browser called the wrong port
        self._sealed: Sealed | None = None  # where it speaks TLS
        self._web: Caller | None = None  # where it speaks HTTP
        self._framed: Framed | None = None  # where it speaks a dialect in a WebSocket
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: Micros | None = None

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A new socket."""
        # uvloop's transports are asyncio's in all but name.
        self._transport = out = cast("asyncio.Transport", transport)
        self._host = host_of(out.get_extra_info("peername"))
        prepare(out)
        admitted = self._door.admit(self, self._host)
        if isinstance(admitted, bytes):
            out.write(admitted)
            out.close()
            return
        self._session = admitted
        if self._port.dialect:
            self._begin(self._session, self._port.dialect)
            self.flush()  # and its own time-outs begin

    def data_received(self, data: bytes) -> None:
        """Bytes were read from the socket."""
        self._came = self._door.time.read()
        if self._session is None or self._ended:
            return
        if self._fresh:
            self._fresh = False
            if self._door.tls is not None and data.startswith(HELLO):
                self._sealed = Sealed(self._door.tls)
                self._door.shaking(self._session)
        plain = data if self._sealed is None else self._opened(self._sealed, data)
        if self._web is not None:
            self._web.hear(plain)
            return
        if self._framed is not None:
            self._hear_frames(self._framed, plain)
            return
        if self._first and plain:
            self._first = False
            if is_lost(plain):
                self.send(misdirected(self._port.dialect, self._port.page))
                self._ended = True
                self.close()
                return
        self._unread += plain
        self._read_on()

    def _opened(self, sealed: Sealed, data: bytes) -> bytes:
        """What came under TLS, in plain bytes; who cannot speak it is hung up on."""
        try:
            plain = sealed.open(data)
        except ssl.SSLError:
            self._out().write(sealed.drain())  # the alert that says why
            self._ended = True
            self.close()
            return b""
        self._out().write(sealed.drain())
        if sealed.shaken and self._session is not None:
            self._door.shaken(self._session)
        if sealed.ended:
            self._ended = True
            self.close()
        return plain

    def _hear_frames(self, framed: Framed, words: bytes) -> None:
        """Bytes came in a WebSocket; the end of that is the end of what is said."""
        self._unread += framed.open(words, SLICE_FRAMED if not self._ended else None)
        self._send_frames(framed.drain())
        self._read_on()
        if framed.ended:
            self.eof_received()
        elif not self._paused:
            self._read_more()

    def eof_received(self) -> bool:
        """The other side will say no more; it is still told what it asked."""
        self._ended = True
        if self._web is not None:
            stay = self._sealed is None and self._web.ended()
            if not stay:
                self.hang_up()
            return stay
        if self._session is not None and self.dialect is not None:
            now = self._door.time.read()
            self._ask(self._session, self.dialect.receive(b"", now), now)
        elif self._session is not None and recognise(self._unread + b"\n") == UNKNOWN:
            self.send(STRANGE)  # nothing that could have followed would have made it clear
        # A TLS connection cannot be half closed.
        stay = self._sealed is None and self.dialect is not None and self._owes()
        if not stay:
            self.close()
        return stay

    def pause_writing(self) -> None:
        """It does not read what we send: it may ask for more when it has."""
        if self._web is not None:
            self._web.clogged()
            return
        self._clogged = True
        self._slow_down()

    def resume_writing(self) -> None:
        """It has."""
        if self._web is not None:
            self._web.unclogged()
            return
        self._clogged = False
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """The socket is gone."""
        if self._timer is not None:
            self._timer.cancel()
        if self._web is not None:
            self._web.gone()
        if self._session is not None:
            self._door.keeper.hang_up(self._session, self._door.time.now())
            self._door.leave(self._session, self._host)
            self._session = None

    # -- what the keeper calls

    def tell(self, message: AnyMessage) -> None:
        """Put this into the dialect's words, and ask what it asks because of it."""
        session, dialect = self._session, self.dialect
        if type(message) is Notice and message.code == WANTED:
            ask_after(self._out())
        if dialect is not None and session is not None and (intents := dialect.tell(message)):
            self._ask(session, intents, self._door.time.all_read())

    def flush(self, *, heard: bool = False) -> None:
        """Send what has been put into words, in one write; cut off who does not read it.

        With `heard` it is an answer to what was just said, which could be read then.
        """
        transport, dialect = self._out(), self.dialect
        if dialect is None:
            return
        words = dialect.drain()
        if transport.is_closing():
            return
        if words:
            if heard and self._session is not None:
                self._door.spoke(self._session)
            # Judged by what was sent before: the last answer may be long, and just left.
            if transport.get_write_buffer_size() > self._door.bounds.backlog:
                transport.abort()
                return
            if self._framed is None:
                self.send(words)
            else:
                self._send_frames(self._framed.frame(words))
        if dialect.closing:
            self.hang_up()
        deadline = dialect.deadline()
        if deadline != self._timer_at:
            self._arm(deadline)
        if self._paused:
            self._go_on()  # what it heard may leave it time for more

    def answered(self) -> None:
        """One thing it asked has been dealt with."""
        self._pending -= 1
        if self._paused:
            self._go_on()
        if self._ended and not self._owes():
            self.flush()
            self.close()

    def close(self) -> None:
        """Hang up once everything has been sent, and a request that is here whole answered."""
        if self._web is not None:
            self._web.dismiss()
        else:
            self.hang_up(GOING_AWAY)

    # -- what HTTP calls

    def hang_up(self, code: int = NORMAL) -> None:
        """Hang up once everything has been sent; in a WebSocket once both said so, or soon."""
        if self._session is not None:
            self._door.going(self._session)
        if self._framed is None or self._ended:
            self._out().close()
        else:
            self._send_frames(self._framed.part(code))
            wait = self._door.bounds.goodbye / MICROS_A_SECOND
            asyncio.get_running_loop().call_later(wait, self._out().close)

    def become(self, dialect: str, framed: bytes) -> None:
        """Speak this dialect in a WebSocket from now on; its first bytes may be here already."""
        assert self._web is not None, "who speaks HTTP becomes something else"
        assert self._session is not None, "who speaks HTTP was admitted"
        self._web.leave()
        self._web = None
        self._framed = Framed(CARRIED[dialect])
        self._begin(self._session, dialect)
        self.flush()
        self._hear_frames(self._framed, framed)

    def abort(self) -> None:
        """Hang up at once."""
        self._out().abort()

    def is_closing(self) -> bool:
        """Whether we have hung up."""
        return self._out().is_closing()

    def read_more(self, *, more: bool) -> None:
        """Read on, or no more for now."""
        if not self._out().is_closing():
            self._out().resume_reading() if more else self._out().pause_reading()

    def send(self, words: bytes) -> None:
        """Send this, under TLS where that is spoken."""
        if self._sealed is not None:
            self._sealed.seal(words)
            words = self._sealed.drain()
        self._out().write(words)

    def _send_frames(self, words: bytes) -> None:
        if words and not self._out().is_closing():
            self.send(words)

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
            dialect = self.dialect or self._recognise(self._session)
            if dialect is None:
                return
            data, self._unread = self._unread[:SLICE], self._unread[SLICE:]
            now = self._came  # however long they have been waiting here
            self._door.keeper.heard(self._session, now)
            intents = dialect.receive(data, now)
            if intents:
                self._door.spoke(self._session)
            self._ask(self._session, intents, now)
            self.flush(heard=True)
            if dialect.full or self._pending > self._door.bounds.pending:
                self._slow_down()

    def _has_time(self) -> bool:
        """Whether so little is left to answer that more can be read."""
        full = self.dialect is not None and self.dialect.full
        return not full and self._pending <= self._door.bounds.pending_low

    def _ask(self, session: SessionId, intents: Sequence[AnyIntent], now: Micros) -> None:
        if intents:
            self._pending += len(intents)
            self._door.keeper.ask(session, intents, now)

    # -- who is calling

    def _recognise(self, session: SessionId) -> Dialect | None:
        """The dialect of a caller by what it said so far; None if that is not clear yet."""
        name = recognise(self._unread)
        if name is None:
            return None
        if name == HTTP and self._door.web is not None:
            self._web = self._door.web.take(self, self._host, sealed=self._sealed is not None)
            said, self._unread = self._unread.lstrip(), b""
            self._door.spoke(session)
            self._web.hear(said)
            return None
        if name not in DIALECTS:
            self._unread = b""
            self.send(STRANGE)
            self.close()
            return None
        return self._begin(session, name)

    def _begin(self, session: SessionId, name: str) -> Dialect:
        """The session speaks this dialect from its first byte on."""
        port = self._port
        self.dialect = dialect = begin(name, self._door.directory, port.options)
        way = port.doorway(private=self._door.is_private(self._host, sealed=bool(self._sealed)))
        self._door.keeper.connect(session, self._host, self, name, way)
        if port.house is not None:
            self._door.terms[session] = port.house
        return dialect

    def _slow_down(self) -> None:
        if not self._paused:
            self._paused = True
            self.read_more(more=False)

    def _read_more(self) -> None:
        """Read on; where frames are left to open that comes first, once others had a turn."""
        if self._framed is not None and self._framed.more:
            self.read_more(more=False)
            self._door.turns.ask(self._open_more)
        else:
            self.read_more(more=True)

    def _open_more(self) -> None:
        if self._framed is not None and not self._paused:
            self._hear_frames(self._framed, b"")

    def _go_on(self) -> None:
        if self._paused and not self._clogged and self._has_time():
            self._paused = False
            self._read_on()
            if not self._paused:
                self._read_more()

    # -- the dialect's own time

    def _arm(self, deadline: Micros | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = None, deadline
        if deadline is not None:
            wait = self._door.time.wait(deadline) / MICROS_A_SECOND
            self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        # What would be in time may lie at the socket.
        self._door.keeper.after_a_look(partial(self._late, self._door.time.now()))

    def _late(self, now: Micros) -> None:
        self._timer, self._timer_at = None, None
        if self._session is not None and self.dialect is not None:
            self._ask(self._session, self.dialect.tick(now), now)
            self.flush()
