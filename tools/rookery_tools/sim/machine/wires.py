"""Connections in memory: bytes that take their time, come in pieces, and may not come at all.

A line has two ends. The server's is a transport of asyncio's; the person's is called by the world.
Bytes that the server writes are on the wire at once, as far as the other end's window has room; the
rest waits in the transport, as with sockets. Bytes under way when a line is cut are lost, at
whatever byte. `WorldLine` keeps what passed at the server's end, and when: the observer is shown
nothing else. A `Site` is where a process listens.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Final, Protocol

from rookery.core.chance import Chance
from rookery_tools.sim.machine.agenda import MICRO, MILLI, Nanos, WorldAgenda
from rookery_tools.sim.machine.loop import SimLoop
from rookery_tools.sim.machine.transport import SimTransport

JITTER: Final = 2 * MILLI
GAP: Final = 40 * MILLI  # between two pieces of what was sent as one


class WireCaller(Protocol):
    """A person, as a line knows it."""

    def connected(self) -> None:
        """The server took the call."""

    def heard(self, came: bytes) -> None:
        """Called with bytes that came from the server."""

    def lost(self) -> None:
        """The line is gone, or never was."""


class WorldLine:
    """One connection, from the call to the end."""

    def __init__(self, site: "Site", number: int, host: str, port: int, caller: WireCaller) -> None:
        self.number, self.host, self.port = number, host, port
        self.caller, self.site, net = caller, site, site.net
        self.up: list[tuple[Nanos, bytes]] = []  # what lay at the server's socket, since when
        self.down: list[tuple[Nanos, bytes]] = []  # what the server wrote
        self.opened: Nanos = 0  # when the server took the call; 0: it did not
        self.closed: Nanos = 0  # when either end let go, as the server's end knows it
        self.dismissed = False  # it was the server who hung up
        self.window = net.chance.choice((2_048, 16_384, 131_072))
        self.doom: int | None = None  # bytes down until it is cut
        self.reads = True  # the person's end does
        self.gone = False
        self.unread = 0  # bytes that the server has not taken
        self.transport: SimTransport | None = None
        self.net = net
        self.latency = net.chance.between(100 * MICRO, 60 * MILLI)
        self._last_up = self._last_down = 0
        self._under_way = 0  # bytes down that were not heard yet
        self._unheard: deque[bytes] = deque()  # bytes that lie at the person's end

    # -- the person's end

    def send(self, words: bytes) -> None:
        """Send bytes to the server; they arrive in one piece or in several."""
        chance = self.net.chance
        while words and not self.gone:
            whole = len(words) == 1 or chance.below(6)
            size = len(words) if whole else chance.between(1, len(words) - 1)
            piece, words = words[:size], words[size:]
            self.unread += len(piece)
            gap = chance.below(GAP) if words else 0
            self._later_up(partial(self._arrive, piece), gap)

    def hang_up(self) -> None:
        """Hang up at the person's end; bytes sent before still arrive."""
        if not self.gone:
            self.gone = True
            self._later_up(self._lose)

    def cut(self) -> None:
        """The line breaks: what is under way is lost, and both ends notice in a while."""
        if not self.gone:
            self.gone = True
            self.net.agenda.after(self.latency, self._lose)
            self.net.agenda.after(self.latency, self.caller.lost)

    def read_on(self) -> None:
        """Read again: take the bytes that wait at the person's end, and those to come."""
        self.reads = True
        while self._unheard and self.reads and not self.gone:
            self._hear(self._unheard.popleft())

    # -- the server's end

    def take(self, transport: SimTransport) -> None:
        """The server took the call."""
        self.transport, self.opened = transport, self.net.agenda.now
        self.site.open[self.number] = self
        self._later_down(self._connected)

    def room(self) -> int:
        """Bytes that can be put on the wire."""
        return self.window - self._under_way

    def wrote(self, words: bytes) -> None:
        """Note bytes that the server writes, whether the wire has room for them or not."""
        self.net.note(b"down", self.number, words)
        self.down.append((self.net.agenda.now, words))

    def write(self, words: bytes) -> None:
        """Put bytes of the server on the wire."""
        if self.gone:
            return
        self._under_way += len(words)
        self._later_down(partial(self._deliver, words))

    def end(self, *, dismissed: bool = False) -> None:
        """The server's end lets go: what is on the wire still comes."""
        self.closed = self.net.agenda.now
        self.dismissed = dismissed and not self.gone
        self.transport = None
        self.site.open.pop(self.number, None)
        if not self.gone:
            self._later_down(self.lose)

    # -- under way

    def _later_up(self, work: Callable[[], None], gap: Nanos = 0) -> None:
        agenda = self.net.agenda
        at = agenda.now + self.latency + self.net.chance.below(JITTER)
        self._last_up = at = max(at, self._last_up)
        agenda.at(at, work)
        self._last_up += gap

    def _later_down(self, work: Callable[[], None]) -> None:
        agenda = self.net.agenda
        at = agenda.now + self.latency + self.net.chance.below(JITTER)
        self._last_down = at = max(at, self._last_down)
        agenda.at(at, work)

    def _arrive(self, piece: bytes) -> None:
        if self.transport is not None:
            self.net.note(b"up", self.number, piece)
            self.up.append((self.net.agenda.now, piece))
            self.transport.arrived(piece)

    def _lose(self) -> None:
        if self.transport is not None:
            self.transport.broken()

    def _connected(self) -> None:
        if not self.gone:
            self.caller.connected()

    def lose(self) -> None:
        """The person's end learns that there is nobody."""
        if not self.gone:
            self.gone = True
            self.caller.lost()

    def _deliver(self, words: bytes) -> None:
        if self.gone:
            return
        if self.doom is not None:
            words, self.doom = words[: self.doom], self.doom - len(words)
        if self.reads:
            self._hear(words)
        else:
            self._unheard.append(words)
        if self.doom is not None and self.doom <= 0:
            self.net.counts["cuts"] += 1
            self.cut()

    def _hear(self, words: bytes) -> None:
        self._under_way -= len(words)
        if self.transport is not None:
            self.transport.drained()
        if words:
            self.caller.heard(words)


class Listening:
    """A port that a process listens on; it stands for its own socket."""

    def __init__(self, host: str, port: int, make: Callable[[], asyncio.Protocol]) -> None:
        self.host, self.port, self.make = host, port, make
        self.sockets = (self,)
        self.open = True

    def getsockname(self) -> tuple[str, int]:
        """The host and port of the open port."""
        return self.host, self.port

    def setsockopt(self, *_: int) -> None:
        """Do nothing: this network has no socket options."""

    async def start_serving(self) -> None:
        """Do nothing: the port takes calls already."""

    def close(self) -> None:
        """Take no more calls."""
        self.open = False


class Network:
    """All lines that ever were, and the sites that can be called."""

    def __init__(self, agenda: WorldAgenda, chance: Chance, counts: dict[str, int]) -> None:
        self.agenda = agenda
        self.chance = chance
        self.counts = counts
        self.lines: list[WorldLine] = []
        self.sites: list[Site] = []
        self._digest = blake2b(digest_size=16)

    def note(self, way: bytes, number: int, words: bytes) -> None:
        """Add bytes that passed to the digest, by which two runs of one seed are compared."""
        self._digest.update(b"%s %d %d %d\n" % (way, number, self.agenda.now, len(words)))
        self._digest.update(words)

    def digest(self) -> str:
        """The digest of all bytes that passed, and when."""
        return self._digest.hexdigest()

    def call(self, host: str, port: int, caller: WireCaller, site: int = 0) -> WorldLine:
        """Call a site for a person; the caller is told later whether the server took the call."""
        line = WorldLine(self.sites[site], len(self.lines) + 1, host, port, caller)
        self.lines.append(line)
        self.agenda.after(line.latency, partial(line.site.ring, line))
        return line

    def open(self) -> list[WorldLine]:
        """The lines of which a server has the other end."""
        return [line for site in self.sites for line in site.open.values()]


class Site:
    """The address where one process after the other listens."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.number = len(net.sites)
        net.sites.append(self)
        self.open: dict[int, WorldLine] = {}  # of which the server has the other end
        self._loop: SimLoop | None = None
        self._ports: dict[int, Listening] = {}
        self._calls: deque[WorldLine] = deque()  # that wait to be taken

    def ring(self, line: WorldLine) -> None:
        """Bring a call to the process; it is lost where none listens on its port."""
        listening = self._ports.get(line.port)
        if self._loop is None or listening is None or not listening.open:
            self.net.agenda.after(line.latency, line.lose)
            return
        self._calls.append(line)
        self._loop.signal()

    def serve(self, loop: SimLoop) -> None:
        """Give the loop of a process this site's sockets."""
        self._loop = loop
        loop.sockets, loop.listen = self._look, self.listen

    def listen(self, make: Callable[[], asyncio.Protocol], host: str, port: int) -> Listening:
        """Open this port."""
        listening = self._ports[port] = Listening(host, port, make)
        return listening

    def guest(self, port: int) -> object | None:
        """The protocol that the server would make for a call to this port; None: none listens."""
        listening = self._ports.get(port)
        return None if listening is None else listening.make()

    def _look(self) -> list[asyncio.Handle]:
        assert self._loop is not None, "who looks has a loop"
        found: list[asyncio.Handle] = []
        while self._calls:
            found.append(asyncio.Handle(self._accept, (self._calls.popleft(),), self._loop))
        for line in self.open.values():
            if line.transport is not None:
                found += line.transport.look()
        return found

    def _accept(self, line: WorldLine) -> None:
        listening = self._ports.get(line.port)
        if self._loop is None or listening is None or line.gone:
            return
        protocol = listening.make()
        transport = SimTransport(line, self._loop, protocol)
        line.take(transport)
        protocol.connection_made(transport)

    def die(self) -> None:
        """End all lines and ports of the process, which is gone."""
        self._loop = None
        self._ports.clear()
        for line in self._calls:
            self.net.agenda.after(line.latency, line.lose)
        self._calls.clear()
        for line in list(self.open.values()):
            line.end()
