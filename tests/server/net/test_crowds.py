"""A crowd is told of what happens a few at a time, so that everybody else is served meanwhile.

The server runs in a world of its own, where time passes only between two calls of the loop and
where somebody looks at a clock. So what is counted is the same on every machine: how many of a
crowd the server writes to in one go, before it can serve anybody else.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.games.reversi import Reversi
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from tests.server.worlds import HELLO, Caller, World

CROWD = 480  # who look on
A_HOST = 400  # of them from one address
FEW = 50  # of the crowd written to in one go


class Player(Caller):
    """A player of blackwhite who moves as soon as it is told to. It mutates."""

    def __init__(self, world: "World", name: bytes, moves: list[bytes]) -> None:
        self.plays = False
        self._turn, self._moves = b"TURN [%s]\n" % name, moves
        super().__init__(world, "10.0.0.1", b"ENTERROOM [%s]\n" % name)

    def heard(self, came: bytes) -> None:
        """Move, if it is our turn; both take from the same moves."""
        super().heard(came)
        if self.plays:
            self.play()

    def play(self) -> None:
        """Move as soon as it is our turn, from now on."""
        self.plays = True
        if self.said[self.said.rfind(b"TURN") :].startswith(self._turn) and self._moves:
            self.said = b""
            self.say(self._moves.pop(0))


class Passing(Caller):
    """Somebody who comes, stays for a moment, and goes; then the next comes. It mutates."""

    def __init__(self, world: "World", host: str, opens: Iterator[bytes]) -> None:
        self._more = opens
        super().__init__(world, host, next(opens))

    def connected(self) -> None:
        """Come in, and go soon."""
        super().connected()
        self.world.agenda.after(8 * MILLI, self._go)

    def _go(self) -> None:
        self.line.hang_up()
        self.world.agenda.after(4 * MILLI, self._next)

    def _next(self) -> None:
        Passing(self.world, self.line.host, self._more)


class Crowded(World):
    """A world with a crowd in it. It mutates."""

    def crowd(self, opens: bytes) -> list[Caller]:
        """A crowd, each of which begins with these words, with its number for a `#`."""
        crowd = []
        for n in range(CROWD):
            opened = opens.replace(b"#", str(n).encode())
            crowd.append(Caller(self, f"10.1.0.{n // A_HOST}", opened))
            self.runs(MILLI)
        self.runs(SECOND)
        return crowd


def at_one_moment(crowd: list[Caller], since: Nanos) -> int:
    """The most that were written to since then without a look at the clock or at the sockets."""
    told = Counter(at for one in crowd for at, _ in one.line.down if at >= since)
    return max(told.values())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Crowded]:
    logging.disable(logging.WARNING)
    made = Crowded(tmp_path)
    yield made
    made.server.end()
    logging.disable(logging.NOTSET)


def _game() -> list[bytes]:
    """All moves of a game of blackwhite, as they are said."""
    game, said = Reversi(size=10), []
    state = game.start(2, Chance(0))
    while game.outcome(state) is None:
        (seat,) = game.to_act(state)
        move = next(iter(game.legal_moves(state, seat)))
        said.append(b"PLAY%s [%d,%d]\n" % ((b"BLACK", b"WHITE")[seat], move.col, move.row))
        state = game.play(state, seat, move).state
    return said


def test_in_a_crowded_room(world: Crowded) -> None:
    """Both players move as fast as they are answered, and viewers come and go."""
    moves = _game()
    players = [Player(world, name, moves) for name in (b"p", b"q")]
    world.runs(SECOND)
    crowd = world.crowd(b"ENTERROOM [v#]\n")
    names = (b"ENTERROOM [c%d]\n" % n for n in count())
    for n in range(4):
        Passing(world, f"10.2.0.{n}", names)
    left = len(moves)
    for player in players:
        player.play()
    since = world.agenda.now
    world.runs(SECOND // 2)
    assert left - len(moves) > 20
    assert all(one.said.count(b"ENTERROOM [c") > 20 for one in crowd)
    assert at_one_moment(crowd, since) <= FEW


def test_at_a_tour_that_many_are_in_and_follow(world: Crowded) -> None:
    """Some withdraw, and then it is called off."""
    owner = Caller(world, "10.0.0.1", HELLO % b"guide")
    world.runs(SECOND)
    plan = b'{"variant":"tictactoe","name":"all"}'
    owner.say(b'{"type":"open_tour","plan":%s,"code":""}\n' % plan)
    world.runs(SECOND)
    join = b'{"type":"join_tour","tour":1}\n'
    some = [Caller(world, "10.0.0.2", HELLO % b"p%d" % n + join) for n in range(5)]
    world.runs(SECOND)
    crowd = world.crowd(HELLO % b"#" + join + b'{"type":"watch_tour","tour":1}\n')
    since = world.agenda.now
    for one in some:
        one.say(b'{"type":"withdraw"}\n')
    world.runs(SECOND)
    owner.say(b'{"type":"cancel_tour","tour":1}\n')
    world.runs(SECOND)
    assert all(one.said.count(b'"type":"withdrawn"') == len(some) for one in crowd)
    assert all(b'"cancelled"' in one.said for one in crowd)
    assert at_one_moment(crowd, since) <= FEW
