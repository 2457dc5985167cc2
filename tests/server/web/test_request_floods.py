"""Requests that come faster than they are read: a little each, and then others have a turn."""

import asyncio

from rookery.server.limits import PIECE
from rookery.server.net.connection import Connection
from rookery.server.net.fair import FairQueue, Paced, Source
from tests.server.desk import Desk, until
from tests.server.ticking import Ticking
from tests.server.web.inhouse import Socket, web_door

CHUNKED = b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"1\r\nx\r\n"  # six bytes that cost as much as a kilobyte in one chunk
MANY = 20_000


def test_a_flood_of_chunks_is_read_piece_by_piece_and_nothing_more_meanwhile() -> None:
    async def run() -> None:
        around, out = Desk(), Socket()
        door = web_door(around)
        door.queue = FairQueue(Ticking())
        connection = Connection(door)
        connection.connection_made(out)
        connection.data_received(CHUNKED + CHUNK * MANY)
        scheduler = 0
        while not out.reading.is_set():
            await asyncio.sleep(0)
            scheduler += 1
        assert scheduler >= MANY * len(CHUNK) // PIECE // 8
        connection.data_received(b"0\r\n\r\n")
        await until(lambda: out.sent.endswith(f"\r\n\r\n{MANY}".encode()))
        around.runner.let_go()

    asyncio.run(run())


def test_the_steps_of_one_request_wait_for_the_turns_of_others() -> None:
    """Somebody's app that computes whenever it may is one among those who are heard."""

    async def run() -> None:
        clock = Ticking()
        scheduler, done, heard = FairQueue(clock), list[str](), list[int]()

        async def work() -> None:
            for _ in range(100):
                clock.now += 1_000_000  # a step takes a millisecond
                done.append("step")
                await asyncio.sleep(0)

        def hear(_: int) -> bool:
            heard.append(len(done))
            return False

        async def request() -> None:
            await Paced(scheduler, "10.0.0.1").run(work())

        requests = [asyncio.create_task(request()) for _ in range(20)]
        modest = Source("10.0.0.2", hear)
        for _ in range(50):
            before = len(done)
            scheduler.ask(modest)
            await until(lambda: not modest.waits)
            assert heard[-1] - before <= 2
            await asyncio.sleep(0)
        await asyncio.gather(*requests)
        assert len(done) == 20 * 100

    asyncio.run(run())


def test_a_request_that_is_called_off_while_it_waits_hears_of_it() -> None:
    async def run() -> None:
        clock, told = Ticking(), list[str]()
        scheduler = FairQueue(clock)

        async def work() -> None:
            try:
                while True:
                    clock.now += 5_000_000
                    await asyncio.sleep(0)
            except asyncio.CancelledError:
                told.append("called off")
                raise

        async def request() -> None:
            await Paced(scheduler, "10.0.0.1").run(work())

        requests = [asyncio.create_task(request()) for _ in range(3)]
        for _ in range(10):
            await asyncio.sleep(0)
        for one in requests:
            one.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        assert told == ["called off"] * 3
        await until(lambda: scheduler.free)

    asyncio.run(run())


def test_a_request_that_is_left_behind_ends_without_asking_for_a_turn() -> None:
    """As when a loop is gone: what it left is swept up where no loop runs."""
    told = []

    async def work() -> None:
        try:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        finally:
            told.append("over")

    async def run() -> None:
        await Paced(FairQueue(Ticking()), "10.0.0.1").run(work())

    left = run()

    async def begin() -> None:
        left.send(None)

    asyncio.run(begin())
    left.close()
    assert told == ["over"]
