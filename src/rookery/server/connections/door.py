"""The door: which connections there are, how many from where, and which are silent too long.

The door knows every connection of every port, and nothing of what they say. It mutates, and
lives in the event loop.
"""

import asyncio
import logging
import ssl
from collections import Counter
from collections.abc import Callable
from time import perf_counter_ns, thread_time_ns
from typing import Final, Protocol

from rookery.core.ids import Micros, SessionId
from rookery.core.manners import Directory
from rookery.core.messages import AnyMessage, Notice
from rookery.core.network import LOOPBACK, Doorway, home_of
from rookery.runtime.fairtime import FairTime
from rookery.server.config import BotTerms, Port
from rookery.server.connections.handshakes import Handshakes
from rookery.server.fairness.scheduler import Scheduler, Speaker
from rookery.server.limits import HOME_SHARE, Bounds
from rookery.server.links.link import HallLink
from rookery.server.web.http import HttpServer

log = logging.getLogger(__name__)

BOUNDS: Final = Bounds()
EVERYWHERE: Final = "all hosts"
CALM: Final = 10  # a tenth of the places must be free again before we speak of it anew
FULL: Final = b"Too many connections from your host; close some and try again.\n"
CROWDED: Final = b"All connections of this server are taken; try again in a while.\n"
CLOSED: Final = b""  # to clients that come when everyone has been told that we go


class Guest(Protocol):
    """A connection, as the door knows it."""

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the connection's words."""
        ...

    def flush(self) -> None:
        """Send what has been put into words."""
        ...

    def close(self) -> None:
        """Hang up once everything has been sent."""
        ...

    def abort(self) -> None:
        """Hang up at once."""
        ...

    def unheard(self) -> Micros | None:
        """When the oldest bytes that were not heard yet were read; None if all were heard."""
        ...

    def await_hall(self, *, held: bool) -> None:
        """Read on but hear nothing while `held`, until a hall says what is meant; or go on."""
        ...


class Door:
    """Where connections come in; it knows all of them. It mutates."""

    def __init__(
        self,
        link: HallLink,
        time: FairTime,
        directory: Directory,
        bounds: Bounds = BOUNDS,
        *,
        tls: ssl.SSLContext | None = None,
        elapsed: Callable[[], int] = perf_counter_ns,
        worked: Callable[[], int] = thread_time_ns,
    ) -> None:
        self.link = link
        self.time = time
        self.directory = directory
        self.bounds = bounds
        self.tls = tls  # for clients that want it; others may stay plain
        self.terms: dict[SessionId, BotTerms] = {}  # of sessions that came by a port with its own
        self.web: HttpServer | None = None  # for clients that speak HTTP
        # Gives turns to all who say something.
        self.scheduler = Scheduler(elapsed, link.is_busy, worked, link.throttle)
        self.handshakes = Handshakes(others=self.scheduler.played_lately)
        self._next = 1
        self._open: dict[SessionId, Guest] = {}
        self._hosts: Counter[str] = Counter()
        self._silent: dict[SessionId, Micros] = {}  # who has said nothing readable, since when
        self._shaking: dict[SessionId, Micros] = {}  # sessions that have begun TLS and are not done
        # Homes whose places were all taken, and how many those were, until a tenth is free again.
        self._crowded: dict[str, int] = {}
        self._going: dict[SessionId, Micros] = {}  # sessions on which we hang up, since when
        self._closed = False  # everyone has been told that we go
        self.empty = asyncio.Event()
        self.empty.set()
        link.listen(self.unheard, self.scheduler.wake)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Guest, host: str) -> SessionId | bytes:
        """Return the number of a new session; or last words for a client that cannot come in."""
        bounds, home = self.bounds, home_of(host)
        if self._closed:  # it called before that, would be told nothing, and would keep us here
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
        """Remember the port's terms for this session; return the door the hall sees it come by."""
        if port.house is not None:
            self.terms[session] = port.house
        return port.doorway(private=self.is_private(host, sealed=sealed))

    def is_private(self, host: str, *, sealed: bool) -> bool:
        """Whether nobody else can read the connection, or none here could be sealed anyway."""
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
        """Note that the session said something readable: silence does not close it any more."""
        self._silent.pop(session, None)

    def shaking(self, session: SessionId) -> None:
        """Note that the session wants TLS: it has some time to shake hands."""
        self._shaking[session] = self.time.now()

    def shaken(self, session: SessionId) -> None:
        """Note that the session has shaken hands."""
        self._shaking.pop(session, None)

    def going(self, session: SessionId | None) -> None:
        """Note that we hang up on the session once it has read what was sent; ignores None."""
        if session is not None:
            self._going.setdefault(session, self.time.now())

    def leave(self, session: SessionId, host: str, speaker: Speaker) -> None:
        """Forget a connection that is gone, and its place among the speakers."""
        self.scheduler.leave(speaker)
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

    def unheard(self, session: SessionId) -> Micros | None:
        """When the oldest words of this session that were not heard yet were read."""
        connection = self._open.get(session)
        return None if connection is None else connection.unheard()

    def sweep(self) -> None:
        """Hang up on clients that never spoke, are slow with TLS, or read no last words."""
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
        """Tell everyone this and hang up on them; let nobody in any more."""
        self._closed = True
        for session in list(self._open):
            self.dismiss(session, notice)

    def dismiss(self, session: SessionId, notice: Notice | None) -> None:
        """Tell one session this, if anything, and hang up once it has been sent."""
        if (connection := self._open.get(session)) is not None:
            if notice is not None:
                connection.tell(notice)
            connection.flush()
            connection.close()

    def hold(self, session: SessionId, held: bool) -> None:
        """Hear nothing of a session for now (`held`), or go on."""
        if (connection := self._open.get(session)) is not None:
            connection.await_hall(held=held)

    def abort(self) -> None:
        """Hang up on everyone at once."""
        for connection in list(self._open.values()):
            connection.abort()
