"""A whole client of the bughouse dialect: it guesses moves until the game is over.

The first one started creates a game; start three more, and they join it.

python examples/bughouse_client.py 127.0.0.1 3333 Ann
"""

import socket
import sys
from collections import deque
from random import choice

SQUARES = [(x, y) for x in range(8) for y in range(8)]


class Player:
    """Says what to send next, given a line the server said. One request at a time."""

    def __init__(self, name, pick=choice):
        self.pick, self.team, self.winners = pick, 1, None
        self.me = self.game = self.board = None
        self.todo, self.asked = deque([f"ADD_PLAYER:{name}"]), None

    def hear(self, line=None):
        """The request to send after this line, if any; `winners` mean that it is over."""
        if line is not None and line.startswith("BROADCAST:"):
            verb, _, rest = line.removeprefix("BROADCAST:").partition(":")
            self.news(verb, rest.split("\t"))
        elif line is not None:
            self.answer(self.asked.partition(":")[0], line)
            self.asked = None
        if self.asked is None and self.todo:
            self.asked = self.todo.popleft()
            if self.asked == "MOVE":
                self.asked = self.guess()
            return self.asked
        return None

    def answer(self, asked, line):
        """What an answer means depends on what was asked."""
        if asked == "ADD_PLAYER":
            self.me = line
            self.todo.append("GET_GAMES:")
        elif asked == "GET_GAMES":
            self.game = line.split("\t")[0]
            join = f"JOIN_GAME:{self.me}\t{self.game}\t{self.team}"
            self.todo.append(join if line else f"CREATE_GAME:{self.me}")
        elif asked == "CREATE_GAME":
            self.game = line
        elif line == "GAME_FULL":  # or our team is: try the other one
            self.team = 3 - self.team
            self.todo.append("GET_GAMES:")
        elif asked == "GET_CURRENT_BOARD":
            self.board = line
        elif asked == "IS_WHITE":
            self.own = {(x, y) for x, y in SQUARES if y in ((0, 1) if line == "true" else (6, 7))}
            self.moves = self.think_of_moves()

    def news(self, verb, fields):
        """What comes unasked. The fields of MOVE are a board and two squares."""
        if verb == "JOIN_GAME" and fields[1] == self.game:
            self.todo.append(f"START_GAME:{self.game}")  # NOT_READY until there are four
        elif verb == "GAME_STARTED" and fields == [self.game]:
            self.todo += [f"GET_CURRENT_BOARD:{self.me}", f"IS_WHITE:{self.me}"]
        elif verb == "YOUR_TURN":  # also after a move that was refused
            self.todo.append("MOVE")
        elif verb == "MOVE" and fields[0] == self.board:
            _, fx, fy, tx, ty = map(int, fields)
            moved = (fx, fy) in self.own
            self.own -= {(fx, fy), (tx, ty)}
            self.own |= {(tx, ty)} if moved else set()
            self.moves = self.think_of_moves()
        elif verb == "GAME_OVER":
            self.winners = fields[1:]

    def think_of_moves(self):
        """From every square of ours to every other; there is no list of the legal ones."""
        free = [to for to in SQUARES if to not in self.own]
        return [(*start, *to) for start in sorted(self.own) for to in free]

    def guess(self):
        """A move that was not refused yet."""
        if not self.moves:
            return f"QUIT:{self.me}"
        move = self.pick(self.moves)
        self.moves.remove(move)
        return "MOVE:" + "\t".join(map(str, (self.board, *move)))


def main(host, port, name):
    """Play one game on this server."""
    player = Player(name)
    with socket.create_connection((host, int(port))) as line, line.makefile() as said:
        request = player.hear()
        while player.winners is None:
            if request is not None:
                line.sendall(f"{request}\n".encode())
            request = player.hear(said.readline().rstrip("\n"))
    sys.stdout.write(f"{' and '.join(player.winners)} won.\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
