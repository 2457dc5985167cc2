"""Where a story is played: in a hall alone, on a simulated server, on a real one.

A venue carries lines of the native dialect between the people of a story and a hall, lets time
pass where it can, and looks behind people's backs: each checks at every step what must hold
always, whatever the story is about.
"""

import json
import os
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, Protocol

from rookery.core.chance import Chance
from rookery.core.events import Record
from rookery.core.ids import SessionId
from rookery.dialects import begin
from rookery.dialects.base import Dialect
from rookery.hall.batch import Batch
from rookery.server.config import Settings
from rookery.server.datadir import TOKEN_FILE, read_token
from rookery.store.sqlite import open_for_reading
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.disk import WorldDisk
from rookery_tools.sim.machine.process import HOST, ORGANISER, PORT, advance
from rookery_tools.sim.machine.wires import Network, WorldLine
from rookery_tools.sim.script import WorldScript
from rookery_tools.sim.single_server import SimServer
from tests.hall.house import House
from tests.server.process import Client, serving
from tests.warm import ended

TOKEN: Final = "the organiser's token"
HOME: Final = "10.0.0.1"  # where people call from unless the story says otherwise
SETTLE: Final[Nanos] = 200 * MILLI  # until everything that was sent has been answered
ANSWER_TIMEOUT_S: Final = 30.0
Line = dict[str, Any]  # Any: a JSON object as it came


class Venue(Protocol):
    """What a story needs of the place where it is played."""

    organiser: str  # the token of whoever runs tours

    def connect(self, who: str, host: str) -> None:
        """Open a connection for this person."""

    def send(self, who: str, line: bytes) -> None:
        """Send a line; whatever follows from it has happened when this returns, if it can."""

    def take(self, who: str, least: int) -> list[Line]:
        """What this person was sent since the last time; real servers are waited for."""

    def hang_up(self, who: str) -> None:
        """Close this person's connection."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""

    def restart(self) -> None:
        """Kill the server and start it again; everybody's connection is gone."""

    def records(self) -> list[Record]:
        """The log so far, in order."""

    def finish(self) -> None:
        """The story is over: check what must hold at every end."""

    def close(self) -> None:
        """Leave nothing behind, however the story went."""


# -- a hall alone


class CheckedHall(House):
    """A hall whose every batch is checked (see `House`), and what it wants closed."""

    def __init__(self) -> None:
        self.dismissed: list[SessionId] = []
        super().__init__(organiser=TOKEN)

    def take(self, batch: Batch) -> None:
        """Write and tell a batch; remember whose connection is to be closed."""
        super().take(batch)
        self.dismissed += [one.session for one in batch.dismissals]


class HallVenue:
    """People, their dialects and a hall; time goes from one deadline to the next."""

    organiser = TOKEN

    def __init__(self) -> None:
        self._hall = CheckedHall()
        self._lines: dict[str, tuple[SessionId, Dialect]] = {}
        self._said: dict[str, bytes] = {}

    def connect(self, who: str, host: str) -> None:
        """Open a session with a native dialect of its own."""
        session = self._hall.connect(host)
        self._lines[who] = session, begin("native", self._hall.hall.directory, None)
        self._said[who] = b""

    def send(self, who: str, line: bytes) -> None:
        """Let the dialect read it, the hall decide it, and everyone be told."""
        session, dialect = self._lines[who]
        self._hall.hall.heard(session, self._hall.now)
        for intent in dialect.receive(line, self._hall.now):
            self._hall.reply(session, intent)
            self._tell()
        self._tell()

    def take(self, who: str, least: int) -> list[Line]:  # noqa: ARG002 # all of it is there
        """What the dialect has put on the wire."""
        said, self._said[who] = self._said[who], b""
        return [json.loads(line) for line in said.splitlines()]

    def hang_up(self, who: str) -> None:
        """End the session."""
        session, _ = self._lines.pop(who)
        self._hall.hang_up(session)
        self._tell()

    def wait(self, seconds: float) -> None:
        """Go from deadline to deadline, the hall's and the dialects'."""
        end = self._hall.now + round(seconds * 1_000_000)
        while (due := self._deadline()) is not None and due <= end:
            self._hall.wait(max(0, due - self._hall.now) / 1_000_000)
            for session, dialect in list(self._lines.values()):
                for intent in dialect.tick(self._hall.now):
                    self._hall.reply(session, intent)
            self._tell()
        self._hall.wait((end - self._hall.now) / 1_000_000)
        self._tell()

    def restart(self) -> None:
        """The hall comes back from its log, by a snapshot and without one, alike."""
        self._lines.clear()
        self._hall.restart()

    def records(self) -> list[Record]:
        """The list that is this hall's log."""
        return self._hall.log

    def finish(self) -> None:
        """A restart here leads to the same hall by every way."""
        self._hall.restart()

    def close(self) -> None:
        """A hall is only values."""

    def _deadline(self) -> int | None:
        moments = [dialect.deadline() for _, dialect in self._lines.values()]
        moments.append(self._hall.deadline())
        return min((moment for moment in moments if moment is not None), default=None)

    def _tell(self) -> None:
        """Let every dialect write what its session was sent, until nobody has a question left."""
        asked = True
        while asked:
            asked = False
            for who, (session, dialect) in list(self._lines.items()):
                for message in self._hall.heard(session):
                    for intent in dialect.tell(message):
                        self._hall.reply(session, intent)
                        asked = True
                self._said[who] += dialect.drain()
                if session in self._hall.dismissed or dialect.closing:
                    self.hang_up(who)


# -- the whole server in a simulated world


class Steady(Chance):
    """A network where nothing is left to chance: whole pieces, the shortest way."""

    def below(self, bound: int) -> int:
        """The largest, which keeps what is sent in one piece."""
        return bound - 1

    def between(self, low: int, high: int) -> int:  # noqa: ARG002
        """The least."""
        return low


class Ear:
    """One person's end of a simulated connection."""

    def __init__(self) -> None:
        self.said = b""
        self.open = True

    def connected(self) -> None:
        """Nothing is said unasked."""

    def heard(self, came: bytes) -> None:
        """Keep what came."""
        self.said += came

    def lost(self) -> None:
        """The server closed the connection."""
        self.open = False


class WorldVenue:
    """The server itself, on a simulated machine: its sockets, its disk and its clocks."""

    organiser = ORGANISER

    def __init__(self, folder: Path) -> None:
        self._agenda = WorldAgenda()
        self._chance = Chance(1)
        counts: Counter[str] = Counter()
        self._net = Network(self._agenda, Steady(1), counts)
        settings = Settings(host=HOST, port=PORT, hold_minutes=1, house={"enabled": False})
        script = WorldScript(seed=1, fares=(), people=(), faults=())
        self._disk = WorldDisk(self._agenda, Chance(2), folder, counts)
        self._server = SimServer(self._net, self._disk, Chance(3), settings, script)
        self._lines: dict[str, tuple[WorldLine, Ear]] = {}
        self._server.start()
        self._pass(SETTLE)

    def connect(self, who: str, host: str) -> None:
        """Call the server."""
        ear = Ear()
        self._lines[who] = self._net.call(host, PORT, ear), ear
        self._pass(SETTLE)

    def send(self, who: str, line: bytes) -> None:
        """Send it, and wait as long as an answer takes on this network."""
        self._lines[who][0].send(line)
        self._pass(SETTLE)

    def take(self, who: str, least: int) -> list[Line]:  # noqa: ARG002 # it has come by now
        """What has come."""
        _, ear = self._lines[who]
        said, ear.said = ear.said, b""
        return [json.loads(line) for line in said.splitlines()]

    def hang_up(self, who: str) -> None:
        """Close it at this end."""
        self._lines.pop(who)[0].hang_up()
        self._pass(SETTLE)

    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""
        self._pass(round(seconds * SECOND))

    def restart(self) -> None:
        """Kill the process, whatever it does, and wait until another listens."""
        self._lines.clear()
        self._server.kill()
        lives = self._server.seen.lives
        while self._server.seen.lives == lives:
            self._pass(SETTLE)
        self._pass(SECOND)

    def records(self) -> list[Record]:
        """The log as another process reads it."""
        with closing(open_for_reading(self._disk.folder / "rookery.db")) as log:
            return list(log.read())

    def finish(self) -> None:
        """The server made no mistake of its own, and could always start."""
        self._server.end()
        assert self._server.seen.mistakes == []
        assert self._server.seen.refusals == []

    def close(self) -> None:
        """End the process, if it runs."""
        self._server.end()

    def _pass(self, length: Nanos) -> None:
        end = self._agenda.now + length
        while self._agenda.now < end:
            advance(self._agenda, (self._server,), self._chance, end)
        assert self._server.seen.mistakes == []


# -- a real server


class ProcessVenue:
    """A server in a process of its own, with sockets; time passes there as it likes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._exits = ExitStack()
        self._server = self._exits.enter_context(serving(folder))
        self.organiser = read_token(folder / TOKEN_FILE)
        self._lines: dict[str, Client] = {}
        self._parts: dict[str, bytes] = {}

    def connect(self, who: str, host: str) -> None:  # noqa: ARG002 # all of it is this machine
        """Open a socket."""
        self._lines[who] = self._server.call()
        self._parts[who] = b""

    def send(self, who: str, line: bytes) -> None:
        """Send it; its answer is waited for where it is looked at."""
        self._lines[who].say_bytes(line)

    def take(self, who: str, least: int) -> list[Line]:
        """What came, and at least so many lines, waited for."""
        found: list[Line] = []
        client = self._lines[who].socket
        client.settimeout(ANSWER_TIMEOUT_S)
        while len(found) < least or self._parts[who]:
            try:
                piece = client.recv(1 << 16)
            except TimeoutError:
                break
            if not piece:
                break
            *lines, self._parts[who] = (self._parts[who] + piece).split(b"\n")
            found += [json.loads(line) for line in lines]
        return found

    def hang_up(self, who: str) -> None:
        """Close the socket."""
        self._lines.pop(who).close()

    def wait(self, seconds: float) -> None:  # noqa: ARG002
        """Nothing waits here: stories in which time passes are played elsewhere."""
        raise AssertionError("a real server's time is nobody's to set")

    def restart(self) -> None:
        """Kill -9, and another process in the same folder."""
        self._lines.clear()
        self._exits.close()
        self._server = self._exits.enter_context(serving(self._folder))

    def records(self) -> list[Record]:
        """The log as another process reads it."""
        with closing(open_for_reading(self._folder / "rookery.db")) as log:
            return list(log.read())

    def finish(self) -> None:
        """It stops cleanly, and its log is sound."""
        assert self._server.stop() == 0, self._server.complaints()
        self._exits.close()
        verified = ended("verify", "--data", str(self._folder), env=os.environ)
        assert "All is well." in verified.stdout, verified.stdout + verified.stderr

    def close(self) -> None:
        """Kill it, if it runs."""
        self._exits.close()
