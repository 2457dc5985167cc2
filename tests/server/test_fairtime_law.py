"""The law of fair time, in loops that are made up: nobody pays for what was ours."""

from collections.abc import Callable

import pytest

from rookery.core.ids import Micros
from rookery.server.fairtime import BEAT
from tests.hall.loops import Loop

SEEDS = range(30)
TURNS = 300
THINK = 60_000  # microseconds that an answer takes at most


class Game:
    """Somebody who is handed turns and answers them, one after the other. It mutates.

    What the keeper does is done here: an answer is decided as it is read, in order, and a
    flag falls only once the sockets have been looked at again.
    """

    def __init__(self, loop: Loop, allowed: Micros) -> None:
        self.loop = loop
        self.allowed = allowed
        self.turn = 0
        self.handed = self.since = 0
        self.answers: list[tuple[int, int, int]] = []  # own time, charged, busy meanwhile
        self.late: list[tuple[int, int]] = []  # own time if it answered, and what it was allowed
        self.silent = 0  # flags of those who never answer
        self.hand()

    def hand(self) -> None:
        """It is its turn, from now on."""
        loop = self.loop
        self.turn += 1
        self.handed, self.since = loop.time, loop.fair.now()
        mine = self.turn
        loop.later(loop.time + self.allowed, lambda: self.ring(mine))
        if loop.chance.random() < 0.9:
            came = loop.time + loop.chance.randrange(THINK)
            self.came: int | None = came
            loop.arrive(came, lambda at: self.read(mine, at))
        else:
            self.came = None  # it has fallen asleep

    def read(self, mine: int, at: int) -> None:
        """The answer is read, which came then."""
        read = self.loop.fair.read()
        if mine != self.turn:
            return
        own, charged = at - self.handed, max(0, read - self.since)
        began = self.loop.turns[-6:][0]
        busy = self.loop.busy_since(min(began, at - 2 * BEAT))
        self.answers.append((own, charged, busy))
        if charged > self.allowed:
            self.late.append((own, self.allowed))
        self.hand()

    def ring(self, mine: int) -> None:
        """Its time may be over: look once more whether the answer is there."""
        loop, now = self.loop, self.loop.fair.now()
        loop.soon(lambda: loop.soon(lambda: self.flag(mine, now)))

    def flag(self, mine: int, now: Micros) -> None:
        """All that came by then has been read."""
        if mine != self.turn:
            return
        if now - self.since < self.allowed:  # time stood still meanwhile
            wait = self.since + self.allowed - now
            self.loop.later(self.loop.time + wait, lambda: self.ring(mine))
        else:
            if self.came is None:
                self.silent += 1
            else:
                self.late.append((self.came - self.handed, self.allowed))
            self.hand()


def played(seed: int, *, looks_first: bool) -> list[Game]:
    """Some games in one loop, whose log cannot be written now and then."""
    loop = Loop(seed, looks_first=looks_first)
    games = [Game(loop, allowed) for allowed in (5_000, 20_000, 50_000, 100_000)]
    for n in range(TURNS):
        if seed % 3 == 0 and n % 100 in (50, 70):
            change: Callable[[], None] = loop.fair.stand if n % 100 == 50 else loop.fair.go_on
            change()
        loop.turn()
    return games


@pytest.mark.parametrize("looks_first", [False, True], ids=["uvloop", "asyncio"])
def test_nobody_is_charged_more_than_the_answer_took_whatever_the_loop_did(
    looks_first: bool,
) -> None:
    for seed in SEEDS:
        for game in played(seed, looks_first=looks_first):
            for own, charged, _ in game.answers:
                assert charged <= own, f"seed {seed}: {own} µs were charged as {charged}"


@pytest.mark.parametrize("looks_first", [False, True], ids=["uvloop", "asyncio"])
def test_no_flag_falls_for_which_the_answer_was_there_in_time(looks_first: bool) -> None:
    fallen = 0
    for seed in SEEDS:
        for game in played(seed, looks_first=looks_first):
            for own, allowed in game.late:
                assert own > allowed, f"seed {seed}: {own} of {allowed} µs, and the flag fell"
            fallen += len(game.late)
    assert fallen, "those who were late lost"


@pytest.mark.parametrize("looks_first", [False, True], ids=["uvloop", "asyncio"])
def test_who_never_answers_loses(looks_first: bool) -> None:
    for seed in SEEDS[1::3]:  # where the log can be written
        assert any(game.silent for game in played(seed, looks_first=looks_first))


@pytest.mark.parametrize("looks_first", [False, True], ids=["uvloop", "asyncio"])
def test_nobody_is_given_more_than_the_loop_was_busy(looks_first: bool) -> None:
    for seed in SEEDS[1::3]:
        for game in played(seed, looks_first=looks_first):
            for own, charged, busy in game.answers:
                # What is kept waiting for a processor while it works counts on both sides.
                assert own - charged <= 2 * busy, f"seed {seed}: {own} µs charged as {charged}"
