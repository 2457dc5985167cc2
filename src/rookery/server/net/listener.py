"""The listener: ports, who may connect, and every connection there is.

It counts connections by host, and closes those that are silent, slow with TLS, or never read
their last message. It knows nothing of what they say.

On the one port every client is recognised by its first bytes. A port of one dialect speaks
nothing else and has options of its own (`[listen.othello]` in the settings file). Either may be
the port of a tour, for clients that cannot name one.

A connection is a file to the system. Where all are used up nothing can be opened any more: not
the log, not a pipe to a bot, and connections cannot even be refused. So `raise_limit` raises
the bound at the start as far as it may, and some files are kept back.
"""

import asyncio
import errno
import logging
import os
import resource
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import msgspec

from rookery import __version__
from rookery.core.clock import taken_for
from rookery.core.ids import Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.manners import Directory
from rookery.core.messages import Notice
from rookery.core.network import LOOPBACK, Doorway, home_of
from rookery.server.actor.broadcast import Subscriber
from rookery.server.config import BadSetting, BotTerms, Port, Settings
from rookery.server.fairtime import FairTime
from rookery.server.limits import FILES_RESERVED, FILES_SPARE, HOME_SHARE, SESSIONS_MAX, Bounds
from rookery.server.net.connection import Connection
from rookery.server.net.fair import FairQueue, Source
from rookery.server.net.liveness import prepare
from rookery.server.net.tls import Handshakes
from rookery.server.web.http import HttpServer

log = logging.getLogger(__name__)

BOUNDS: Final = Bounds()
EVERYWHERE: Final = "all hosts"
CALM: Final = 10  # a tenth of the places must be free again before we log it again
FULL: Final = b"Too many connections from your host; close some and try again.\n"
CROWDED: Final = b"All connections of this server are taken; try again in a while.\n"
CLOSED: Final = b""  # to clients that connect while the server stops


class HallLink(Protocol):
    """The hall, as connections know it: the runner in this process, or a link to another."""

    @property
    def queue(self) -> FairQueue:
        """Whose turn it is, of all that this process serves."""
        ...

    def connect(
        self,
        session: SessionId,
        host: str,
        subscriber: Subscriber,
        dialect: str,
        door: Doorway,
        *,
        source: Source | None,
    ) -> None:
        """Let a new connection into the hall, which speaks this dialect and came by this door."""
        ...

    @property
    def heard(self) -> Callable[[SessionId, Micros], object]:
        """Call this when a session said something, be it only that it is there."""
        ...

    def ask(
        self, session: SessionId, intents: Sequence[AnyIntent], now: Micros, *, much: bool = False
    ) -> None:
        """Ask these things for a session, read at `now`; `much`: more of it waits behind."""
        ...

    def hang_up(self, session: SessionId, now: Micros) -> None:
        """Note that a connection is gone; what it asked before is still dealt with."""
        ...

    def listen(self, pending_since: Callable[[SessionId], Micros | None]) -> None:
        """Set who knows when a session's oldest bytes that were not processed yet were read."""
        ...

    @property
    def after_poll(self) -> Callable[[Callable[[], None]], None]:
        """Call this with what to do once all that lies at the sockets now is read."""
        ...


class Listener:
    """Admits connections and owns all of them."""

    def __init__(
        self,
        link: HallLink,
        time: FairTime,
        directory: Directory,
        bounds: Bounds = BOUNDS,
        *,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.link = link
        self.time = time
        self.directory = directory
        self.bounds = bounds
        self.tls = tls  # for clients that want it; others may stay plain
        self.terms: dict[SessionId, BotTerms] = {}  # of sessions on a port that has its own
        self.web: HttpServer | None = None  # for clients that speak HTTP
        # Decides whose bytes are processed next.
        self.queue = link.queue
        self.handshakes = Handshakes(others=self.queue.acted_lately)
        self._next = 1
        self._open: dict[SessionId, Connection] = {}
        self._hosts: Counter[str] = Counter()
        self._silent: dict[
            SessionId, Micros
        ] = {}  # sessions that sent nothing readable, since when
        self._shaking: dict[SessionId, Micros] = {}  # sessions in a TLS handshake, since when
        # Hosts whose places were all taken, and how many those were, until a tenth is free again.
        self._crowded: dict[str, int] = {}
        self._going: dict[SessionId, Micros] = {}  # sessions being closed, since when
        self._closed = False  # the server stops: nobody new is let in
        self.empty = asyncio.Event()
        self.empty.set()
        link.listen(self.pending_since)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection, host: str) -> SessionId | bytes:
        """Return the number of a new session, or the last message to a client that is refused."""
        bounds, home = self.bounds, home_of(host)
        if (
            self._closed
        ):  # it connected before that, would be sent nothing, and would keep the server
            return CLOSED
        if len(self._open) >= bounds.sessions:
            self._crowd(EVERYWHERE, bounds.sessions)
            return CROWDED
        most = bounds.sessions_loopback if host == LOOPBACK else bounds.sessions_a_host
        part, whole = HOME_SHARE
        most = min(most, max(1, bounds.sessions * part // whole))
        if self._hosts[home] >= most:
            self._crowd(home, most)
            return FULL
        session = SessionId(self._next)
        self._next += 1
        self._hosts[home] += 1
        self._open[session] = connection
        self.empty.clear()
        self._silent[session] = self.time.now()
        return session

    def enter(self, session: SessionId, port: Port, host: str, *, sealed: bool) -> Doorway:
        """Keep the port's terms for this session; return where the hall sees it come from."""
        if port.house is not None:
            self.terms[session] = port.house
        return port.doorway(private=self.is_private(host, sealed=sealed))

    def is_private(self, host: str, *, sealed: bool) -> bool:
        """Whether nobody else can read the connection, or TLS is not offered anyway."""
        return sealed or self.tls is None or host == LOOPBACK

    def _crowd(self, home: str, most: int) -> None:
        """Log once that all places are taken, until some are free again."""
        if home not in self._crowded:
            self._crowded[home] = most
            log.warning("all %d connections of %s are taken, and more are refused", most, home)

    def _calm(self, home: str, there: int) -> None:
        if home in self._crowded and there * CALM < self._crowded[home] * (CALM - 1):
            del self._crowded[home]

    def spoke(self, session: SessionId) -> None:
        """Note that the session sent something readable: silence no longer closes it."""
        self._silent.pop(session, None)

    def shaking(self, session: SessionId) -> None:
        """Note that the session began a TLS handshake, which may take only so long."""
        self._shaking[session] = self.time.now()

    def shaken(self, session: SessionId) -> None:
        """Note that the session's TLS handshake is done."""
        self._shaking.pop(session, None)

    def going(self, session: SessionId | None) -> None:
        """Note that the session is closed once it has read what was sent; None is ignored."""
        if session is not None:
            self._going.setdefault(session, self.time.now())

    def leave(self, session: SessionId, host: str, source: Source) -> None:
        """Forget a connection that is gone, and its place in the queue."""
        self.queue.leave(source)
        del self._open[session]
        if not self._open:
            self.empty.set()
        self._silent.pop(session, None)
        self._shaking.pop(session, None)
        self._going.pop(session, None)
        self.terms.pop(session, None)
        home = home_of(host)
        self._hosts[home] -= 1
        if self._crowded:
            self._calm(home, self._hosts[home])
            self._calm(EVERYWHERE, len(self._open))
        if not self._hosts[home]:
            del self._hosts[home]

    def pending_since(self, session: SessionId) -> Micros | None:
        """When the session's oldest unprocessed bytes were read; None if there are none."""
        connection = self._open.get(session)
        return None if connection is None else connection.pending_since()

    def sweep(self) -> None:
        """Close clients that never spoke, are slow with TLS, or do not read their last message."""
        now = self.time.now()
        for session, since in list(self._silent.items()):
            if now - since < self.bounds.silence:
                break  # the rest came later
            self._open[session].close()
        for session, since in list(self._shaking.items()):
            if now - since < self.bounds.handshake:
                break
            self._open[session].abort()
        for session, since in list(self._going.items()):
            if now - since < self.bounds.last_words:
                break
            self._open[session].abort()

    def close(self, notice: Notice) -> None:
        """Send everyone this and close their connections; admit nobody from now on."""
        self._closed = True
        for session in list(self._open):
            self.dismiss(session, notice)

    def dismiss(self, session: SessionId, notice: Notice | None) -> None:
        """Send one session this, if anything, and close it once that has been sent."""
        if (connection := self._open.get(session)) is not None:
            if notice is not None:
                connection.tell(notice)
            connection.flush()
            connection.close()

    def hold(self, session: SessionId, held: bool) -> None:
        """Process nothing of a session for now (`held`), or go on."""
        if (connection := self._open.get(session)) is not None:
            connection.await_hall(held=held)

    def abort(self) -> None:
        """Close every connection without waiting for what it was sent."""
        for connection in list(self._open.values()):
            connection.abort()


Say = Callable[[str], None]


async def listen(settings: Settings, listener: Listener, say: Say) -> list[asyncio.Server]:
    """Open every port of the settings, and say where. Raises BadSetting, and opens none then."""
    host = settings.host
    servers: list[asyncio.Server] = []
    lines: list[str] = []
    try:
        front = Port(port=settings.port, tour=settings.tour, by=settings.by)
        one = await _open(host, listener, front)
        servers.append(one)
        lines += [f"Rookery {__version__} listens on {address}" for address in _addresses(one)]
        for wanted in settings.ports():
            page = one.sockets[0].getsockname()[1]
            server = await _open(host, listener, msgspec.structs.replace(wanted, page=page))
            servers.append(server)
            lines += [f"{wanted.dialect} alone: {address}" for address in _addresses(server)]
            # An operator who wrote `5+3` into the settings sees what it was taken for.
            assert wanted.options is not None, "a port of one dialect has its options"
            clock = msgspec.structs.asdict(wanted.options).get("time", "none")
            lines += filter(None, [taken_for(clock)])
    except BadSetting:
        for server in servers:
            server.close()
        raise
    for line in lines:  # once all of them are open
        say(line)
    return servers


async def _open(host: str, listener: Listener, port: Port) -> asyncio.Server:
    try:
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(listener, port), host, port.port, backlog=1024, start_serving=False
        )
        try:
            prepare(server.sockets)
            await server.start_serving()
        except OSError:
            server.close()
            raise
    except OSError as wrong:
        raise BadSetting(f"Cannot listen on {_address(host, port.port)}: {_why(wrong)}.") from None
    return server


def _why(wrong: OSError) -> str:
    """The system's own reason why a port cannot be opened, without asyncio's words around it."""
    if wrong.errno == errno.EADDRINUSE:
        return "somebody listens there already; --port has another"
    number = wrong.errno or 0
    # What is wrong with a host's name has a number below zero, which the system does not know.
    return os.strerror(number).lower() if number > 0 else wrong.strerror or str(wrong)


def _addresses(server: asyncio.Server) -> list[str]:
    return [_address(*listening.getsockname()[:2]) for listening in server.sockets]


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def raise_limit() -> int:
    """Let this process open as many files as the system allows; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * SESSIONS_MAX if hard == resource.RLIM_INFINITY else min(hard, 2 * SESSIONS_MAX)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            return soft  # some systems have a lower bound that they do not tell
        return most
    return most if soft == resource.RLIM_INFINITY else soft


def sessions_among(files: int) -> int:
    """How many connections there may be if the process may open this many files."""
    # A connection is accepted before it can be refused, so each of those takes a file too.
    kept = max(FILES_RESERVED, min(files // 4, FILES_RESERVED + FILES_SPARE))
    return max(1, min(SESSIONS_MAX, files - kept))
