"""Whoever calls the server: again and again, until it answers, as long as there is something to do.

A caller mutates. What it says and makes of what it hears is its own kind's (`people`,
`watching`); all of them run on one loop.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from rookery.cli.ordeal.clients.lines import OrdealLine
from rookery.cli.ordeal.clients.wires import WireTape
from rookery.cli.ordeal.observer.claims import UNNAMED, Claims
from rookery.core.chance import Chance
from rookery.core.ids import Micros

HOST: Final = "127.0.0.1"
BACK: Final = 0.04  # seconds from being cut off to calling again, about
PATIENCE: Final = 10.0  # seconds for a call to be taken


class OrdealTown(Struct):
    """What callers share: where they call, what they note, and whether the day ends. It mutates."""

    ports: dict[str, int]  # by language; the rest under ""
    claims: Claims
    other_ports: dict[str, int] = {}  # of another door, if there is one
    calm: bool = False  # everybody plays to the end, and begins nothing
    lines: int = 0  # so far

    def port(self, dialect: str, *, other: bool = False) -> int:
        """Where this language is spoken."""
        ports = self.other_ports if other and self.other_ports else self.ports
        return ports.get(dialect, ports[""])


def now() -> Micros:
    """The wall's time, as the log has it."""
    return time.time_ns() // 1000


class CallerBase(ABC):
    """Somebody with one connection at a time."""

    def __init__(
        self, town: OrdealTown, name: str, dialect: str, *, framed: bool, seed: int
    ) -> None:
        self.town, self.name, self.dialect = town, name, dialect
        self.chance = Chance(seed)
        self.framed = framed
        self.line: OrdealLine | None = None
        self.number = 0  # of the line
        self.gone = False  # for good
        self.wire = WireTape(now)
        self._calls: set[asyncio.Task[None]] = set()  # the one that is being made
        self._latest: OrdealLine | None = None  # which may be neither made nor a WebSocket yet

    @property
    def known_as(self) -> str:
        """What the log calls it, as far as it can."""
        return self.dialect if self.dialect in UNNAMED else self.name

    @abstractmethod
    def begin(self) -> bytes:
        """What to say first on a connection."""

    @abstractmethod
    def heard(self, came: bytes) -> None:
        """Take in what was said."""

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
            line = self._latest = OrdealLine(self, framed=self.framed)
            try:
                calling = loop.create_connection(lambda made=line: made, HOST, port)  # type: ignore[misc]
                await asyncio.wait_for(calling, PATIENCE)
            except OSError:  # which a timeout is, too
                await asyncio.sleep(BACK * (0.5 + self.chance.below(100) / 100))
            else:
                return

    def connected(self, line: OrdealLine) -> None:
        """The line stands, with a WebSocket on it where one is wanted."""
        self.line = line
        self.town.lines += 1
        self.number = self.town.lines
        self.town.claims.back.setdefault(self.name, []).append(now())
        self.town.claims.calls.setdefault(self.known_as, []).append(now())
        self.say(self.begin())

    def noted(self, mark: str, words: bytes) -> None:
        """This goes over the line, or happens to it."""
        self.wire.note(mark, words)

    def lost(self) -> None:
        """The line is gone; call again."""
        self.line = None
        if not self.gone:
            self.soon(BACK, self.call)

    def leave(self) -> None:
        """Go for good."""
        self.gone = True
        if self._latest is not None:
            self._latest.hang_up()

    def hang_up(self) -> None:
        """Go; who is not gone for good comes back."""
        if self.line is not None:
            self.line.hang_up()

    def say(self, words: bytes) -> None:
        """Say this, if anybody is there to hear it."""
        if self.line is not None:
            self.line.send(words)

    def soon(self, wait: float, work: Callable[[], None]) -> None:
        """Do this in about so many seconds."""
        wait *= 0.5 + self.chance.below(1000) / 1000
        asyncio.get_running_loop().call_later(wait, work)
