"""Players of a tourney tournament who outlive their server, and remember every match.

An entrant joins once, moves on every state that is its turn, and when the server was killed
comes back by its number. It remembers of each match all states it was told, the moves that
were praised, and the results: what must be in the log, in this order, when all is over.
"""

import socket

from rookery.core.chance import Chance
from tests.server.process import PATIENCE

Pairing = tuple[str, str]  # the names of home and away: each pair meets once so


class Memory:
    """One match as one of its players was told of it. It mutates."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.made: list[str] = []  # moves that were praised
        self.trying: str | None = None  # the move that we sent and heard nothing of
        self.results: list[str] = []


class TourneyClient:
    """One connection at a time, in the tourney dialect. It mutates."""

    def __init__(self, name: str, chance: Chance) -> None:
        self.name = name
        self.chance = chance
        self.number: int | None = None
        self.matches: dict[Pairing, Memory] = {}
        self.joined = False
        self.ended = 0  # how often we were told that the tournament is over
        self.errors: list[str] = []
        self.answers: list[str] = []  # what is not about matches
        self._now: Pairing | None = None
        self._role = ""
        self._socket: socket.socket | None = None
        self._rest = ""

    def fileno(self) -> int:
        """For those who wait for several at once."""
        assert self._socket is not None
        return self._socket.fileno()

    def arrive(self, port: int) -> None:
        """Be who we were, by a new connection."""
        self.close()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._rest, self._now = "", None
        if self.number is None:
            self.say("@NEW PLAYER", f"@NAME:{self.name}")
        else:
            self.say(f"@PLAYER:{self.number}")
        while not any(answer.startswith("@PID:") for answer in self.answers):
            self.take()
        (pid,) = [answer for answer in self.answers if answer.startswith("@PID:")]
        self.answers.remove(pid)
        self.number = int(pid.partition(":")[2])

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()

    def say(self, *lines: str) -> None:
        """Send these, in one piece; to a server that is gone, nothing."""
        assert self._socket is not None
        try:
            self._socket.sendall("".join(f"{line}\n" for line in lines).encode())
        except ConnectionError:
            return

    def ask(self, line: str) -> str:
        """The answer to this."""
        self.say(line)
        while not self.answers:
            assert self.take(), "the server answers"
        return self.answers.pop(0)

    def take(self) -> int:
        """Take in what one read brings; how many lines, none when the server is gone."""
        assert self._socket is not None
        try:
            words = self._socket.recv(1 << 16)
        except ConnectionError:
            words = b""
        *lines, self._rest = (self._rest + words.decode()).split("\n")
        for line in lines:
            self._hear(line)
        return len(lines) if words else 0

    def bereave(self) -> None:
        """The server is dead; hear what it had still sent, and answer nothing."""
        while self.take():
            pass

    # -- hearing

    def _hear(self, line: str) -> None:
        match line.split(":", 3):
            case ["@GAME", "START", role, opponent]:
                pairing = (self.name, opponent) if role == "H" else (opponent, self.name)
                self._now, self._role = pairing, role
                self.matches.setdefault(pairing, Memory())
            case ["@GAME", "STATE", state]:
                self._move(state)
            case ["@GAME", "MESSAGE", *_] if self._memory.trying is not None:
                self._memory.made.append(self._memory.trying)
                self._memory.trying = None
            case ["@GAME", "MESSAGE", *_]:
                pass  # why the other lost
            case ["@GAME", "RESULT", result]:
                self._memory.results.append(result)
                self._now = None
            case ["@TOUR", "END"]:
                self.ended += 1
            case ["@ERROR", *_] | ["@GAME", "ERROR", *_]:
                self.errors.append(line)
            case _:
                self.answers.append(line)

    @property
    def _memory(self) -> Memory:
        assert self._now is not None, "a match is told of after its start"
        return self.matches[self._now]

    def _move(self, state: str) -> None:
        memory = self._memory
        memory.states.append(state)
        memory.trying = None  # the state we were told says whether it was made
        turn, _, *rows = state.split(",")
        if turn != {"H": "0", "A": "1"}[self._role]:
            return
        row = self.chance.choice([n for n, sticks in enumerate(rows) if sticks != "0"])
        memory.trying = f"{row},{self.chance.between(1, int(rows[row]))}"
        self.say(f"@GAME:MOVE:{memory.trying}")
