"""A whole client of the dialect fishcom: it signs up, answers every call, and goes.

python examples/fishcom_client.py 127.0.0.1 7350 ann
"""

import json
import socket
import sys
from secrets import choice

EVEN = (-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)  # row and column, clockwise from north
ODD = (-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)


class Player:
    """Says what to answer to a call."""

    def __init__(self, name, pick=choice):
        self.name, self.pick = name, pick
        self.won = None

    def hear(self, call):
        """The answer to this call; after `end`, `won` says how it went."""
        match call:
            case ["setup", [state]]:
                return self.pick(sorted(free(state)))
            case ["take-turn", [state, _]]:
                return self.pick(list(moves(state)))
            case ["end", [won]]:
                self.won = won
        return "void"


def free(state):
    """The tiles with fish and no penguin."""
    taken = {tuple(place) for player in state["players"] for place in player["places"]}
    rows = enumerate(state["board"])
    return {(row, col) for row, fish in rows for col, n in enumerate(fish) if n} - taken


def moves(state):
    """From where to where one can go; whoever is called is the first of the players."""
    tiles = free(state)
    for start in state["players"][0]["places"]:
        for way in range(6):
            row, col = start
            while True:
                down, right = (ODD if row % 2 else EVEN)[way]
                row, col = row + down, col + right
                if (row, col) not in tiles:
                    break
                yield start, (row, col)


def read(line):
    """The calls that come on this line, cut anywhere; there is only one at a time."""
    text = ""
    while heard := line.recv(4096):
        text += heard.decode()
        try:
            call = json.loads(text)
        except ValueError:
            continue  # the rest of it is on its way
        text = ""
        yield call


def main(host, port, name):
    """Play one tournament on this server."""
    player = Player(name)
    with socket.create_connection((host, int(port))) as line:
        line.sendall(json.dumps(name).encode())
        for call in read(line):
            line.sendall(json.dumps(player.hear(call)).encode())
    sys.stdout.write({True: "won\n", False: "not won\n", None: "removed\n"}[player.won])


if __name__ == "__main__":
    main(*sys.argv[1:])
