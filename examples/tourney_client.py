"""A whole client of the tourney dialect: a nim bot that joins a tournament and plays its matches.

python examples/tourney_client.py 127.0.0.1 1350 Ann
"""

import socket
import sys
from secrets import choice


class Player:
    """Says what to send next, given a line of the server."""

    def __init__(self, name, pick=choice):
        self.first = ["@NEW PLAYER", f"@NAME:{name}", "@TOUR:JOIN"]
        self.pick = pick
        self.role = self.id = None
        self.results = []
        self.over = False

    def hear(self, line):
        """The lines to send after this one."""
        match line.split(":"):
            case ["@PING"]:
                return ["@PONG"]
            case ["@PID", number, *_]:
                self.id = number  # `@PLAYER:` and this make you the same player again
            case ["@GAME", "START", role, _]:
                self.role = role
            case ["@GAME", "STATE", state]:
                return self.move([int(number) for number in state.split(",")])
            case ["@GAME", "RESULT", winner]:
                self.results.append("tied" if winner == "T" else winner == self.role)
            case ["@TOUR", "END"]:
                self.over = True
            case ["@ERROR" | "@MESSAGE", text] | ["@GAME", "ERROR" | "MESSAGE", text]:
                sys.stderr.write(f"{text}\n")
        return []

    def move(self, state):
        """Any number of sticks from any row that has some, if it is our turn."""
        turn, _, *rows = state
        if "HA"[turn] != self.role:
            return []
        row = self.pick([row for row, sticks in enumerate(rows) if sticks])
        return [f"@GAME:MOVE:{row},{self.pick(range(1, rows[row] + 1))}"]


def main(host, port, name):
    """Play on this server until the tournament ends."""
    player = Player(name)
    lines = player.first
    with socket.create_connection((host, int(port))) as calls, calls.makefile() as wire:
        while not player.over:
            calls.sendall("".join(f"{line}\n" for line in lines).encode())
            lines = player.hear(wire.readline().rstrip("\n"))
    sys.stdout.write(f"{player.results.count(True)} of {len(player.results)} won\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
