"""A person: calls, is cut off, comes back, and has some nerve or none.

The language (`native`, `othello` ...) decides what a person says and makes of what it hears. All it
does is drawn from a chance of its own, so other people change nothing of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery_tools.bench.languages.websocket import SHAKE, message
from rookery_tools.sim.frames import CLOSING, HEAD_ENDS, PARTING, PINGING, PONG, TEXT, Frames
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.process import PORT
from rookery_tools.sim.machine.wires import Network, WorldLine

KEY: Final = b"AAAAAAAAAAAAAAAAAAAAAA=="  # of a handshake; any will do
AT_HALLS: Final = ("peeper",)  # who calls halls themselves, not their edges
BACK: Final = (100 * MILLI, 3 * SECOND)  # from being cut off to calling again


class Fare(Struct, frozen=True):
    """A game that people of a world look for."""

    variant: str
    seats: int
    time: str
    grace: Nanos


class WorldTown(Struct):
    """What people share: the sites to call, and whether the day comes to its end."""

    agenda: WorldAgenda
    net: Network
    fares: tuple[Fare, ...]
    edges: Sequence[int] = (0,)  # the sites where people call
    halls: Sequence[int] = (0,)  # and those where they can call a hall itself
    calm: bool = False  # everybody plays to the end, and begins nothing


class Habits(Struct, frozen=True):
    """How a person behaves: language, patience, number of games, honesty."""

    kind: str  # the language, and what one does in it
    number: int  # among all; which is also where it calls from
    seed: int
    games: int = 2  # that it wants to play
    think: Nanos = 300 * MILLI  # about so long over a move
    flaky: int = 0  # one in so many times it hangs up after hearing something; 0: never
    comes: Nanos = 0  # when it calls first
    honest: bool = True
    framed: bool = False  # whether it speaks in messages of a WebSocket


class WorldPerson(ABC):
    """A person with one connection at a time."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        self.town = town
        self.habits = habits
        self.chance = Chance(habits.seed)
        self.host = f"10.0.{habits.number}.1"
        self.port = PORT
        self.name = f"p{habits.number}"
        self.line: WorldLine | None = None
        self.lines: list[WorldLine] = []
        self.errands: list[WorldLine] = []  # beside those, each for one request over HTTP
        self.gone = False  # for good
        self.left = habits.games  # that it wants to play yet
        self.there = False  # the line stands, and so does a WebSocket where one is wanted
        self._frames: Frames | None = None
        self._head = b""  # of the answer to a handshake

    @abstractmethod
    def begin(self) -> bytes:
        """The first bytes to send on a connection."""

    @abstractmethod
    def hear(self, came: bytes, /) -> None:
        """Take in bytes of the server, and act on them."""

    @abstractmethod
    def hurry(self) -> None:
        """Begin nothing more, and finish: the day comes to its end."""

    # -- calling

    def call(self) -> None:
        """Call the server, unless one does already or has gone."""
        if self.line is None and not self.gone:
            self.line = self.town.net.call(self.host, self.port, self, self.where())
            self.lines.append(self.line)

    def where(self) -> int:
        """The site to call: another one every time, where there are some."""
        sites = self.town.halls if self.habits.kind in AT_HALLS else self.town.edges
        return sites[(self.habits.number + len(self.lines)) % len(sites)]

    def leave(self) -> None:
        """Hang up, and call no more."""
        self.gone = True
        self.hang_up()

    def game_over(self) -> None:
        """Call again for the next game; go for good after the last."""
        self.left -= 1
        if self.left <= 0 or self.town.calm:
            self.leave()
        else:
            self.hang_up()

    def hang_up(self) -> None:
        """Hang up; a person who has not left for good calls again after a while."""
        line, self.line = self.line, None
        self.there = False
        if line is not None:
            line.hang_up()
        if not self.gone:
            self.town.agenda.after(self.chance.between(*BACK), self.call)

    def say(self, words: bytes) -> None:
        """Send bytes, in messages of a WebSocket if there is one, if there is a connection."""
        if self.line is not None and self.there and words:
            framed = b"".join(map(message, words.splitlines())) if self._frames else words
            self.line.send(framed)

    def later(self, wait: Nanos, work: Callable[[], None]) -> None:
        """Do this in a while, if the line still stands then."""
        line = self.line

        def then() -> None:
            if self.line is line and line is not None:
                work()

        self.town.agenda.after(wait, then)

    def pause(self) -> Nanos:
        """How long one thinks: mostly about as long as always, sometimes much longer."""
        think = self.habits.think
        if self.town.calm:
            return self.chance.below(50 * MILLI)
        return self.chance.below(2 * think) * (1 if self.chance.below(12) else 8)

    # -- what the line calls

    def connected(self) -> None:
        """Begin to speak once the server took the call, or first ask for a WebSocket."""
        if self.habits.framed and self.line is not None:
            self._frames, self._head = Frames(), b""
            self.line.send(SHAKE % KEY)
        else:
            self._begin()

    def _begin(self) -> None:
        self.there = True
        self.say(self.begin())

    def heard(self, came: bytes) -> None:
        """Take in bytes from the line; a flaky person may hang up then."""
        words = came if self._frames is None else self._unframed(self._frames, came)
        if words:
            self.hear(words)
        flaky = self.habits.flaky
        if flaky and self.line is not None and not self.town.calm and not self.chance.below(flaky):
            self.hang_up()

    def _unframed(self, frames: Frames, came: bytes) -> bytes:
        """The lines in these bytes of a WebSocket, whose pings and closing are answered."""
        if not self.there:
            self._head, mark, came = (self._head + came).partition(HEAD_ENDS)
            if not mark:
                return b""
            self._begin()
        lines = b""
        for kind, text in frames.feed(came):
            if kind == PINGING and self.line is not None:
                self.line.send(PONG)
            elif kind == CLOSING and self.line is not None:
                self.line.send(PARTING)
            elif kind == TEXT:
                lines += text + b"\n"
        return lines

    def lost(self) -> None:
        """Note that the line is gone, and call again after a while."""
        self.line, self.there = None, False
        if not self.gone:
            self.town.agenda.after(self.chance.between(*BACK), self.call)
