"""Whoever says little is heard soon, whatever others say, in every kind of connection."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from websockets.frames import Frame, Opcode

from rookery.server.net.connection import Connection
from rookery.server.net.fair import BUDGET, QUANTUM, FairQueue, Source
from tests.server.desk import Desk, until
from tests.server.ticking import Ticking
from tests.server.web.inhouse import HANDSHAKE, Socket, web_door

READ = 256 * 1024  # bytes that come in one go at most
PING = b'{"type":"ping"}\n'
PONG_LINE = b'{"type":"pong"}\n'

# How long one thing takes to hear, in nanoseconds: a ping, an unreadable line, an empty
# frame, a request, a handshake, and something that nobody should ever take so long for.
KINDS = {"ping": 2_000, "line": 10_000, "frame": 18_000, "request": 900_000, "dear": 16_000_000}


class Floods:
    """Speakers who always have more to say, and what they take. It mutates."""

    def __init__(self, scheduler: FairQueue, clock: Ticking) -> None:
        self._queue = scheduler
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
        scheduler = FairQueue(clock)
        heard: list[int] = []

        def hear(_: int) -> bool:
            clock.now += 20_000
            heard.append(clock.now)
            return False

        modest: Source = Source(host, hear)
        scheduler.ask(modest)  # it was there before
        floods = Floods(scheduler, clock)
        for _ in range(flooding):
            floods.begin("the flood's", cost)
        for _ in range(30):
            for _ in range(5):
                await asyncio.sleep(0)
            asked = clock.now
            scheduler.ask(modest)
            await until(lambda: not modest.waits)
            assert heard[-1] - asked <= BUDGET + QUANTUM + cost + 20_000
        floods.over = True

    asyncio.run(run())


def test_where_nobody_waits_one_is_heard_at_once() -> None:
    async def run() -> None:
        scheduler, heard = FairQueue(), list[int]()

        def hear(_: int) -> bool:
            heard.append(1)
            return False

        one = Source("10.0.0.1", hear)
        for n in range(100):
            scheduler.ask(one)
            assert len(heard) == n + 1  # and no turn of the loop was needed
            await asyncio.sleep(0)

    asyncio.run(run())


def test_a_turn_of_the_loop_hears_for_its_budget_and_no_longer() -> None:
    async def run() -> None:
        clock = Ticking(tick=0)
        scheduler = FairQueue(clock)
        floods = Floods(scheduler, clock)
        for _ in range(100):
            floods.begin("10.0.0.1", 10_000)
        for _ in range(200):
            before = clock.now
            await asyncio.sleep(0)
            assert clock.now - before <= BUDGET + QUANTUM
        floods.over = True

    asyncio.run(run())


def test_who_is_heard_while_the_process_stands_still_does_not_pay_for_it() -> None:
    """All of 100 ask one thing at a time; at the first, the system lets others run for 30 ms."""

    async def run() -> None:
        clock, work, heard = Ticking(tick=0), Ticking(tick=0), Counter[int]()
        scheduler, loop = FairQueue(clock, work=work), asyncio.get_running_loop()

        def hear(n: int, _: int) -> bool:
            work.now += 20_000
            clock.now += 20_000 + (30_000_000 if n == 0 and heard[n] == 2 else 0)
            heard[n] += 1
            loop.call_soon(scheduler.ask, sources[n])
            return False

        sources = [Source("10.0.0.1", partial(hear, n)) for n in range(100)]
        for one in sources:
            scheduler.ask(one)
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
            scheduler = await _turns_until(lambda n=n: out.sent == PONG_LINE * n)  # type: ignore[misc]
            assert scheduler <= 2
            assert not any(one.reading.is_set() for _, one in flooding)
        around.runner.let_go()

    asyncio.run(run())


async def _turns_until(claim: Callable[[], bool]) -> int:
    scheduler = 0
    while not claim():
        await asyncio.sleep(0)
        scheduler += 1
    return scheduler
