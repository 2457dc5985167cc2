"""A whole client of the dialect fish: it plays random legal moves in one game, and goes.

python examples/fish_client.py 127.0.0.1 7350 ann 8
"""

import json
import socket
import sys
from secrets import choice

EVEN = (-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)  # row and column, clockwise from north
ODD = (-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)


class Player:
    """Says what to send next, given what the server said."""

    def __init__(self, name, age, pick=choice):
        self.hello = {"type": "joinGame", "age": age, "id": name}
        self.pick = pick
        self.state = self.end = None

    def hear(self, message):
        """The message to send after this one, if any; an `end` means it is over."""
        match message["type"]:
            case "SendGameState":
                self.state = message["state"]
            case "RequestPlacement":
                row, col = self.pick(sorted(self.free()))
                return {"type": "PlaceAvatar", "x": col, "y": row}
            case "RequestMove":
                (row, col), (to_row, to_col) = self.pick(self.moves())
                tiles = {"fromX": col, "fromY": row, "toX": to_col, "toY": to_row}
                return {"type": "MoveAvatar", **tiles}
            case "NotifyGameOver":
                self.end = message
            case "Error":
                sys.stderr.write(message["message"] + "\n")
        return None

    def free(self):
        """The tiles with fish and no penguin."""
        taken = {tuple(place) for player in self.state["players"] for place in player["places"]}
        rows = enumerate(self.state["board"])
        tiles = {(row, col) for row, fish in rows for col, n in enumerate(fish) if n}
        return tiles - taken

    def moves(self):
        """From where to where one can go; whoever is to act is the first of the players."""
        free, found = self.free(), []
        for start in self.state["players"][0]["places"]:
            for way in range(6):
                row, col = start
                while True:
                    down, right = (ODD if row % 2 else EVEN)[way]
                    row, col = row + down, col + right
                    if (row, col) not in free:
                        break
                    found.append((start, (row, col)))
        return found


def main(host, port, name, age):
    """Play one game on this server."""
    player = Player(name, int(age))
    with socket.create_connection((host, int(port))) as line, line.makefile() as wire:
        request = player.hello
        while player.end is None:
            if request is not None:
                line.sendall((json.dumps(request) + "\n").encode())
            request = player.hear(json.loads(wire.readline()))
    sys.stdout.write(f"{player.end}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
