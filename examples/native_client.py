"""A whole client of the native dialect: it plays random legal moves in one game, and goes.

python examples/native_client.py 127.0.0.1 7350 Ann tictactoe
"""

import json
import socket
import sys
from secrets import choice


class Player:
    """Says what to send next, given what the server said."""

    def __init__(self, name, variant, pick=choice):
        self.hello = {"type": "hello", "version": 1, "name": name}
        self.variant, self.pick = variant, pick
        self.table = self.seat = self.reason = None

    def hear(self, message):
        """The request to send after this message, if any; a `reason` means it is over."""
        match message:
            case {"type": "hello"}:
                return {"type": "seek", "variant": self.variant}
            case {"type": "done", "table": int(table), "seat": int(seat)}:
                self.table, self.seat = table, seat
            case {"type": "news", "event": {"type": "ended", "outcome": outcome}}:
                self.reason = outcome["reason"]
            case {"type": "news", "event": {"type": "started" | "played"}, "to_act": to_act}:
                if self.seat in to_act:
                    return {"type": "legal_moves", "table": self.table}
            case {"type": "moves", "moves": [_, *_] as moves}:
                return {"type": "play", "table": self.table, "move": self.pick(moves)}
            case {"type": "refused" | "notice", "sentence": sentence}:
                sys.stderr.write(f"{sentence}\n")
        return None


def main(host, port, name, variant):
    """Play one game on this server."""
    player = Player(name, variant)
    with socket.create_connection((host, int(port))) as line, line.makefile() as wire:
        request = player.hello
        while player.reason is None:
            if request is not None:
                line.sendall((json.dumps(request) + "\n").encode())
            request = player.hear(json.loads(wire.readline()))
    sys.stdout.write(f"{player.reason}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
