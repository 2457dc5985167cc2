"""HTTP over a connection of ours: uvicorn parses requests and writes answers, we bound both.

By the time a client is known to speak HTTP its first bytes have been read, and TLS is a layer of
our own; so uvicorn's protocol is given a transport that is really our connection, and bytes in
small pieces, in the connection's turn. What the library leaves open is bounded here: the bytes of
a head, the time for a whole request, and for an answer to be read; how many requests may be here
before they are answered; and in which order a refusal, an upgrade or the end of input comes after
the answers that are still owed. A client that asks for a WebSocket leaves HTTP for good.

What takes long is not done for nobody. A client that hangs up and one that only says no more look
the same over TCP, until something is sent to it: so both have left, for what takes long.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from enum import Enum
from functools import partial
from typing import Any, Final, Protocol, TypeVar, cast

import httptools
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from rookery.core.network import home_of
from rookery.server.net.fair import FairQueue, RequestTurns
from rookery.server.web.guard import ANYONE, Admission
from rookery.server.web.websocket import Upgrade

T = TypeVar("T")

HEAD_MAX: Final = 16 * 1024  # bytes of a request's head; browsers send about 1 kB
REQUEST_TIMEOUT_S: Final = 10.0  # from the first byte of a request to its last
READING_TIMEOUT_S: Final = 30.0  # for a client that stopped reading to go on
KEEP_ALIVE_S: Final = 15  # until a connection without requests is closed
HEAD_END: Final = b"\r\n\r\n"
CONTINUE: Final = b"HTTP/1.1 100"  # is no answer, and a client waits for it
ASKER: Final = "rookery.asker"  # in the scope of a request

# uvicorn logs every request that is no HTTP as a warning: anybody could fill the disk so.
logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


class Left(Exception):
    """Whoever asked has left."""


class Asker:
    """A connection, or one request of it, as the app knows it."""

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


class HttpServer:
    """Makes an `HttpConnection` of each connection that speaks HTTP."""

    def __init__(
        self,
        app: Starlette,
        *,
        admission: Admission = ANYONE,
        request_timeout: float = REQUEST_TIMEOUT_S,
        reading_timeout: float = READING_TIMEOUT_S,
    ) -> None:
        self.request_timeout, self.reading_timeout = request_timeout, reading_timeout
        self.config = Config(
            app,
            loop="none",
            http=HttpToolsProtocol,
            # uvicorn only calls it, with its configuration.
            ws=cast("type[asyncio.Protocol]", partial(Upgrade, admission)),
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_S,
        )
        self.config.load()
        self.state = ServerState()

    def take(
        self, line: HttpLine, host: str, queue: FairQueue, *, sealed: bool
    ) -> "HttpConnection":
        """Speak HTTP with this connection, of which nothing has been read yet."""
        return HttpConnection(self, line, host, RequestTurns(queue, home_of(host)), sealed=sealed)


class _Part(Enum):
    """How much of a request is here."""

    NONE = "none"
    HEAD = "head"  # a part of it
    BODY = "body"  # all of the head


class _Requests(HttpToolsProtocol):
    """uvicorn's protocol, which notes how far the parser is, and refuses in order."""

    transport: "_Wire"

    def __init__(self, server: HttpServer, then: Callable[[], None]) -> None:
        super().__init__(server.config, server.state, {})
        self.part = _Part.NONE
        self.behind = b""  # what came behind a request for a WebSocket
        self.is_refused = False  # what came last is no HTTP
        self.is_upgrade = False  # what came last asks for a WebSocket
        self.whole = 0  # requests that have come whole
        self._answering: RequestResponseCycle | None = None
        self._then = then  # called after each answer

    # -- what the parser calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.part = _Part.HEAD

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.part is _Part.HEAD:  # a field behind a chunked body is dropped: it has no bound
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        # uvicorn would take the path out of "http://evil.example/", which we are not.
        if not self.url.startswith(b"/"):
            raise ValueError("a request asks for a path")  # the parser fails with it
        super().on_headers_complete()
        self.part = _Part.BODY

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.part = _Part.NONE
        self.whole += 1

    # -- what the connection calls

    def data_received(self, data: bytes) -> None:
        """Parse this piece. Requests are answered in tasks of their own."""
        self._unset_keepalive_if_required()
        while data:
            behind = b""
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                behind = data[upgrade.args[0] :]
                if self._should_upgrade():
                    self.behind, self.is_upgrade, behind = behind, True, b""
            except httptools.HttpParserError:
                self.is_refused = True
            data = behind  # of one who asks for an upgrade that we do not know: HTTP goes on

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        self.transport.flush()
        super().on_response_complete()
        self._then()

    def upgrade(self) -> None:
        """Let `Upgrade` grant or refuse the request for a WebSocket."""
        self._unset_keepalive_if_required()
        self.handle_websocket_upgrade()

    @property
    def owes_answers(self) -> bool:
        """Whether requests are here that are not answered yet."""
        one = self._answering
        answers = one is not None and not (one.response_complete or one.disconnected)
        return answers or bool(self.pipeline)

    @property
    def is_last_answered(self) -> bool:
        """Whether the answer to the request that came last has begun."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and cycle.response_started

    def forget_last(self) -> None:
        """Answer the request that came last no more: its body is not what it said."""
        cycle: RequestResponseCycle = self.cycle
        if self.pipeline and self.pipeline[0][0] is cycle:
            self.pipeline.popleft()
        # No more can be pipelined behind it, so what waits in the queue came before.
        cycle.disconnected = True
        cycle.message_event.set()


class _Wire(asyncio.Transport):
    """A transport for uvicorn that is really one of our connections."""

    def __init__(self, http: "HttpConnection", line: HttpLine, host: str, *, sealed: bool) -> None:
        super().__init__({"peername": (host, 0), "sslcontext": sealed or None})
        self._http = http
        self._line = line
        self._head = b""  # of an answer, which goes out with the first bytes of its body

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Leave HTTP for a WebSocket, if the request for one was granted."""
        assert isinstance(protocol, Upgrade), "uvicorn makes what we told it to"
        self.flush()
        if protocol.dialect:
            self._http.become(protocol.dialect)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send these bytes; an answer in one write, which costs half of two."""
        words = bytes(data)
        if words.endswith(HEAD_END) and not words.startswith(CONTINUE):
            self._head += words
            return
        words, self._head = self._head + words, b""
        if words and not self._line.is_closing():
            self._line.send(words)

    def flush(self) -> None:
        """Send the head of an answer without a body."""
        self.write(b"")

    def close(self) -> None:
        """Hang up once everything has been sent."""
        self.flush()
        if not self._line.is_closing():
            self._line.hang_up()

    def is_closing(self) -> bool:
        """Whether we have hung up."""
        return self._line.is_closing()

    def pause_reading(self) -> None:
        """Read no more for now: `HttpConnection` asks uvicorn's flow control."""

    def resume_reading(self) -> None:
        """Read on, once nothing else keeps the connection back."""
        asyncio.get_running_loop().call_soon(self._http.go_on)


class HttpConnection:
    """Speaks HTTP with one connection."""

    __slots__ = (
        "_head",
        "_held",
        "_left",
        "_line",
        "_reading_timeout",
        "_request_timeout",
        "_requests",
        "_stuck",
        "_turns",
        "_unfinished",
        "asker",
    )

    def __init__(
        self, server: HttpServer, line: HttpLine, host: str, turns: RequestTurns, *, sealed: bool
    ) -> None:
        self._line = line
        self._turns = turns
        self._request_timeout = server.request_timeout
        self._reading_timeout = server.reading_timeout
        self._head = 0  # bytes of the head that is coming
        self._held = False  # nothing more is read for now
        self._left = False  # the connection speaks something else now
        self._unfinished: asyncio.TimerHandle | None = None  # runs while a request is not whole
        self._stuck: asyncio.TimerHandle | None = None  # runs while the client does not read
        self.asker = Asker()
        self._requests = _Requests(server, self.go_on)
        app = server.config.loaded_app

        async def in_turn(scope: Scope, receive: Receive, send: Send) -> None:
            scope[ASKER] = self.asker
            await turns.run(app(scope, receive, send))

        self._requests.app = in_turn
        self._requests.connection_made(_Wire(self, line, host, sealed=sealed))

    # -- reading

    def hear(self, piece: bytes) -> None:
        """Take a piece of what the client sent."""
        requests = self._requests
        whole = requests.whole
        requests.data_received(piece)
        if requests.whole != whole:  # what else is here is of the next request
            self._head = 0
            self._stop_waiting()
        # The library has no bound on a head. Pieces are small, so it is counted by them.
        self._head = self._head + len(piece) if requests.part is _Part.HEAD else 0
        if self._head > HEAD_MAX:
            requests.is_refused = True
        if requests.is_refused and requests.part is _Part.BODY:
            self._refuse_body()
        self.go_on()

    def _refuse_body(self) -> None:
        """Refuse a request whose body went wrong, unless its answer has begun."""
        if self._requests.is_last_answered:
            self._line.hang_up()
        else:
            self._requests.forget_last()
            self.asker.leave()

    def go_on(self) -> None:
        """Do what comes after the answers that were owed, read on or wait for the client."""
        requests = self._requests
        if self._left or self._line.is_closing():
            return
        ends = requests.is_refused or requests.is_upgrade
        if ends and not requests.owes_answers:
            self._stop_waiting()
            if requests.is_refused:
                requests.send_400_response("Invalid HTTP request received.")
            else:
                requests.upgrade()
            return
        # One request is answered at a time, and those of one piece may wait behind it.
        held = ends or bool(requests.pipeline) or requests.flow.read_paused
        if held != self._held:
            self._held = held
            self._line.hold(held=held)
        if held or requests.part is _Part.NONE:
            self._stop_waiting()
        elif self._unfinished is None:
            loop = asyncio.get_running_loop()
            self._unfinished = loop.call_later(self._request_timeout, self._line.hang_up)
        if requests.part is _Part.NONE and not requests.owes_answers:
            self._keep_alive()

    def _keep_alive(self) -> None:
        """Wait a while for the next request; also where only an empty line came."""
        requests = self._requests
        if requests.timeout_keep_alive_task is None:
            wait, close = requests.timeout_keep_alive, requests.timeout_keep_alive_handler
            requests.timeout_keep_alive_task = requests.loop.call_later(wait, close)

    def become(self, dialect: str) -> None:
        """Leave HTTP for a WebSocket, with all that came behind the request for it."""
        self._line.become(dialect, self._requests.behind)

    def _stop_waiting(self) -> None:
        if self._unfinished is not None:
            self._unfinished.cancel()
            self._unfinished = None

    # -- the connection's own course

    def ended(self) -> bool:
        """Finish after what is owed, as the client will say no more; whether anything is."""
        requests = self._requests
        if requests.part is _Part.BODY and not requests.is_last_answered:
            requests.forget_last()  # the rest of it never comes
        if not requests.owes_answers:
            return False
        if not (requests.is_refused or requests.is_upgrade):
            requests.cycle.keep_alive = False  # of the request that came last
        self.asker.leave()
        return True

    def dismiss(self) -> None:
        """Answer a request that is here whole, and hang up."""
        if not self.ended():
            self._line.hang_up()

    def clogged(self) -> None:
        """Stop writing, and hang up if the client does not read on within a while."""
        self._requests.pause_writing()
        self._stuck = asyncio.get_running_loop().call_later(self._reading_timeout, self._line.abort)

    def unclogged(self) -> None:
        """Write again, because the client reads again."""
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        self._requests.resume_writing()

    def leave(self) -> None:
        """Let go of a connection that speaks something else from now on."""
        self._left = True
        self._turns.leave()
        self.asker.leave()
        self._stop_waiting()
        if self._stuck is not None:
            self._stuck.cancel()

    def gone(self) -> None:
        """Tell uvicorn that the connection is gone."""
        self.leave()
        self._requests.connection_lost(None)
