"""A whole client of the tourney dialect: a nim bot that joins a tournament and plays its matches.

python examples/tourney_client.py 127.0.0.1 1350 Ann [CODE [SECONDS]]

SECONDS is how long it thinks before a move. When the server was away it comes back by
itself, as the same player.
"""

import socket
import sys
import time
from secrets import choice


class Player:
    """Says what to send next, given a line of the server."""

    def __init__(self, name, code="", pick=choice):
        join = f"@TOUR:JOIN:{code}" if code else "@TOUR:JOIN"
        self.first = ["@NEW PLAYER", f"@NAME:{name}", join]
        self.pick = pick
        self.role = self.id = None
        self.results = []
        self.playing = self.ended = False

    @property
    def over(self):
        """Whether the tournament is, and with it our last match: that one still counts."""
        return self.ended and not self.playing

    def hear(self, line):
        """The lines to send after this one."""
        match line.split(":"):
            case ["@PING"]:
                return ["@PONG"]
            case ["@PID", number, *_]:
                self.id = number
                self.first = [f"@PLAYER:{number}"]  # makes us the same player again
            case ["@GAME", "START", role, _]:
                self.role, self.playing = role, True
            case ["@GAME", "STATE", state]:
                return self.move([int(number) for number in state.split(",")])
            case ["@GAME", "RESULT", winner]:
                self.results.append("tied" if winner == "T" else winner == self.role)
                self.playing = False
            case ["@TOUR", "END"]:
                self.ended = True
            case ["@ERROR", text]:
                sys.exit(text)  # as when there is no tournament to join
            case ["@GAME", "ERROR", text]:
                sys.stderr.write(f"{text}\n")
        return []

    def move(self, state):
        """Any number of sticks from any row that has some, if it is our turn."""
        turn, _, *rows = state
        if "HA"[turn] != self.role:
            return []
        row = self.pick([row for row, sticks in enumerate(rows) if sticks])
        return [f"@GAME:MOVE:{row},{self.pick(range(1, rows[row] + 1))}"]


def main(host, port, name, code="", seconds="0"):
    """Play on this server until the tournament ends."""
    player = Player(name, code)
    while not player.over:
        try:
            with socket.create_connection((host, int(port))) as calls:
                talk(calls, player, float(seconds))
        except OSError as wrong:
            if player.id is None:
                sys.exit(f"There is no server: {wrong}")
        if not player.over:
            time.sleep(1)  # our seat, and our clock, wait for us
    sys.stdout.write(f"{player.results.count(True)} of {len(player.results)} won\n")


def talk(calls, player, seconds):
    """Answer whatever comes until it is over, or the server goes."""
    lines = player.first
    with calls.makefile() as wire:
        while not player.over:
            calls.sendall("".join(f"{line}\n" for line in lines).encode())
            line = wire.readline()
            if not line:
                return
            lines = player.hear(line.rstrip("\n"))
            if lines and lines[0].startswith("@GAME:MOVE"):
                time.sleep(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
