"""Quick opponents for house bots: `python -m rookery_tools.bench.load.opponents PORT TABLES`.

They sit down at so many tables of reversi, wait until bots have joined them, and say so on
a line. They answer every move after a fifth of a second with the first move they have: quicker
than any person, so that no bot waits for them to look. At a bot's first move they say so on
another line. They play again when a game is over, until their standard input ends; then they say
how many moves the bots made. A process of its own, below everyone else: it stands for people who
play elsewhere.
"""

import os
import select
import socket
import sys
from collections import deque
from time import perf_counter
from typing import Final

from rookery.clients.native import NativeClient
from rookery.clients.native.words import Hello, Told
from rookery.core.chance import Chance
from rookery.core.events import Ended, Played, Sat, Started
from rookery.core.ids import Seat, TableId
from rookery.core.intents import Open, Play, Rematch
from rookery.games.reversi import Reversi, State
from rookery_tools.bench.load.load import connect

GAME: Final = Reversi()
EACH: Final = 50  # tables a player; the hall lets nobody have more
NICE: Final = 10
PAUSE: Final = 0.2  # seconds


class LoadOpponent:
    """One player with a connection, at many tables."""

    def __init__(self, port: int, tables: int) -> None:
        self.connection: socket.socket = connect(port)
        self.begun = 0  # games
        self.faced = 0  # moves of bots
        self._client = NativeClient()
        self._seats: dict[TableId, Seat] = {}
        self._states: dict[TableId, State] = {}
        self._due: deque[tuple[float, Play | Rematch]] = deque()  # what it will say, and when
        hello = self._client.ask(Hello(name="Somebody"))
        opening = (self._client.ask(Open("reversi", time="1h")) for _ in range(tables))
        self.connection.sendall(hello + b"".join(opening))

    def hear(self) -> bool:
        """Answer what has come; whether the server is still there."""
        words = self.connection.recv(1 << 18)
        when = perf_counter() + PAUSE
        for one in self._client.hear(words):
            if isinstance(one, Told) and (answer := self._answer(one)):
                self._due.append((when, answer))
        return bool(words)

    def speak(self) -> float:
        """Say what is due; the seconds until there is more to say."""
        now = perf_counter()
        while self._due and self._due[0][0] <= now:
            self.connection.sendall(self._client.ask(self._due.popleft()[1]))
        return self._due[0][0] - now if self._due else PAUSE

    def _answer(self, told: Told) -> Play | Rematch | None:
        table, me = told.table, self._client.me
        match told.event:
            case Sat(seat, player) if me is not None and player == me.player:
                self._seats[table] = seat
            case Started():
                self.begun += 1
                self._states[table] = GAME.start(2, Chance(0))
            case Played(seat, move):
                self._states[table] = _after(self._states[table], seat, move)
                self.faced += seat != self._seats[table]
            case Ended():
                del self._states[table], self._seats[table]
                return Rematch(table)
            case _:
                pass
        if table in self._states and self._seats[table] in told.to_act:
            first = next(iter(GAME.legal_moves(self._states[table], self._seats[table])))
            return Play(table, GAME.format_move(first))
        return None


def _after(state: State, seat: Seat, move: str) -> State:
    return GAME.play(state, seat, GAME.parse_move(move)).state


def main(port: int, tables: int) -> None:
    """Play against the bots until standard input ends, or the server is gone."""
    os.nice(NICE)
    whole, rest = divmod(tables, EACH)
    shares = [EACH] * whole + [rest] * bool(rest)
    opponents = {one.connection.fileno(): one for one in (LoadOpponent(port, n) for n in shares)}
    began, faced, ready, moved = 0.0, 0, False, False
    while True:
        pause = min(one.speak() for one in opponents.values())
        readable, _, _ = select.select([sys.stdin.fileno(), *opponents], [], [], pause)
        if sys.stdin.fileno() in readable:
            break
        if not all(opponents[fd].hear() for fd in readable):
            return  # the server is gone, and the process that started us finds out
        if not ready and sum(one.begun for one in opponents.values()) >= tables:
            ready = True
            began, faced = perf_counter(), sum(one.faced for one in opponents.values())
            print("ready", flush=True)  # noqa: T201 # to the process that started us
        if ready and not moved and sum(one.faced for one in opponents.values()) > faced:
            moved = True
            print("moved", flush=True)  # noqa: T201
    moves = sum(one.faced for one in opponents.values()) - faced
    print(f"{moves} {perf_counter() - began:.3f}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
