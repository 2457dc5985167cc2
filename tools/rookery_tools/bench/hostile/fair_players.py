"""Pairs of players with short clocks, who keep their own account of their time.

Each player plays tictactoe to a draw with moves that are known beforehand, and thinks a little
before each. For a move it counts the most that can be its own time: from the moment the turn
can first have been at its socket, its own waiting for a processor and all, to the moment its
move had left. A player who is charged more than that was robbed. All players are one process:
`python -m rookery_tools.bench.hostile.fair_players port pairs games`, which prints what it found as
one line of JSON.
"""

import select
import socket
import struct
import sys
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from time import monotonic_ns, time_ns
from typing import Final

import msgspec
from msgspec import Struct

from rookery.clients.native import Answered, Happening, NativeClient
from rookery.clients.native.words import Hello, Request, Told
from rookery.core.events import Ended, Out, Played, Started
from rookery.core.ids import Seat, TableId
from rookery.core.intents import Open, Play, Sit
from rookery.core.messages import Done, Refused
from rookery_tools.bench.load.load import connect
from rookery_tools.bench.load.processes import CannotMeasure

BASE: Final = 200_000  # microseconds: 0.2 s
EXTRA: Final = 2_000  # for each move
TIME: Final = "0.2s+2ms"
MOVES: Final = ("0", "2", "1", "3", "5", "4", "6", "7", "8")  # a draw
LATE: Final = ("over", "not_your_turn")  # why a move may be refused, for a flag fell before it
THINK: Final = 10_000  # microseconds at the most
PATIENCE: Final = 60.0  # seconds without a word from the server
BUFFER: Final = 1 << 16
NANOS: Final = 1_000
SO_TIMESTAMPNS: Final = 35  # Linux: with what is read comes when it was there
NOTES: Final = 64  # bytes for that
DELAYS: Final = Path("/proc/thread-self/schedstat")


class Account(Struct):
    """What the players found of their clocks."""

    games: int = 0
    moves: int = 0
    flags: int = 0  # that fell
    robbed: int = 0  # of these, with time left by the player's own account
    over: int = 0  # moves for which more was charged than was the player's own
    worst: int = 0  # the most that one was charged too much, in microseconds
    charged: int = 0  # all in all
    own: int = 0  # the players' own time, all in all


class FairPlayer:
    """One player with its connection and its own account of time."""

    def __init__(self, connection: socket.socket, seat: Seat) -> None:
        self.socket = connection
        self.client = NativeClient()
        self.seat = seat
        self.other: FairPlayer
        self.left = BASE
        self.table: TableId | None = None  # that it opened, while a game is played there
        self.played = 0  # moves at this table, of both
        self.games = 0
        self.came: int | None = None  # when its turn did, at the earliest
        self.spent: int | None = None  # for the move it sent last, by its own account

    def ask(self, request: Request) -> None:
        """Send this request."""
        self.socket.sendall(self.client.ask(request))


class Loop:
    """Runs all players in one thread."""

    def __init__(self, port: int, pairs: int, games: int) -> None:
        self._games, self._left = games, pairs
        self._chance = Random(games)  # noqa: S311 # how long they think
        self._due: list[tuple[int, int]] = []  # who has thought enough, when
        self._players: dict[int, FairPlayer] = {}
        self._looked, self._delayed = _micros(), _delays()
        self._epoll = select.epoll()
        self.account = Account()
        for _ in range(pairs):
            first, second = FairPlayer(connect(port), Seat(0)), FairPlayer(connect(port), Seat(1))
            first.other, second.other = second, first
            for one in (first, second):
                self._players[one.socket.fileno()] = one
                one.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
                self._epoll.register(one.socket.fileno(), select.EPOLLIN)
                one.ask(Hello(name="player"))
            self._open(first)

    def run(self) -> Account:
        """Play everything. Raises CannotMeasure."""
        while self._left:
            came, found = self._look()
            for file, _ in found:
                self._hear(self._players[file], came)
            while self._due and self._due[0][0] <= _micros():
                self._move(self._players[heappop(self._due)[1]])
        return self.account

    def _look(self) -> tuple[int, list[tuple[int, int]]]:
        """The sockets that can be read, and when their bytes can have come at the earliest."""
        before, now = self._looked, _micros()
        found = self._epoll.poll(0)
        self._looked = now
        if found:
            return before, found
        wait = min(PATIENCE, (self._due[0][0] - now) / 1e6) if self._due else PATIENCE
        now = _micros()
        found = self._epoll.poll(max(0.0, wait))
        self._looked, delayed = _micros(), _delays()
        waited, self._delayed, late = self._looked - now, delayed, delayed - self._delayed
        if not found and not self._due:
            raise CannotMeasure("The server fell silent in the middle of a game.")
        return self._looked - min(waited, late), found

    def _hear(self, player: FairPlayer, came: int) -> None:
        heard, notes, _, _ = player.socket.recvmsg(BUFFER, NOTES)
        came = min(came, *(_sent_at(note) for _, _, note in notes)) if notes else came
        if not heard:
            raise CannotMeasure("The server hung up in the middle of a game.")
        for one in player.client.hear(heard):
            self._take(player, one, came)

    def _take(self, player: FairPlayer, heard: Happening, came: int) -> None:
        match heard:
            case Answered(answer=Refused(code, sentence)) if code not in LATE:
                raise CannotMeasure(f"The server under test says: {sentence}")
            case Answered(Open(), Done(int(table))):
                player.table = TableId(table)
                player.other.ask(Sit(player.table))
            case Told(table) if table in (player.table, player.other.table):
                self._learn(player, heard, came)
            case _:
                pass

    def _learn(self, player: FairPlayer, told: Told, came: int) -> None:
        match told.event:
            case Played(seat, spent=spent):
                player.played += 1
                if seat == player.seat:
                    self._charged(player, spent)
            case Out(seat) if seat == player.seat:
                self._flagged(player)
            case Ended() if player.seat == 0:
                self._over(player)
            case _:
                pass
        if player.seat in told.to_act and isinstance(told.event, Started | Played):
            player.came = came
            think = self._chance.randrange(THINK)
            heappush(self._due, (_micros() + think, player.socket.fileno()))

    def _move(self, player: FairPlayer) -> None:
        if player.came is None:
            return  # the game is over
        table = player.table or player.other.table
        assert table is not None, "who has a turn plays at a table"
        player.ask(Play(table, MOVES[player.played]))
        player.spent, player.came = _micros() - player.came, None

    def _charged(self, player: FairPlayer, charged: int) -> None:
        account, spent = self.account, player.spent or 0
        player.left = max(0, player.left - spent) + EXTRA
        account.moves += 1
        account.own += spent
        account.over += charged > spent
        account.worst = max(account.worst, charged - spent)
        account.charged += charged

    def _flagged(self, player: FairPlayer) -> None:
        spent = player.spent or 0 if player.came is None else _micros() - player.came
        self.account.flags += 1
        self.account.robbed += spent < player.left

    def _over(self, player: FairPlayer) -> None:
        self.account.games += 1
        for one in (player, player.other):
            one.came, one.spent, one.played, one.left, one.table = None, None, 0, BASE, None
            one.games += 1
        if player.games < self._games:
            self._open(player)
        else:
            self._left -= 1

    def _open(self, player: FairPlayer) -> None:
        player.ask(Open("tictactoe", time=TIME))


def _sent_at(note: bytes) -> int:
    """When the system took the bytes that were read from their sender, by our clock."""
    seconds, nanos = map(int, struct.unpack("qq", note[:16]))
    return _micros() - (time_ns() - (seconds * 1_000_000_000 + nanos)) // NANOS


def _micros() -> int:
    return monotonic_ns() // NANOS


def _delays() -> int:
    """The microseconds that this thread ever waited for a processor; 0 if the system cannot say."""
    try:
        return int(DELAYS.read_bytes().split()[1]) // NANOS
    except (OSError, IndexError):
        return 0


def main(port: str, pairs: str, games: str) -> None:
    """Let the pairs play, and print what they found."""
    found = Loop(int(port), int(pairs), int(games)).run()
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
