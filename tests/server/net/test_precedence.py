"""Who wants little goes first; who wants much has its part; and nobody makes the loop spin."""

import asyncio
import tracemalloc
from collections import Counter

import pytest

from rookery.core.ids import Micros
from rookery.server.config import Port
from rookery.server.net.connection import Connection
from rookery.server.net.fair import (
    OWED,
    PART,
    REST,
    Claim,
    FairQueue,
    Precedence,
    Rank,
    Source,
    Throttle,
)
from tests.server.desk import Desk
from tests.server.ticking import Ticking
from tests.server.web.inhouse import Socket, web_door

COST = 100_000  # nanoseconds


@pytest.mark.parametrize("home", ["the flood's", "another"])
@pytest.mark.parametrize("flooding", [1, 10, 500])
def test_who_wants_little_again_and_again_is_before_all_who_want_much(
    home: str, flooding: int
) -> None:
    """Even when it has taken more than each of them, until they are owed a turn."""
    order: Precedence[Claim] = Precedence()
    modest = Claim(home)
    for _ in range(flooding):
        order.wait(Claim("the flood's"), Rank.MUCH)
    for _ in range(OWED * (PART - 1) // COST):
        order.wait(modest, Rank.LITTLE)
        assert order.next() is modest
        order.charge(modest, COST)
    order.wait(modest, Rank.LITTLE)
    assert order.next() is not modest


def test_who_had_a_turn_and_wants_no_more_takes_little_memory() -> None:
    def served() -> Claim:
        claim = Claim("a")
        order.wait(claim, Rank.MUCH)
        assert order.next() is claim
        order.charge(claim, COST)
        return claim

    order: Precedence[Claim] = Precedence()
    served()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        idle = [served() for _ in range(1_000)]
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert taken < 350 * len(idle)


def test_who_wants_much_has_its_part_of_the_time_and_no_more() -> None:
    order: Precedence[Claim] = Precedence()
    modest, greedy = Claim("a"), Claim("b")
    order.wait(greedy, Rank.MUCH)
    taken: Counter[bool] = Counter()
    for _ in range(5_000):
        order.wait(modest, Rank.LITTLE)
        found = order.next()
        assert found is not None
        taken[found is greedy] += 1
        order.charge(found, COST)
        if found is greedy:
            order.again(greedy)
    assert abs(taken[True] / 5_000 - 1 / PART) < 0.02


def test_nobody_is_owed_a_part_of_what_will_be_done_later() -> None:
    """To tell a crowd takes fifty times as long as to decide, and is done while others act."""
    order: Precedence[Claim] = Precedence()
    modest, greedy = Claim("a"), Claim("b")
    order.wait(greedy, Rank.MUCH)
    for _ in range(OWED * (PART - 1) // COST):
        order.wait(modest, Rank.ACT)
        assert order.next() is modest
        order.charge(modest, COST, later=50 * COST)


def test_where_only_one_wants_little_who_wants_much_waits_on() -> None:
    order: Precedence[Claim] = Precedence()
    greedy = Claim("a")
    order.wait(greedy, Rank.MUCH)
    assert order.next(Rank.LITTLE) is None
    assert order.next() is greedy


def test_while_the_hall_is_busy_only_who_says_little_is_heard_at_once() -> None:
    async def run() -> None:
        busy = [True]
        scheduler, heard = FairQueue(busy=lambda: busy[0]), list[str]()

        def hearing(name: str) -> Source:
            return Source("10.0.0.1", lambda _: bool(heard.append(name)))  # type: ignore[func-returns-value]

        much, little = hearing("much"), hearing("little")
        little.is_bulk = False
        scheduler.ask(much)
        scheduler.ask(little)
        assert heard == ["little"]
        await asyncio.sleep(0)
        assert heard == ["little"]
        busy[0] = False
        scheduler.wake()
        await asyncio.sleep(0)
        assert heard == ["little", "much"]

    asyncio.run(run())


def test_who_says_much_waits_for_a_busy_hall_only_so_long() -> None:
    async def run() -> None:
        scheduler, heard = FairQueue(busy=lambda: True), asyncio.Event()

        def hear(_: int) -> bool:
            heard.set()
            return False

        scheduler.ask(Source("10.0.0.1", hear))
        assert not heard.is_set()
        await asyncio.wait_for(heard.wait(), 1000 * REST / 1e9)

    asyncio.run(run())


def test_after_a_dear_turn_of_who_says_much_others_who_play_have_their_time() -> None:
    """A handshake under TLS takes a millisecond that nobody can interrupt."""

    async def run() -> None:
        clock = Ticking(tick=0)
        throttle = Throttle(clock)
        scheduler, heard = FairQueue(clock, throttle=throttle), list[str]()

        def hearing(name: str) -> Source:
            def hear(_: int) -> bool:
                heard.append(name)
                clock.now += 10 * COST
                return False

            return Source("10.0.0.1", hear)

        player = hearing("a player")
        player.is_bulk = False
        throttle.played()
        for name in ("first", "second"):
            scheduler.wait(hearing(name))
        for _ in range(3):
            await asyncio.sleep(0)
        assert heard == ["first"]
        scheduler.ask(player)
        assert heard == ["first", "a player"]
        clock.now += 30 * COST
        scheduler.wake()
        for _ in range(3):
            await asyncio.sleep(0)
        assert heard == ["first", "a player", "second"]

    asyncio.run(run())


def test_a_dialects_own_time_waits_for_what_came_before_it_and_does_not_spin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop span for as long as a client that was read more slowly had said more."""

    async def run() -> None:
        around, ticks = Desk(), list[Micros]()
        connection = Connection(web_door(around), Port("bughouse"))
        connection.connection_made(Socket())
        dialect = connection.dialect
        assert dialect is not None

        def tick(now: Micros) -> tuple[()]:
            ticks.append(now)
            return ()

        monkeypatch.setattr(type(dialect), "deadline", lambda _: 100)
        monkeypatch.setattr(type(dialect), "tick", lambda _, now: tick(now))
        came = connection._inbound.plain  # noqa: SLF001 # what lies there, in between
        came.put(b"MOVE", 50)
        connection._late(200)  # noqa: SLF001 # as its alarm does
        assert ticks == []
        came.clear()
        connection._late(200)  # noqa: SLF001
        assert ticks == [200]
        around.runner.let_go()

    asyncio.run(run())
