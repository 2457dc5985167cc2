"""Connections over TCP: bytes to a dialect, its intents to the hall, its bytes back.

A connection holds no rules and no words: the dialect has the words, the link the
order. What is here is manners. What comes is heard in small pieces, in turn with others
(`scheduler`), and counts from when it was read. A sender who is faster than the hall, or than
it reads, is read more slowly; a reader a megabyte behind, or who never speaks, is cut off.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, cast

from rookery.core.ids import MICROS_A_SECOND, Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import WANTED, AnyMessage, Notice
from rookery.core.network import home_of
from rookery.dialects import DIALECTS, LANGUAGES, begin
from rookery.dialects.base import Dialect
from rookery.dialects.detect import HTTP, UNKNOWN, recognise
from rookery.server.config import ANY, Port
from rookery.server.connections.alarm import NO_ALARM, reset
from rookery.server.connections.door import Door
from rookery.server.connections.intake import Intake
from rookery.server.connections.liveness import ask_after
from rookery.server.connections.peer_address import host_of
from rookery.server.connections.tls import Sealed
from rookery.server.connections.unknown_callers import misdirected, strange
from rookery.server.fairness.scheduler import Speaker
from rookery.server.limits import PIECE, SLICE, SLICE_FRAMED, SLICE_OF_MUCH, UNHEARD_MAX
from rookery.server.web.http import HttpCaller
from rookery.server.web.websocket import GOING_AWAY, NORMAL, Framed


class Connection(asyncio.Protocol):
    """One session over one socket."""

    writes: ClassVar[bool] = True
    __slots__ = (
        "_alarm", "_came", "_clogged", "_door", "_ended", "_eof", "_first", "_framed", "_gone",
        "_host", "_paused", "_pending", "_port", "_session", "_speaker", "_stopped", "_transport",
        "_web", "dialect",
    )  # fmt: skip

    def __init__(self, door: Door, port: Port = ANY) -> None:
        self._door = door
        self._port = port
        self.dialect: Dialect | None = None  # None until we know what the client speaks
        self._host = ""
        self._session: SessionId | None = None
        self._transport: asyncio.Transport | None = None
        self._speaker: Speaker | None = None  # its place among all speakers
        self._pending = 0  # things asked and not answered yet
        self._came = Intake()  # bytes that came and were not heard yet
        self._clogged = False  # the client does not read what we sent
        self._paused = False  # we hear no more for now
        self._stopped = False  # and read no more
        self._eof = False  # no bytes will follow those that came
        self._ended = False  # the other side has said all it will
        self._gone = False  # the socket is gone, and not all of what came was heard
        self._first = bool(port.dialect)  # whether to see if a browser called the wrong port
        self._web: HttpCaller | None = None  # if the client speaks HTTP
        self._framed: Framed | None = None  # if it speaks a dialect in a WebSocket
        self._alarm = NO_ALARM  # until its dialect has a time of its own

    # -- what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask the door to let a new socket in, and begin if it may."""
        self._transport = out = cast("asyncio.Transport", transport)  # uvloop's in all but name
        self._host = host_of(out.get_extra_info("peername"))
        admitted = self._door.admit(self, self._host)
        if isinstance(admitted, bytes):
            out.write(admitted)
            out.close()
            return
        self._session, self._speaker = admitted, Speaker(home_of(self._host), self._hear)
        if self._port.dialect:
            self._begin(self._session, self._port.dialect)
            self.flush()  # and its own time-outs begin

    def data_received(self, data: bytes) -> None:
        """Hear bytes from the socket, at once or in turn."""
        came, door, speaker, session = self._came, self._door, self._speaker, self._session
        if session is None or speaker is None or self._ended:
            return None
        if came.fresh and came.begins(data, door.tls):
            door.shaking(session)
        at, dialect, waits = door.time.read(), self.dialect, came.plain.size or came.sealed
        waits = waits or self._paused or self._stopped or len(data) > SLICE
        began = None if waits or dialect is None else door.scheduler.begin(speaker)
        if dialect is not None and began is not None:
            # Nearly always; to put it down and take it up again would be 4 µs of a move.
            if self._framed is None:
                self._hear_words(session, dialect, data, at)
            else:
                self._hear_frames(self._framed, session, data, at)
            self.flush(heard=True)
            return door.scheduler.heard(speaker, began)
        speaker.much_to_say = came.put(data, at) > PIECE or speaker.much_to_say
        door.scheduler.ask(speaker)
        return self._stop_reading() if came.size > UNHEARD_MAX else None

    def eof_received(self) -> bool:
        """Note that the client will say no more; it is still told what it asked."""
        self._eof = True
        # Bytes that came before the end are heard before it.
        return self._paused or (self._speaker is not None and self._speaker.waits) or self._end()

    def _end(self) -> bool:
        """Finish hearing, because all was heard; return whether an answer is still owed."""
        self._ended = True
        if self._web is not None:
            if not (stay := self._came.sealed is None and self._web.ended()):
                self.hang_up()
            return stay
        if self._session is not None and self.dialect is not None:
            now = self._door.time.read()
            self._ask(self._session, self.dialect.receive(b"", now), now)
        elif self._session is not None and recognise(self._came.plain.all() + b"\n") == UNKNOWN:
            self.send(strange())  # nothing that could have followed would have made it clear
        # A TLS connection cannot be half closed.
        if not (stay := self._came.sealed is None and self.dialect is not None and self._owes()):
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
        elif self.dialect is not None and self._came.can_be_heard:
            self._gone, self._clogged = True, False
            return self._go_on()
        return self._leave()

    def _leave(self) -> None:
        if self._session is not None and self._speaker is not None:
            self._door.link.hang_up(self._session, self._door.time.now())
            self._door.leave(self._session, self._host, self._speaker)
            self._session = None
            self._came.leave()

    # -- what the keeper calls

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the dialect's words, and ask what the dialect asks for it."""
        dialect = self.dialect
        if dialect is not None and (intents := dialect.tell(message)) and self._session is not None:
            self._ask(self._session, intents, self._door.time.all_read())
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
                self._door.spoke(self._session)
            # Judged by what was sent before: the last answer may be long, and just left.
            if transport.get_write_buffer_size() > self._door.bounds.backlog:
                transport.abort()
                return
            words = words if self._framed is None else self._framed.frame(words)
            transport.write(words if self._came.sealed is None else self._came.enclose(words))
        if dialect.closing:
            self.hang_up()
        deadline = dialect.deadline()
        if deadline == 0 and not timely:
            self._late(self._door.time.now())  # the dialect asks what time it is, and no more
        elif deadline != self._alarm.at:
            self._alarm = reset(self._alarm, deadline, self._ring, self._door.time)
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
        self._door.going(self._session)
        if self._framed is None or self._ended:
            self._out().close()
        else:
            self.send(self._framed.part(code))
            wait = self._door.bounds.goodbye / MICROS_A_SECOND
            asyncio.get_running_loop().call_later(wait, self._out().close)

    def become(self, dialect: str, framed: bytes) -> None:
        """Speak this dialect in a WebSocket from now on; `framed`: its bytes so far."""
        assert self._web is not None, "who speaks HTTP becomes something else"
        assert self._session is not None, "who speaks HTTP was admitted"
        self._web.leave()
        self._web, self._framed = None, Framed(LANGUAGES[dialect].message_max)
        self._begin(self._session, dialect)
        self.flush()
        self._paused = self._came.held
        self._came.plain.put_back(framed, self._door.time.now())

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
        self._came.held = held
        self._paused = self._paused or held
        self._go_on()

    def send(self, words: bytes) -> None:
        """Send these bytes, sealed if TLS is spoken; nothing once we have hung up."""
        if words and not self._out().is_closing():
            self._out().write(self._came.enclose(words))

    def _out(self) -> asyncio.Transport:
        assert self._transport is not None, "a connection is used once it is made"
        return self._transport

    # -- hearing, in turn with the others and no faster than it is answered

    def unheard(self) -> Micros | None:
        """When the oldest bytes that others wait for were read; None if there are none."""
        return self._came.unheard(self._door.time.now(), clogged=self._clogged)

    def _owes(self) -> bool:
        """Whether something the client said is not answered yet."""
        return self._pending > 0 or self._came.size > 0

    def _hear(self, until: int) -> bool:
        """Hear some of what came, until this time; return whether more can be heard."""
        clock, more = self._door.scheduler.clock, self._hear_piece()
        while more and clock() < until:
            more = self._hear_piece()
        self.flush(heard=True)
        if not (more or self._gone or self._eof or self._stopped):
            return False  # nearly always
        waits = self._speaker is not None and self._speaker.waits
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
        session, came, dialect = self._session, self._came.plain, self.dialect
        if self._paused or session is None:
            return False
        if dialect is not None and self._framed is None and came.size:  # nearly always
            most = SLICE if came.size <= SLICE else SLICE_OF_MUCH
            self._hear_words(session, dialect, *came.take(most))
        elif not came.size:
            self._paused = self._came.shake(self._door.handshakes, self._host, self._opened)
            if self._paused or (sealed := self._came.open()) is None:
                return False
            self._opened(sealed)
        elif self._web is not None:
            self._web.hear(came.take(PIECE)[0])
        elif self._framed is not None:
            self._hear_frames(self._framed, session, *came.take(SLICE_FRAMED))
        elif not self._recognise(session):  # it is not clear yet what the client speaks
            return False
        return self._came.size > 0

    def _opened(self, sealed: Sealed) -> None:
        """Send what the TLS layer has to say; hang up if the client cannot speak TLS."""
        self._out().write(sealed.drain())  # also the alert that says why not
        if sealed.shaken and self._session is not None:
            self._door.shaken(self._session)
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
        self._door.link.heard(session, at)
        if intents := dialect.receive(words, at):
            self._door.spoke(session)
            self._ask(session, intents, at)
        if dialect.full or self._pending > self._door.bounds.pending:
            self._slow_down()

    def _refuse(self, words: bytes) -> None:
        """Hang up with these words on a client that cannot be spoken with."""
        self._came.plain.clear()
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
            self._came.plain.clear()
            self._end()

    def _ask(self, session: SessionId, intents: Sequence[AnyIntent], now: Micros) -> None:
        if intents:
            self._pending += len(intents)
            self._door.link.ask(session, intents, now, much=self._paused or self._came.size > 0)

    def _recognise(self, session: SessionId) -> bool:
        """Find out by the first bytes what the client speaks; whether that is clear now."""
        name = recognise(self._came.plain.all())
        if name == HTTP and self._door.web is not None:
            sealed = self._came.sealed is not None
            self._web = self._door.web.take(self, self._host, self._door.scheduler, sealed=sealed)
            self._came.plain.strip()
            self._door.spoke(session)
        elif name is not None and name in DIALECTS:
            self._begin(session, name)
        elif name is not None:
            self._refuse(strange())
        return name is not None

    def _begin(self, session: SessionId, name: str) -> None:
        """Speak this dialect with the session, from its first byte on."""
        port, sealed = self._port, self._came.sealed is not None
        self.dialect = begin(name, self._door.directory, port.options)
        doorway = self._door.enter(session, port, self._host, sealed=sealed)
        self._door.link.connect(session, self._host, self, name, doorway)

    def _slow_down(self) -> None:
        self._paused = True
        self._stop_reading()

    def _stop_reading(self) -> None:
        if not self._stopped and not self._out().is_closing():
            self._stopped = True
            self._out().pause_reading()

    def _go_on(self) -> None:
        """Hear more, if the client was paused and little enough is left to answer."""
        if not self._paused or self._clogged or self._came.stuck or self._speaker is None:
            return
        much = self._pending > self._door.bounds.pending_low
        if not much and (self.dialect is None or not self.dialect.full):
            self._paused = False
            self._speaker.much_to_say = self._came.size > 0
            self._door.scheduler.wait(self._speaker)

    def _ring(self) -> None:  # an answer in time may lie at the socket
        self._door.link.after_a_look(partial(self._late, self._door.time.now()))

    def _late(self, now: Micros) -> None:
        """Let the dialect's own time come, unless words that wait were read before then."""
        if self._session is not None and self.dialect is not None:
            unheard = self.unheard() if self._came.may_wait(paused=self._paused) else None
            now = now if unheard is None else min(now, unheard)
            if now == unheard and (self.dialect.deadline() or 0) > now:
                return  # the alarm is set anew when that is heard
            self._ask(self._session, self.dialect.tick(now), now)
            self.flush(timely=True)
