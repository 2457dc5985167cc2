"""A whole client of the blackwhite dialect: it plays one game on squares it tries, and goes.

python examples/blackwhite_client.py 127.0.0.1 7350 pl1
"""

import re
import socket
import sys
from secrets import choice

LINE = re.compile(r"([A-Z]+)(?: \[(.*)\])?")
SQUARES = {f"{x},{y}" for x in range(10) for y in range(10)} - {"4,4", "5,5", "4,5", "5,4"}


class Player:
    """Says what to send next, given a line of the server."""

    def __init__(self, name, pick=choice):
        self.name, self.pick = name, pick
        self.colour = self.result = None
        self.empty, self.untried = set(SQUARES), []

    def hear(self, line):
        """The line to send after this one, if any; a `result` means it is over."""
        word, inside = LINE.fullmatch(line).groups()
        if word == "ASSIGN":
            self.colour = inside
        elif word in ("WIN", "TIE"):
            self.result = line
        elif word == "ERROR":
            sys.stderr.write(f"{inside}\n")
        elif word.startswith("PLAY") and inside != "INVALID":
            self.empty.discard(inside)
        elif word == "TURN" and inside == self.name:
            self.untried = sorted(self.empty)
            return self.attempt()
        elif word.startswith("PLAY"):
            return self.attempt()  # an invalid move costs nothing
        return None

    def attempt(self):
        """A move on some square that has not been tried this turn."""
        square = self.pick(self.untried)
        self.untried.remove(square)
        return f"PLAY{self.colour} [{square}]"


def main(host, port, name):
    """Play one game on this server, in the room lobby."""
    player, line = Player(name), f"ENTERROOM [{name}]"
    with socket.create_connection((host, int(port))) as calls, calls.makefile() as wire:
        while player.result is None:
            if line is not None:
                calls.sendall(f"{line}\n".encode())
            line = player.hear(wire.readline().rstrip("\n"))
    sys.stdout.write(f"{player.result}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
