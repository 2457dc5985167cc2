"""Whose turn it is: hosts first, interactive sources before bulk, and nobody waits for long."""

import asyncio
import tracemalloc
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from websockets.frames import Frame, Opcode

from rookery.core.ids import Micros
from rookery.server.config import Port
from rookery.server.net.connection import Connection
from rookery.server.net.fair import (
    BUDGET_NS,
    BULK_PART,
    CREDIT_NS,
    HOSTS_KEPT,
    LATELY_NS,
    OWED_NS,
    QUANTUM_NS,
    RESTS,
    FairQueue,
    Flow,
    Source,
    Turns,
)
from tests.server.desk import Desk, turns, until
from tests.server.ticking import Ticking
from tests.server.web.inhouse import HANDSHAKE, Socket, web_door

COST = 100_000  # nanoseconds


# -- hosts first, and order within one


def serve(turns: Turns, costs: dict[Flow, int], times: int) -> Counter[Flow]:
    """Let all of these take turns, who always want more; how much each has taken."""
    taken: Counter[Flow] = Counter()
    for flow in costs:
        turns.wait(flow)
    for _ in range(times):
        found = turns.next()
        assert found is not None
        taken[found] += costs[found]
        turns.charge(found, costs[found])
        turns.again(found)
    return taken


def test_who_takes_long_has_fewer_turns() -> None:
    turns = Turns()
    dear, cheap = turns.flow("a"), turns.flow("b")
    taken = serve(turns, {dear: 1000, cheap: 10}, 2000)
    assert abs(taken[dear] - taken[cheap]) <= 1000


def test_a_host_with_many_flows_has_one_hosts_share() -> None:
    turns = Turns()
    many = [turns.flow("many") for _ in range(500)]
    one = turns.flow("one")
    taken = serve(turns, dict.fromkeys([*many, one], 10), 20_000)
    assert abs(taken[one] - sum(taken[flow] for flow in many)) <= 20


def test_within_a_host_every_flow_has_its_share() -> None:
    turns = Turns()
    flows = [turns.flow("a") for _ in range(10)]
    costs = {flow: 10 * (n + 1) for n, flow in enumerate(flows)}
    taken = serve(turns, costs, 20_000)
    assert max(taken.values()) - min(taken.values()) <= 200


@pytest.mark.parametrize("host", ["a", "b"])
@pytest.mark.parametrize("flooding", [1, 10, 500])
def test_who_asks_little_is_next_whatever_others_ask(host: str, flooding: int) -> None:
    turns = Turns()
    modest = turns.flow(host)
    costs = {turns.flow("a"): 1000 for _ in range(flooding)}
    serve(turns, costs, 3 * flooding)
    for _ in range(100):
        assert turns.is_first(modest)
        turns.wait(modest)
        assert turns.next() is modest
        turns.charge(modest, 1)
        for _ in range(flooding):
            flow = turns.next()
            assert flow is not None
            turns.charge(flow, 1000)
            turns.again(flow)


def test_who_was_passed_over_keeps_its_place() -> None:
    turns = Turns()
    first, second = turns.flow("a"), turns.flow("b")
    serve(turns, {second: 100}, 3)
    turns.wait(first)
    assert turns.next() is first
    turns.again(first)
    assert turns.next() is first


@pytest.mark.parametrize("host", ["a", "b"])
def test_what_one_is_sent_before_its_turn_costs_it_no_place(host: str) -> None:
    turns = Turns()
    first, second = turns.flow("a"), turns.flow(host)
    turns.wait(first)
    turns.wait(second)
    turns.charge(first, CREDIT_NS // 2)
    assert [turns.next(), turns.next()] == [first, second]


def test_nobody_owes_anything_once_nobody_waits() -> None:
    turns = Turns()
    busy, late = turns.flow("a"), turns.flow("b")
    turns.wait(busy)
    assert turns.next() is busy
    turns.charge(busy, 1_000_000)
    assert not turns
    turns.wait(busy)
    turns.wait(late)
    assert turns.next() is busy  # which came first


def test_hosts_that_owe_nothing_are_forgotten() -> None:
    turns = Turns()
    for n in range(10 * HOSTS_KEPT):
        flow = turns.flow(f"host {n}")
        turns.wait(flow)
        turns.next()
        turns.charge(flow, 10)
        turns.leave(flow)
    assert len(turns) <= 2 * HOSTS_KEPT


# -- interactive and bulk


class Served:
    """A queue whose sources take a `COST` a turn, and the order in which they had theirs."""

    def __init__(self) -> None:
        self.clock = Ticking(tick=0)
        self.queue = FairQueue(self.clock)
        self.order: list[str] = []

    def source(self, name: str, host: str = "a", *, bulk: bool = False, more: int = 0) -> Source:
        """One that has its turn, and so many more."""
        left = [more]

        def hear(_: int) -> bool:
            self.order.append(name)
            self.clock.now += COST
            left[0] -= 1
            return left[0] >= 0

        made = Source(host, hear)
        made.is_bulk = bulk
        return made


def test_an_interactive_source_goes_before_bulk_ones_that_came_first() -> None:
    async def run() -> None:
        served = Served()
        for n in range(5):
            served.queue.wait(served.source(f"bulk {n}", bulk=True))
        served.queue.wait(served.source("interactive"))
        await until(lambda: len(served.order) == 6)
        assert served.order[0] == "interactive"

    asyncio.run(run())


def test_a_source_that_has_more_after_its_turn_is_bulk_until_it_has_no_more() -> None:
    async def run() -> None:
        served = Served()
        greedy = served.source("greedy", more=1)
        served.queue.wait(greedy)
        served.queue.wait(served.source("modest"))
        await until(lambda: len(served.order) == 3)
        assert served.order == ["greedy", "modest", "greedy"]
        assert not greedy.is_bulk

    asyncio.run(run())


def test_bulk_sources_have_their_part_of_the_time_and_no_more() -> None:
    async def run() -> None:
        served, taken = Served(), Counter[Source]()
        queue, player = served.queue, served.source("interactive")
        bulk = served.source("bulk", "b", bulk=True, more=10_000)
        queue.wait(bulk)
        for _ in range(5_000):
            player.is_bulk = False
            queue.wait(player)
            found = queue._next()  # noqa: SLF001 # as if a turn of the loop were for one alone
            assert found is not None
            taken[found] += 1
            queue._charge(found, COST)  # noqa: SLF001
            queue.wait(bulk)
        assert abs(taken[bulk] / 5_000 - 1 / BULK_PART) < 0.02

    asyncio.run(run())


def test_bulk_sources_are_owed_no_part_of_what_is_done_later() -> None:
    """To tell a crowd takes fifty times as long as to decide, and is done while others act."""

    async def run() -> None:
        served = Served()
        queue, player = served.queue, served.source("interactive")
        queue.wait(served.source("bulk", "b", bulk=True))
        for _ in range(OWED_NS * (BULK_PART - 1) // COST):
            player.is_bulk = False
            queue.wait(player)
            assert queue._next() is player  # noqa: SLF001 # as if each had a turn of the loop
            queue._charge(player, COST, later=50 * COST)  # noqa: SLF001

    asyncio.run(run())


def test_after_a_bulk_turn_beside_others_who_play_bulk_sources_rest_three_times_as_long() -> None:
    async def run() -> None:
        served = Served()
        queue = served.queue
        queue.acted()
        for name in ("first", "second"):
            queue.wait(served.source(name, bulk=True))
        await turns(5)
        assert served.order == ["first"]
        assert queue.rest() == RESTS * COST
        player = served.source("a player")
        queue.ask(player)
        assert served.order == ["first", "a player"], "it waits for nobody's rest"
        served.clock.now += RESTS * COST
        await until(lambda: len(served.order) == 3)
        assert served.order[-1] == "second"

    asyncio.run(run())


def test_where_nobody_plays_bulk_sources_do_not_rest() -> None:
    async def run() -> None:
        served = Served()
        served.clock.now += LATELY_NS
        for n in range(5):
            served.queue.wait(served.source(f"{n}", bulk=True))
        await turns(10)
        assert served.order == ["0", "1", "2", "3", "4"]
        assert served.queue.rest() == 0

    asyncio.run(run())


def test_what_others_pay_for_is_not_charged() -> None:
    """The broadcast goes before the next act of whoever lets more of it happen."""

    async def run() -> None:
        served = Served()
        served.clock.now += LATELY_NS
        paid = Source("spectators", served.source("paid", more=5).hear, is_charged=False)
        served.queue.wait(paid)
        served.queue.wait(served.source("other", bulk=True, more=5))
        await until(lambda: len(served.order) == 12)
        assert served.order[:8].count("paid") == 6

    asyncio.run(run())


def test_a_source_that_had_a_turn_and_wants_no_more_takes_little_memory() -> None:
    async def run() -> None:
        queue = FairQueue(Ticking(tick=0))

        def served() -> Source:
            source = Source("a", lambda _: False)
            queue.wait(source)
            assert queue._next() is source  # noqa: SLF001 # its turn
            queue._charge(source, COST)  # noqa: SLF001
            return source

        served()
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            idle = [served() for _ in range(1_000)]
            taken = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
        assert taken < 600 * len(idle)

    asyncio.run(run())


# -- in a server

READ = 256 * 1024  # bytes that come in one go at most
PING = b'{"type":"ping"}\n'
PONG_LINE = b'{"type":"pong"}\n'

# How long one thing takes to hear, in nanoseconds: a ping, an unreadable line, an empty
# frame, a request, a handshake, and something that nobody should ever take so long for.
KINDS = {"ping": 2_000, "line": 10_000, "frame": 18_000, "request": 900_000, "dear": 16_000_000}


class Floods:
    """Sources that always have more to process, and what they take. It mutates."""

    def __init__(self, queue: FairQueue, clock: Ticking) -> None:
        self._queue = queue
        self._clock = clock
        self.over = False

    def begin(self, host: str, cost: int) -> None:
        """One more, of whom every piece takes so long."""

        def hear(until: int) -> bool:
            while not self.over:
                self._clock.now += cost
                if self._clock.now >= until:
                    return True
            return False

        self._queue.ask(Source(host, hear))


@pytest.mark.parametrize("host", ["the flood's", "another"])
@pytest.mark.parametrize("flooding", [1, 10, 500])
@pytest.mark.parametrize("cost", KINDS.values(), ids=list(KINDS))
def test_nobody_waits_longer_than_a_turn_and_one_thing(cost: int, flooding: int, host: str) -> None:
    async def run() -> None:
        clock = Ticking(tick=0)
        queue = FairQueue(clock)
        heard: list[int] = []

        def hear(_: int) -> bool:
            clock.now += 20_000
            heard.append(clock.now)
            return False

        modest: Source = Source(host, hear)
        queue.ask(modest)  # it was there before
        floods = Floods(queue, clock)
        for _ in range(flooding):
            floods.begin("the flood's", cost)
        for _ in range(30):
            for _ in range(5):
                await asyncio.sleep(0)
            asked = clock.now
            queue.ask(modest)
            await until(lambda: not modest.waits)
            assert heard[-1] - asked <= BUDGET_NS + QUANTUM_NS + cost + 20_000
        floods.over = True

    asyncio.run(run())


def test_where_nobody_waits_one_is_heard_at_once() -> None:
    async def run() -> None:
        queue, heard = FairQueue(), list[int]()

        def hear(_: int) -> bool:
            heard.append(1)
            return False

        one = Source("10.0.0.1", hear)
        for n in range(100):
            queue.ask(one)
            assert len(heard) == n + 1  # and no turn of the loop was needed
            await asyncio.sleep(0)

    asyncio.run(run())


def test_a_turn_of_the_loop_hears_for_its_budget_and_no_longer() -> None:
    async def run() -> None:
        clock = Ticking(tick=0)
        queue = FairQueue(clock)
        floods = Floods(queue, clock)
        for _ in range(100):
            floods.begin("10.0.0.1", 10_000)
        for _ in range(200):
            before = clock.now
            await asyncio.sleep(0)
            assert clock.now - before <= BUDGET_NS + QUANTUM_NS
        floods.over = True

    asyncio.run(run())


def test_who_is_heard_while_the_process_stands_still_does_not_pay_for_it() -> None:
    """All of 100 ask one thing at a time; at the first, the system lets others run for 30 ms."""

    async def run() -> None:
        clock, work, heard = Ticking(tick=0), Ticking(tick=0), Counter[int]()
        queue, loop = FairQueue(clock, work=work), asyncio.get_running_loop()

        def hear(n: int, _: int) -> bool:
            work.now += 20_000
            clock.now += 20_000 + (30_000_000 if n == 0 and heard[n] == 2 else 0)
            heard[n] += 1
            loop.call_soon(queue.ask, sources[n])
            return False

        sources = [Source("10.0.0.1", partial(hear, n)) for n in range(100)]
        for one in sources:
            queue.ask(one)
        await until(lambda: heard.total() >= 10_000)
        assert heard[0] > 50  # of 100 for each

    asyncio.run(run())


def frames() -> bytes:
    return Frame(Opcode.PING, b"").serialize(mask=True)


@pytest.mark.parametrize(
    ("begins", "flood"),
    [
        pytest.param(PING, PING, id="pings"),
        pytest.param(PING, b"x\n", id="unreadable lines"),
        pytest.param(PING, b"\n", id="empty lines"),
        pytest.param(b"@PING\n", b"@PING\n", id="tourney"),
        pytest.param(HANDSHAKE, frames(), id="frames"),
        pytest.param(
            b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\nx\r\n",
            id="chunks",
        ),
        pytest.param(b"", b"GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n", id="requests"),
    ],
)
def test_a_bystander_is_heard_within_a_few_turns_of_the_loop(begins: bytes, flood: bytes) -> None:
    """And by then not even one of ten who say much has been heard to the end."""

    async def run() -> None:
        around = Desk()
        listener = web_door(around)

        def call(words: bytes) -> tuple[Connection, Socket]:
            out = Socket()
            connection = Connection(listener)
            connection.connection_made(out)
            connection.data_received(words)
            return connection, out

        modest, out = call(PING)
        flooding = [call(begins) for _ in range(10)]
        await until(lambda: out.sent == PONG_LINE)
        for connection, _ in flooding:
            connection.data_received(flood * (READ // len(flood)))
        for n in range(2, 20):
            modest.data_received(PING)
            waited = await _turns_until(lambda n=n: out.sent == PONG_LINE * n)  # type: ignore[misc]
            assert waited <= 2
            assert not any(one.reading.is_set() for _, one in flooding)
        around.runner.let_go()

    asyncio.run(run())


async def _turns_until(claim: Callable[[], bool]) -> int:
    waited = 0
    while not claim():
        await asyncio.sleep(0)
        waited += 1
    return waited


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
