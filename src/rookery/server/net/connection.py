"""Connections over TCP: bytes to a dialect, its intents to the hall, its bytes back.

Backpressure, timeouts and read limits live here; the dialect has the words, the link to the
hall has the order. Bytes are processed in small pieces, in turn with others (`fair`), and count
from when they were read (`input_buffer` says what else they may wait for). A client that sends
faster than the hall answers, or than it reads, is read more slowly; one that falls a megabyte
behind is closed.

A connection is first unknown (`dialect` and `_web` are None), then speaks HTTP (`_web`) or a
dialect, bare or in a WebSocket (`_framed`). On the way it may be paused (`_paused`: nothing is
processed), stopped (nothing is read), ended (the client will send no more, `_eof`, and all it
sent was processed, `_ended`), and gone (the socket is closed, and some bytes still wait).
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, ClassVar, Final, cast

from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import WANTED, AnyMessage, Notice
from rookery.core.network import LOOPBACK, home_of
from rookery.dialects import DIALECTS, LANGUAGES, begin
from rookery.dialects.base import Dialect
from rookery.dialects.detect import HTTP, UNKNOWN, recognise
from rookery.dialects.first_bytes import METHODS
from rookery.server.config import ANY, Port
from rookery.server.fairtime import FairTime
from rookery.server.limits import PIECE, SLICE, SLICE_FRAMED, SLICE_OF_MUCH, UNHEARD_MAX
from rookery.server.net.fair import Source
from rookery.server.net.input_buffer import InputBuffer
from rookery.server.net.liveness import ask_after
from rookery.server.net.tls import TlsLayer
from rookery.server.web.http import HttpConnection
from rookery.server.web.websocket import GOING_AWAY, NORMAL, Framed

if TYPE_CHECKING:
    from rookery.server.net.listener import Listener


class Connection(asyncio.Protocol):
    """One session over one socket."""

    writes: ClassVar[bool] = True
    __slots__ = (
        "_alarm",
        "_clogged",
        "_ended",
        "_eof",
        "_first",
        "_framed",
        "_gone",
        "_host",
        "_inbound",
        "_listener",
        "_paused",
        "_pending",
        "_port",
        "_session",
        "_source",
        "_stopped",
        "_transport",
        "_web",
        "dialect",
    )  # fmt: skip

    def __init__(self, listener: "Listener", port: Port = ANY) -> None:
        self._listener = listener
        self._port = port
        self.dialect: Dialect | None = None  # None until we know what the client speaks
        self._host = ""
        self._session: SessionId | None = None
        self._transport: asyncio.Transport | None = None
        self._source: Source | None = None  # its place among all sources
        self._pending = 0  # things asked and not answered yet
        self._inbound = InputBuffer()  # bytes that were read and wait
        self._clogged = False  # the client does not read what we sent
        self._paused = False  # we hear no more for now
        self._stopped = False  # and read no more
        self._eof = False  # no bytes will follow those read so far
        self._ended = False  # the other side has said all it will
        self._gone = False  # the socket is gone, and not all that was read has been heard
        self._first = bool(port.dialect)  # whether to see if a browser called the wrong port
        self._web: HttpConnection | None = None  # if the client speaks HTTP
        self._framed: Framed | None = None  # if it speaks a dialect in a WebSocket
        self._alarm = NO_ALARM  # until its dialect has a time of its own

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask the listener to let a new socket in, and begin if it may."""
        self._transport = out = cast("asyncio.Transport", transport)  # uvloop's in all but name
        self._host = host_of(out.get_extra_info("peername"))
        admitted = self._listener.admit(self, self._host)
        if isinstance(admitted, bytes):
            out.write(admitted)
            out.close()
            return
        self._session, self._source = admitted, Source(home_of(self._host), self._hear)
        if self._port.dialect:
            self._begin(self._session, self._port.dialect)
            self.flush()  # and its own time-outs begin

    def data_received(self, data: bytes) -> None:
        """Hear bytes from the socket, at once or in turn."""
        inbound, listener, source, session = (
            self._inbound,
            self._listener,
            self._source,
            self._session,
        )
        if session is None or source is None or self._ended:
            return None
        if inbound.is_first_read and inbound.sniff_tls(data, listener.tls):
            listener.shaking(session)
        at, dialect, waits = (
            listener.time.read(),
            self.dialect,
            inbound.plain.size or inbound.sealed,
        )
        waits = waits or self._paused or self._stopped or len(data) > SLICE
        began = None if waits or dialect is None else listener.queue.begin(source)
        if dialect is not None and began is not None:
            # Nearly always; to put it down and take it up again would be 4 µs of a move.
            if self._framed is None:
                self._hear_words(session, dialect, data, at)
            else:
                self._hear_frames(self._framed, session, data, at)
            self.flush(heard=True)
            return listener.queue.end(source, began)
        source.is_bulk = inbound.put(data, at) > SLICE or source.is_bulk
        listener.queue.ask(source)
        return self._stop_reading() if inbound.size > UNHEARD_MAX else None

    def eof_received(self) -> bool:
        """Note that the client will say no more; it is still told what it asked."""
        self._eof = True
        # Bytes read before the end are heard before it.
        return self._paused or (self._source is not None and self._source.waits) or self._end()

    def _end(self) -> bool:
        """Finish hearing, because all was heard; return whether an answer is still owed."""
        self._ended = True
        if self._web is not None:
            if not (stay := self._inbound.sealed is None and self._web.ended()):
                self.hang_up()
            return stay
        if self._session is not None and self.dialect is not None:
            now = self._listener.time.read()
            self._ask(self._session, self.dialect.receive(b"", now), now)
        elif self._session is not None and recognise(self._inbound.plain.all() + b"\n") == UNKNOWN:
            self.send(strange())  # nothing that could have followed would have made it clear
        # A TLS connection cannot be half closed.
        if not (stay := self._inbound.sealed is None and self.dialect is not None and self._owes()):
            self.close()
        return stay

    def pause_writing(self) -> None:
        """Hear the client no more until it has read what we sent."""
        self._clogged = self._web is None
        return self._slow_down() if self._web is None else self._web.clogged()

    def resume_writing(self) -> None:
        """Hear the client again, because it has read what we sent."""
        self._clogged = False
        return self._go_on() if self._web is None else self._web.unclogged()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's signature
        """Leave, after hearing what was read before, unless that is a flood."""
        self._alarm.stop()
        if self._web is not None:
            self._web.gone()
        elif self.dialect is not None and self._inbound.can_be_heard:
            self._gone, self._clogged = True, False
            return self._go_on()
        return self._leave()

    def _leave(self) -> None:
        if self._session is not None and self._source is not None:
            self._listener.link.hang_up(self._session, self._listener.time.now())
            self._listener.leave(self._session, self._host, self._source)
            self._session = None
            self._inbound.leave()

    # -- what the runner calls

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the dialect's words, and ask what the dialect asks for it."""
        dialect = self.dialect
        if dialect is not None and (intents := dialect.tell(message)) and self._session is not None:
            self._ask(self._session, intents, self._listener.time.all_read())
        if type(message) is Notice and message.code == WANTED:
            ask_after(self._out())

    def flush(self, *, heard: bool = False, timely: bool = False) -> None:
        """Send what was put into words, in one write; `heard`: it answers what was heard."""
        transport, dialect = self._transport, self.dialect
        words = b"" if dialect is None else dialect.drain()
        if dialect is None or transport is None or transport.is_closing():
            return
        if words:
            if heard and self._session is not None:
                self._listener.spoke(self._session)
            # Judged by what was sent before: the last answer may be long, and just left.
            if transport.get_write_buffer_size() > self._listener.bounds.backlog:
                transport.abort()
                return
            words = words if self._framed is None else self._framed.frame(words)
            transport.write(words if self._inbound.sealed is None else self._inbound.enclose(words))
        if dialect.closing:
            self.hang_up()
        deadline = dialect.deadline()
        if deadline == 0 and not timely:
            self._late(self._listener.time.now())  # the dialect asks what time it is, and no more
        elif deadline != self._alarm.at:
            self._alarm = reset(self._alarm, deadline, self._ring, self._listener.time)
        if self._paused:
            self._go_on()  # after what the client was told it may be heard again

    def answered(self) -> None:
        """Count one thing that the client asked as dealt with; maybe hear more."""
        self._pending -= 1
        if self._paused:
            self._go_on()
        if self._ended and not self._owes():
            self.flush()
            self.close()

    def close(self) -> None:
        """Hang up once all was sent; a whole HTTP request that is here is answered first."""
        self.hang_up(GOING_AWAY) if self._web is None else self._web.dismiss()

    def hang_up(self, code: int = NORMAL) -> None:
        """Hang up once all was sent; in a WebSocket once both said goodbye, or soon."""
        self._listener.going(self._session)
        if self._framed is None or self._ended:
            self._out().close()
        else:
            self.send(self._framed.part(code))
            wait = self._listener.bounds.goodbye / MICROS_A_SECOND
            asyncio.get_running_loop().call_later(wait, self._out().close)

    def become(self, dialect: str, framed: bytes) -> None:
        """Speak this dialect in a WebSocket from now on; `framed`: its bytes so far."""
        assert self._web is not None, "who speaks HTTP becomes something else"
        assert self._session is not None, "who speaks HTTP was admitted"
        self._web.leave()
        self._web, self._framed = None, Framed(LANGUAGES[dialect].message_max)
        self._begin(self._session, dialect)
        self.flush()
        self._paused = self._inbound.held
        self._inbound.plain.put_back(framed, self._listener.time.now())

    def abort(self) -> None:
        """Hang up at once."""
        self._out().abort()

    def is_closing(self) -> bool:
        """Whether we have hung up."""
        return self._out().is_closing()

    def hold(self, *, held: bool) -> None:
        """Hear no more for now (`held`), or go on."""
        self._slow_down() if held else self._go_on()

    def await_hall(self, *, held: bool) -> None:
        """Read on but hear nothing while `held`, until a hall says what is meant; or go on."""
        self._inbound.held = held
        self._paused = self._paused or held
        self._go_on()

    def send(self, words: bytes) -> None:
        """Send these bytes, sealed if TLS is spoken; nothing once we have hung up."""
        if words and not self._out().is_closing():
            self._out().write(self._inbound.enclose(words))

    def _out(self) -> asyncio.Transport:
        assert self._transport is not None, "a connection is used once it is made"
        return self._transport

    # -- hearing, in turn with the others and no faster than it is answered

    def pending_since(self) -> Micros | None:
        """When the oldest bytes that others wait for were read; None if there are none."""
        return self._inbound.pending_since(self._listener.time.now(), clogged=self._clogged)

    def _owes(self) -> bool:
        """Whether something the client said is not answered yet."""
        return self._pending > 0 or self._inbound.size > 0

    def _hear(self, until: int) -> bool:
        """Hear some of what waits, until this time; return whether more can be heard."""
        clock, more = self._listener.queue.clock, self._hear_piece()
        while more and clock() < until:
            more = self._hear_piece()
        self.flush(heard=True)
        if not (more or self._gone or self._eof or self._stopped):
            return False  # nearly always
        waits = self._source is not None and self._source.waits
        if more or waits or self._paused or self._session is None:
            return more and not self._paused
        if self._gone:
            self._leave()
        elif self._eof and not self._ended:
            self._end()
        elif self._stopped:
            self._stopped = False
            if not self.is_closing():
                self._out().resume_reading()
        return False

    def _hear_piece(self) -> bool:
        """Hear one small piece; return whether more can be heard."""
        session, inbound, dialect = self._session, self._inbound.plain, self.dialect
        if self._paused or session is None:
            return False
        if dialect is not None and self._framed is None and inbound.size:  # nearly always
            most = SLICE if inbound.size <= SLICE else SLICE_OF_MUCH
            self._hear_words(session, dialect, *inbound.take(most))
        elif not inbound.size:
            self._paused = self._inbound.handshake(
                self._listener.handshakes, self._host, self._opened
            )
            if self._paused or (sealed := self._inbound.open()) is None:
                return False
            self._opened(sealed)
        elif self._web is not None:
            self._web.hear(inbound.take(PIECE)[0])
        elif self._framed is not None:
            self._hear_frames(self._framed, session, *inbound.take(SLICE_FRAMED))
        elif not self._recognise(session):  # it is not clear yet what the client speaks
            return False
        return self._inbound.size > 0

    def _opened(self, sealed: TlsLayer) -> None:
        """Send what the TLS layer has to say; hang up if the client cannot speak TLS."""
        self._out().write(sealed.drain())  # also the alert that says why not
        if sealed.is_done and self._session is not None:
            self._listener.shaken(self._session)
        if sealed.ended:
            self._ended = True
            self.close()
        self._go_on()

    def _hear_words(self, session: SessionId, dialect: Dialect, words: bytes, at: Micros) -> None:
        if self._first:
            self._first = False
            if lost := misdirected(words, self._port.dialect, self._port.page):
                self._refuse(lost)
                return
        self._listener.link.heard(session, at)
        if intents := dialect.receive(words, at):
            self._listener.spoke(session)
            self._ask(session, intents, at)
        if dialect.full or self._pending > self._listener.bounds.pending:
            self._slow_down()

    def _refuse(self, words: bytes) -> None:
        """Hang up with these words on a client that cannot be spoken with."""
        self._inbound.plain.clear()
        self.send(words)
        self._ended = True
        self.close()

    def _hear_frames(self, framed: Framed, session: SessionId, words: bytes, at: Micros) -> None:
        """Hear bytes of a WebSocket; its end is the end of what the client says."""
        lines = framed.open(words)
        self.send(framed.drain())
        if lines and self.dialect is not None:
            self._hear_words(session, self.dialect, lines, at)
        if framed.ended and not self._ended:
            self._inbound.plain.clear()
            self._end()

    def _ask(self, session: SessionId, intents: Sequence[AnyIntent], now: Micros) -> None:
        if intents:
            self._pending += len(intents)
            self._listener.link.ask(
                session, intents, now, much=self._paused or self._inbound.size > 0
            )

    def _recognise(self, session: SessionId) -> bool:
        """Find out by the first bytes what the client speaks; whether that is clear now."""
        name = recognise(self._inbound.plain.all())
        if name == HTTP and self._listener.web is not None:
            sealed = self._inbound.sealed is not None
            self._web = self._listener.web.take(
                self, self._host, self._listener.queue, sealed=sealed
            )
            self._inbound.plain.strip()
            self._listener.spoke(session)
        elif name is not None and name in DIALECTS:
            self._begin(session, name)
        elif name is not None:
            self._refuse(strange())
        return name is not None

    def _begin(self, session: SessionId, name: str) -> None:
        """Speak this dialect with the session, from its first byte on."""
        port, sealed = self._port, self._inbound.sealed is not None
        self.dialect = begin(name, self._listener.directory, port.options)
        doorway = self._listener.enter(session, port, self._host, sealed=sealed)
        self._listener.link.connect(session, self._host, self, name, doorway, source=self._source)

    def _slow_down(self) -> None:
        self._paused = True
        self._stop_reading()

    def _stop_reading(self) -> None:
        if not self._stopped and not self._out().is_closing():
            self._stopped = True
            self._out().pause_reading()

    def _go_on(self) -> None:
        """Hear more, if the client was paused and little enough is left to answer."""
        if not self._paused or self._clogged or self._inbound.stuck or self._source is None:
            return
        much = self._pending > self._listener.bounds.pending_low
        if not much and (self.dialect is None or not self.dialect.full):
            self._paused = False
            self._source.is_bulk = self._inbound.size > 0
            self._listener.queue.wait(self._source)

    def _ring(self) -> None:  # an answer in time may lie at the socket
        self._listener.link.after_poll(partial(self._late, self._listener.time.now()))

    def _late(self, now: Micros) -> None:
        """Let the dialect's own time come, unless words that wait were read before then."""
        if self._session is not None and self.dialect is not None:
            since = self.pending_since() if self._inbound.may_wait(paused=self._paused) else None
            now = now if since is None else min(now, since)
            if now == since and (self.dialect.deadline() or 0) > now:
                return  # the alarm is set anew when that is heard
            self._ask(self._session, self.dialect.tick(now), now)
            self.flush(timely=True)


class Alarm:
    """One timer for a moment that keeps changing; it rings once when the moment has come.

    The moment mostly moves later, as with every answer: then the timer is left as it is, and when
    it wakes too early it waits again.
    """

    __slots__ = ("_ring", "_time", "_timer", "_wakes", "at")

    def __init__(self, ring: Callable[[], None], time: FairTime) -> None:
        self._ring, self._time = ring, time
        self._timer: asyncio.TimerHandle | None = None
        self._wakes: Micros = 0  # for which moment the timer was set
        self.at: Micros | None = None  # the moment at which to ring

    def set(self, at: Micros | None) -> None:
        """Ring at this moment and at no other; never if there is None."""
        self.at = at
        if at is not None and (self._timer is None or at < self._wakes):
            self._sleep(at)

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self.at = None, None

    def _sleep(self, at: Micros) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait = self._time.wait(at) / MICROS_A_SECOND
        self._timer, self._wakes = asyncio.get_running_loop().call_later(wait, self._wake), at

    def _wake(self) -> None:
        self._timer, at = None, self.at
        if at is not None and at > self._time.now():
            self._sleep(at)
        elif at is not None:
            self.at = None
            self._ring()


class NoAlarm:
    """Stands for the alarm of every connection that never needed one: it takes no memory."""

    __slots__ = ()

    at: Final = None

    def stop(self) -> None:
        """Do nothing: no alarm was set."""


NO_ALARM: Final[Alarm | NoAlarm] = NoAlarm()


def reset(
    alarm: Alarm | NoAlarm, at: Micros | None, ring: Callable[[], None], time: FairTime
) -> Alarm:
    """Set the alarm to another moment and return it; a new one if there was none yet."""
    alarm = Alarm(ring, time) if isinstance(alarm, NoAlarm) else alarm
    alarm.set(at)
    return alarm


# No line of any dialect begins so: none has a word of HTTP, a space and the path behind it.
_REQUESTS: Final = tuple(
    method + target for method in METHODS for target in (b" /", b" *", b" http")
)


def strange() -> bytes:
    """The last message to a client whose language is not known."""
    known = f"it speaks {', '.join(DIALECTS)} and HTTP"
    return f"This is Rookery, and it does not know that language; {known}.\n".encode()


def misdirected(first: bytes, dialect: str, page: int) -> bytes:
    """An answer in HTTP to a client whose first bytes are HTTP; else empty.

    A browser at a port of one dialect is told so in words it understands, whatever the dialect
    would have made of its first line, and at which port the page is, if that is known.
    """
    if not first.startswith(_REQUESTS):
        return b""
    where = f"The server's page is at port {page}." if page else "Its page is at another port."
    body = f"This port of Rookery speaks {dialect} alone, and no HTTP. {where}\n".encode()
    head = (
        "HTTP/1.0 421 Misdirected Request\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


_KNOWN: Final = 10_000  # hosts worked out and kept, and one text for all connections of each


def host_of(peer: object) -> str:
    """The host of a socket's peer name in one form: IPv4-mapped and loopback addresses are one.

    It is "local" for what has no address (a pipe, a test).
    """
    return _host(str(peer[0])) if isinstance(peer, tuple) and peer else "local"


@lru_cache(maxsize=_KNOWN)
def _host(text: str) -> str:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return LOOPBACK if address.is_loopback else str(address)
