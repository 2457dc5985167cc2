"""Players of a tour in the native dialect, who play nim with one stick: who is first wins.

They live in the test's own process and do something only when they are told to, so a test
can hold a tour still in the middle of a match.
"""

import json
import select
import socket
from types import TracebackType
from typing import Any, Self

GAME = "nim rows=1 sticks=1"
PATIENCE = 60.0  # seconds until a test says that nothing comes


class Entrant:
    """One player's connection."""

    def __init__(self, port: int, name: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.name = name
        self.tables: list[int] = []  # where a game began and nobody has moved
        self.over = False  # its tour begins no more matches
        self._part = b""
        self.greeting = self.ask({"type": "hello", "version": 1, "name": name})

    # Any: a line of JSON, as a client in another language would see it.
    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer; what comes before it is taken in."""
        self.say(request)
        while True:
            for told in self.take():
                if not told["type"].endswith("news"):
                    return told

    def say(self, request: dict[str, Any]) -> None:
        """Send it, and do not wait."""
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def take(self) -> list[dict[str, Any]]:
        """What one read brings."""
        came = self.socket.recv(1 << 16)
        assert came, f"the server hung up on {self.name}"
        *lines, self._part = (self._part + came).split(b"\n")
        told = [json.loads(line) for line in lines]
        for message in told:
            event = message.get("event", {}).get("type")
            if event == "started" and "table" in message:
                self.tables.append(message["table"])
            self.over = self.over or event == "tour_closing"
        return told

    def move(self) -> None:
        """Take the stick wherever a game began; whose turn it is not is told so."""
        while self.tables:
            self.say({"type": "play", "table": self.tables.pop(), "move": "0,1"})


class Entrants:
    """Players who have joined, in this order."""

    def __init__(self, port: int, code: str, *names: str) -> None:
        self.all: list[Entrant] = []
        for name in names:
            entrant = Entrant(port, name)
            self.all.append(entrant)
            joined = entrant.ask({"type": "join_tour", "code": code})
            assert joined["type"] == "tour_joined", joined

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for entrant in self.all:
            entrant.socket.close()

    def play(self) -> None:
        """Play every match, until the tour begins no more."""
        while not all(entrant.over for entrant in self.all):
            for entrant in self.all:
                entrant.move()
            self._hear()

    def begin(self) -> None:
        """Wait until somebody sits at a table, and let nobody move."""
        while not any(entrant.tables for entrant in self.all):
            self._hear()

    def _hear(self) -> None:
        ready, _, _ = select.select([one.socket for one in self.all], [], [], PATIENCE)
        assert ready, "nobody is told anything"
        for entrant in self.all:
            if entrant.socket in ready:
                entrant.take()
