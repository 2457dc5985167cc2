"""Callers: clients that call the server again and again until it answers, while the day lasts.

Each kind of caller (`player`, `watching`) decides what it says and what it makes of what it hears;
all of them run on one loop.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.ids import Micros
from rookery_tools.crashtest.clients.lines import CrashtestLine
from rookery_tools.crashtest.clients.wires import WireTape
from rookery_tools.crashtest.observer.claims import UNNAMED, Claims

HOST: Final = "127.0.0.1"
BACK: Final = 0.04  # seconds from being cut off to calling again, about
PATIENCE: Final = 10.0  # seconds for a call to be taken


class CrashtestTown(Struct):
    """What callers share: the ports, the claims, and whether the day ends."""

    ports: dict[str, int]  # by language; the rest under ""
    claims: Claims
    other_ports: dict[str, int] = {}  # of another door, if there is one
    calm: bool = False  # everybody plays to the end, and begins nothing
    lines: int = 0  # so far

    def port(self, dialect: str, *, other: bool = False) -> int:
        """The port where this dialect is spoken."""
        ports = self.other_ports if other and self.other_ports else self.ports
        return ports.get(dialect, ports[""])


def now() -> Micros:
    """The time of the wall clock in microseconds, as the log has it."""
    return time.time_ns() // 1000


class CallerBase(ABC):
    """A client with one connection at a time, which calls again when it is lost."""

    def __init__(
        self, town: CrashtestTown, name: str, dialect: str, *, framed: bool, seed: int
    ) -> None:
        self.town, self.name, self.dialect = town, name, dialect
        self.chance = Chance(seed)
        self.framed = framed
        self.line: CrashtestLine | None = None
        self.number = 0  # of the line
        self.gone = False  # for good
        self.wire = WireTape(now)
        self._calls: set[asyncio.Task[None]] = set()  # the one that is being made
        self._latest: CrashtestLine | None = None  # which may be neither made nor a WebSocket yet

    @property
    def known_as(self) -> str:
        """The name by which the log knows this client; the dialect where it has no names."""
        return self.dialect if self.dialect in UNNAMED else self.name

    @abstractmethod
    def begin(self) -> bytes:
        """The first bytes to send on a connection."""

    @abstractmethod
    def heard(self, came: bytes) -> None:
        """Take in bytes of the server."""

    def call(self) -> None:
        """Call the server, unless one does already or has gone."""
        if self.line is None and not self.gone and not self._calls:
            task = asyncio.get_running_loop().create_task(self._call())
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

    async def _call(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.gone:
            # Who gave no name is known by being away, which an edge that died cannot tell.
            other = self.dialect not in UNNAMED and self.chance.below(2) == 0
            port = self.town.port(self.dialect, other=other)
            line = self._latest = CrashtestLine(self, framed=self.framed)
            try:
                calling = loop.create_connection(lambda made=line: made, HOST, port)  # type: ignore[misc]
                await asyncio.wait_for(calling, PATIENCE)
            except OSError:  # which a timeout is, too
                await asyncio.sleep(BACK * (0.5 + self.chance.below(100) / 100))
            else:
                return

    def connected(self, line: CrashtestLine) -> None:
        """Note that the line is connected, with its WebSocket if any; send the first bytes."""
        self.line = line
        self.town.lines += 1
        self.number = self.town.lines
        self.town.claims.back.setdefault(self.name, []).append(now())
        self.town.claims.calls.setdefault(self.known_as, []).append(now())
        self.say(self.begin())

    def noted(self, mark: str, words: bytes) -> None:
        """Write down on the tape what goes over the line, or happens to it."""
        self.wire.note(mark, words)

    def lost(self) -> None:
        """The line is gone; call again."""
        self.line = None
        if not self.gone:
            self.soon(BACK, self.call)

    def leave(self) -> None:
        """Hang up, and call no more."""
        self.gone = True
        if self._latest is not None:
            self._latest.hang_up()

    def hang_up(self) -> None:
        """Hang up; a client that has not left for good calls again."""
        if self.line is not None:
            self.line.hang_up()

    def say(self, words: bytes) -> None:
        """Send bytes, if there is a connection."""
        if self.line is not None:
            self.line.send(words)

    def soon(self, wait: float, work: Callable[[], None]) -> None:
        """Call `work` in about this many seconds: between half and one and a half of them."""
        wait *= 0.5 + self.chance.below(1000) / 1000
        asyncio.get_running_loop().call_later(wait, work)
