"""A whole client of the othello dialect: it plays random legal moves in one game, and goes.

python examples/othello_client.py 127.0.0.1 7350
"""

import socket
import sys
from secrets import choice


class Player:
    """Says what to send next, given a frame of the server."""

    def __init__(self, pick=choice):
        self.pick = pick
        self.colour = self.winner = self.board = None

    def hear(self, frame):
        """The frame to send after this one, if any; a `winner` means it is over."""
        kind, payload = frame[:1], frame[1:]
        if kind == "1":
            self.colour = payload
        elif kind == "4":
            self.board = payload
            return self.move() if payload[64] == self.colour else None
        elif kind == "5":
            self.winner = payload
        else:
            sys.stderr.write(f"{payload}\n")
        return None

    def move(self):
        """Any square where a disc turns others over."""
        able = [(x, y) for x in range(8) for y in range(8) if self.encloses(x, y)]
        x, y = self.pick(able)
        return f"2{x}{y}"

    def encloses(self, x, y):
        """Whether a disc here turns others over."""
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        return self.at(x, y) == "0" and any(self.line(x, y, dx, dy) for dx, dy in steps)

    def line(self, x, y, dx, dy):
        """How many discs are turned over in this direction."""
        seen, x, y = 0, x + dx, y + dy
        while self.at(x, y) not in ("", "0", self.colour):
            seen, x, y = seen + 1, x + dx, y + dy
        return seen if self.at(x, y) == self.colour else 0

    def at(self, x, y):
        """The digit of this square; nothing outside the board."""
        return self.board[y * 8 + x] if 0 <= x < 8 and 0 <= y < 8 else ""


def main(host, port):
    """Play one game on this server."""
    player, frame = Player(), "1"
    with socket.create_connection((host, int(port))) as line, line.makefile() as wire:
        while player.winner is None:
            if frame is not None:
                line.sendall(f"{frame}\n".encode())
            frame = player.hear(wire.readline().rstrip("\n"))
    result = {"0": "a draw", player.colour: "I won"}.get(player.winner, "I lost")
    sys.stdout.write(f"{result}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
