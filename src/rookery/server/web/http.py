"""HTTP over a connection of ours: uvicorn parses and writes it, we bound it.

By the time a client is known to speak HTTP its first bytes have been read, and TLS is a
layer of our own; so uvicorn's protocol is given a transport that is really our connection.
A request must be here whole within a while, and its answer be read; else we hang up. The
app works on a request step by step, in turn with all connections. A client that asks for a
WebSocket leaves HTTP for good.

What takes long is not done for nobody. A client that hangs up and one that only says no more look
the same over TCP, until something is sent to it: so both have left, for what takes long.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol, TypeVar, cast

import h11
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from rookery.core.network import home_of
from rookery.server.net.fair import FairQueue, Paced
from rookery.server.web.guard import ANYONE, Admission
from rookery.server.web.websocket import Upgrade

T = TypeVar("T")

ASKER: Final = "rookery.asker"  # in the scope of a request


class Left(Exception):
    """Whoever asked has left."""


class Asker:
    """A connection, or one request of it, as the app knows it. It mutates."""

    __slots__ = ("_stop", "left")

    def __init__(self) -> None:
        self.left = False
        self._stop: Callable[[], object] | None = None  # what is being done for it

    def leave(self) -> None:
        """Stop what is being done for it."""
        self.left = True
        if self._stop is not None:
            self._stop()

    def tell(self, stop: Callable[[], object] | None) -> None:
        """Call this when it leaves, or now if it has left; None: nothing is done any more."""
        self._stop = stop
        if self.left and stop is not None:
            stop()

    async def while_here(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this work while the asker is there. Raises Left."""
        task = asyncio.get_running_loop().create_task(work)
        self.tell(task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            if task.cancelled() and self.left:
                raise Left from None
            raise
        finally:
            self.tell(None)


def asker_of(scope: Scope) -> Asker:
    """Who asked this request."""
    found = scope.get(ASKER)
    return found if isinstance(found, Asker) else Asker()


# -- the connection
# HTTP over a connection of ours: uvicorn reads and writes it, we keep its manners.
#
# By the time a caller is known to speak HTTP its first bytes have been read, and TLS is a
# layer of our own; so uvicorn's protocol is given a transport that is really our connection.
# A request must be here whole within a while, and its answer be read; else we hang up. The
# app works on a request step by step, in turn with all who are heard. A caller that asks for a
# WebSocket leaves HTTP for good.

HEAD_MAX: Final = 16 * 1024  # bytes of a request's head; browsers send about 1 kB
REQUEST_TIME: Final = 10.0  # seconds from the first byte of a request to its last
READING_TIME: Final = 30.0  # seconds for somebody who stopped reading to go on
KEEP_ALIVE: Final = 15  # seconds until a connection without requests is closed

# uvicorn logs every request that is no HTTP as a warning: anybody could fill the disk so.
logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


class HttpLine(Protocol):
    """The connection, as HTTP knows it."""

    def send(self, words: bytes) -> None:
        """Send these bytes, under TLS if that is spoken."""
        ...

    def hang_up(self) -> None:
        """Hang up once everything has been sent."""
        ...

    def abort(self) -> None:
        """Hang up at once."""
        ...

    def is_closing(self) -> bool:
        """Whether we have hung up."""
        ...

    def hold(self, *, held: bool) -> None:
        """Hear no more for now (`held`), or go on."""
        ...

    def become(self, dialect: str, framed: bytes) -> None:
        """Speak this dialect in a WebSocket from now on; `framed`: its bytes so far."""
        ...


class Wire(asyncio.Transport):
    """A transport for uvicorn that is really one of our connections."""

    def __init__(self, line: HttpLine, caller: "HttpCaller", host: str, *, sealed: bool) -> None:
        super().__init__({"peername": (host, 0), "sslcontext": sealed or None})
        self._line = line
        self._caller = caller

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Leave HTTP for a WebSocket, if the request for one was granted."""
        assert isinstance(protocol, Upgrade), "uvicorn makes what we told it to"
        if protocol.dialect:
            self._line.become(protocol.dialect, self._caller.unread())

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send these bytes."""
        if data and not self._line.is_closing():
            self._line.send(bytes(data))

    def close(self) -> None:
        """Hang up once everything has been sent."""
        self._caller.parted()
        if not self._line.is_closing():
            self._line.hang_up()

    def is_closing(self) -> bool:
        """Whether we have hung up."""
        return self._line.is_closing()

    def pause_reading(self) -> None:
        """Hear no more of the connection for now."""
        self._line.hold(held=True)

    def resume_reading(self) -> None:
        """Hear the connection again."""
        self._line.hold(held=False)
        # Part of the next request may be here already, once HTTP has begun with it.
        asyncio.get_running_loop().call_soon(self._caller.mind)


class HttpServer:
    """Makes an `HttpCaller` of each connection that speaks HTTP."""

    def __init__(
        self,
        app: Starlette,
        *,
        admission: Admission = ANYONE,
        request_time: float = REQUEST_TIME,
        reading_time: float = READING_TIME,
    ) -> None:
        self._times = request_time, reading_time
        self._config = Config(
            app,
            loop="none",
            http="h11",
            # uvicorn only calls it, with its configuration.
            ws=cast("type[asyncio.Protocol]", partial(Upgrade, admission)),
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE,
            h11_max_incomplete_event_size=HEAD_MAX,
        )
        self._config.load()
        self._state = ServerState()

    def take(
        self, line: HttpLine, host: str, scheduler: FairQueue, *, sealed: bool
    ) -> "HttpCaller":
        """Make the caller of this connection, of which nothing has been read yet."""
        app_state: dict[str, Any] = {}  # Any: uvicorn's word for what an app keeps
        protocol = H11Protocol(self._config, self._state, app_state)
        paced, app = Paced(scheduler, home_of(host)), self._config.loaded_app

        async def in_turns(scope: Scope, receive: Receive, send: Send) -> None:
            scope[ASKER] = caller.asker
            await paced.run(app(scope, receive, send))

        protocol.app = in_turns
        caller = HttpCaller(line, protocol, paced, self._times)
        protocol.connection_made(Wire(line, caller, host, sealed=sealed))
        return caller


class HttpCaller:
    """Speaks HTTP with one connection. It mutates."""

    __slots__ = (
        "_left",
        "_line",
        "_owing",
        "_paced",
        "_protocol",
        "_reading_time",
        "_request_time",
        "_stuck",
        "asker",
    )

    def __init__(
        self,
        line: HttpLine,
        protocol: H11Protocol,
        paced: Paced,
        times: tuple[float, float],
    ) -> None:
        self._line = line
        self._protocol = protocol
        self._paced = paced
        self._request_time, self._reading_time = times
        self._owing: asyncio.TimerHandle | None = None  # runs while a request is not here whole
        self._stuck: asyncio.TimerHandle | None = None  # runs while the client does not read
        self._left = False  # the connection speaks something else now
        self.asker = Asker()

    def hear(self, piece: bytes) -> None:
        """Take a piece of a request."""
        if not self._line.is_closing() and self._read(piece):
            self.mind()

    def mind(self) -> None:
        """Give a client that owes us the rest of a request a while for it; else stop that timer."""
        if self._left or self._line.is_closing() or not self._owes():
            _cancel(self._owing)
            self._owing = None
        elif self._owing is None:
            loop = asyncio.get_running_loop()
            self._owing = loop.call_later(self._request_time, self._line.hang_up)

    def unread(self) -> bytes:
        """Bytes that came behind the request being answered, which h11 has already taken."""
        trailing: bytes = self._protocol.conn.trailing_data[0]
        return trailing

    def _read(self, piece: bytes) -> bool:
        """Let uvicorn read this piece; return whether HTTP goes on after it."""
        conn = self._protocol.conn
        if conn.their_state is h11.IDLE and not conn.trailing_data[0]:
            # "A server ... SHOULD ignore at least one empty line (CRLF) received prior to the
            # request-line" (RFC 9112).
            piece = piece.lstrip(b"\r\n")
        try:
            if piece:
                self._protocol.data_received(piece)
        except h11.LocalProtocolError:
            # The body went wrong after the answer: uvicorn would refuse it, too late.
            self._line.hang_up()
            return False
        return not self._left and not self._line.is_closing()

    def ended(self) -> bool:
        """Finish after this answer, as the client will say no more; whether one is owed."""
        cycle: RequestResponseCycle | None = self._protocol.cycle  # None before the first
        if self._owes() or cycle is None or cycle.response_complete:
            return False
        cycle.keep_alive = False
        self.asker.leave()
        return True

    def parted(self) -> None:
        """Stop answering: the request went wrong in its body, and was refused."""
        cycle: RequestResponseCycle | None = self._protocol.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True

    def clogged(self) -> None:
        """Stop writing, and hang up if the client does not read on within a while."""
        self._protocol.pause_writing()
        self._stuck = asyncio.get_running_loop().call_later(self._reading_time, self._line.abort)

    def unclogged(self) -> None:
        """Write again, because the client reads again."""
        _cancel(self._stuck)
        self._stuck = None
        self._protocol.resume_writing()

    def dismiss(self) -> None:
        """Answer a request that is here whole, and hang up."""
        if not self.ended():
            self._line.hang_up()

    def leave(self) -> None:
        """Let go of a connection that speaks something else from now on."""
        self._left = True
        self._be_gone()

    def gone(self) -> None:
        """Tell uvicorn that the connection is gone."""
        self._be_gone()
        self._protocol.connection_lost(None)

    def _be_gone(self) -> None:
        self._paced.leave()
        self.asker.leave()
        for timer in (self._owing, self._stuck):
            _cancel(timer)

    def _owes(self) -> bool:
        """Whether a part of a request is here, and the rest is not."""
        state = self._protocol.conn.their_state
        begun = state is h11.IDLE and bool(self._protocol.conn.trailing_data[0])
        return begun or state is h11.SEND_BODY


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
