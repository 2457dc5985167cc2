"""Requests that come faster than they are read: a little each, and then others have a turn."""

import asyncio

from rookery.server.limits import PIECE
from rookery.server.net.connection import Connection
from rookery.server.net.fair import FairQueue, RequestTurns, Source
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


def test_requests_of_one_host_begin_in_turn_with_others() -> None:
    """A host with many requests is one among those who are heard."""

    async def run() -> None:
        clock = Ticking()
        queue, done, heard = FairQueue(clock), list[str](), list[int]()

        async def work() -> None:
            clock.now += 1_000_000  # a request takes a millisecond
            done.append("answered")

        def hear(_: int) -> bool:
            heard.append(len(done))
            return False

        turns = [RequestTurns(queue, "10.0.0.1") for _ in range(20)]
        requests = [asyncio.create_task(one.run(work())) for one in turns for _ in range(20)]
        modest = Source("10.0.0.2", hear)
        for _ in range(50):
            before = len(done)
            queue.ask(modest)
            await until(lambda: not modest.waits)
            assert heard[-1] - before <= 2
            await asyncio.sleep(0)
        await asyncio.gather(*requests)
        assert len(done) == 20 * 20

    asyncio.run(run())


def test_a_request_that_is_called_off_before_its_turn_never_begins() -> None:
    async def run() -> None:
        clock, begun = Ticking(), list[str]()
        queue = FairQueue(clock)
        turns = RequestTurns(queue, "10.0.0.1")

        async def work() -> None:
            clock.now += 5_000_000
            begun.append("begun")

        requests = [asyncio.create_task(turns.run(work())) for _ in range(20)]
        await asyncio.sleep(0)
        before = len(begun)
        assert before < len(requests)
        for one in requests:
            one.cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        assert len(begun) == before
        await until(lambda: queue.is_free)

    asyncio.run(run())
