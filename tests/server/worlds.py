"""A server in a world of its own, whose time passes as a test says, and people who call it.

The server is the real one, on a machine that is made up: bytes go in and come out, and what
is counted or timed is the same on every machine.
"""

from collections import Counter
from pathlib import Path

from rookery.core.chance import Chance
from rookery.server.config import Settings
from rookery_tools.sim.machine.agenda import MICRO, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.process import HOST, PORT
from rookery_tools.sim.machine.wires import Network, WorldLine
from rookery_tools.sim.script import Fault, WorldScript
from rookery_tools.sim.single_server import SingleServer

HELLO = b'{"type":"hello","version":1,"name":"%s"}\n'


class Caller:
    """A person at a line, who does nothing but what it is told to. It mutates."""

    def __init__(self, world: "World", host: str, opens: bytes) -> None:
        self.world, self.opens = world, opens
        self.said = b""  # by the server
        self.line: WorldLine = world.net.call(host, PORT, self)
        self.line.latency = 20 * MICRO
        self.line.window = 1 << 30

    def connected(self) -> None:
        """Say the first words."""
        self.say(self.opens)

    def heard(self, came: bytes) -> None:
        """Keep it."""
        self.said += came

    def lost(self) -> None:
        """It does not matter."""

    def say(self, words: bytes) -> None:
        """Send this."""
        if words:
            self.line.send(words)


class World:
    """A server, and time. It mutates."""

    def __init__(self, place: Path) -> None:
        self.agenda = WorldAgenda()
        self.net = Network(self.agenda, Chance(1), Counter())
        script = WorldScript(1, (), (), ())
        settings = Settings(host=HOST, port=PORT, house={"enabled": False})
        self.server = SingleServer(script, self.net, Chance(2), settings, place)
        self.server.start()
        self.runs(SECOND)

    def runs(self, time: Nanos) -> None:
        """So much time passes."""
        until = self.agenda.now + time
        while self.agenda.now < until:
            self.server.step(until)
        assert self.server.seen.mistakes == []

    def restart(self) -> None:
        """The server is stopped, and comes back with what its log says."""
        self.server.go_wrong(Fault("stop", self.agenda.now))
        self.runs(5 * SECOND)
