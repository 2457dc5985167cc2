"""Requests that come faster than they are read: a piece each, and then others have a turn."""

import asyncio
from collections.abc import Callable
from functools import partial

from rookery.server.tcp import Connection
from rookery.server.web.carrier import PIECE
from rookery.server.web.turns import Turns
from tests.server.desk import Desk, until
from tests.server.web.inhouse import Socket, web_door

CHUNKED = b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"1\r\nx\r\n"  # six bytes that cost as much as a kilobyte in one chunk
MANY = 20_000


def test_who_says_much_is_heard_in_turn_with_the_others() -> None:
    heard: list[str] = []

    async def run() -> None:
        turns = Turns()

        def speaking(name: str, times: int) -> Callable[[], None]:
            def hear() -> None:
                heard.append(name)
                if times > 1:
                    turns.ask(speaking(name, times - 1))

            return hear

        for name, times in (("much", 4), ("little", 1), ("some", 2)):
            turns.ask(speaking(name, times))
        await until(lambda: heard.count("much") == 4)

    asyncio.run(run())
    assert heard == ["much", "little", "some", "much", "some", "much", "much"]


def test_between_two_turns_the_loop_does_something_else() -> None:
    heard: list[str] = []

    async def run() -> None:
        turns = Turns()
        for name in ("a turn", "another turn"):
            turns.ask(partial(heard.append, name))
        await asyncio.sleep(0)
        heard.append("a move")
        await asyncio.sleep(0)

    asyncio.run(run())
    assert heard == ["a turn", "a move", "another turn"]


def test_a_flood_of_chunks_is_read_piece_by_piece_and_nothing_more_meanwhile() -> None:
    async def run() -> None:
        around, out = Desk(), Socket()
        door = web_door(around)
        connection = Connection(door)
        connection.connection_made(out)
        connection.data_received(CHUNKED + CHUNK * MANY)
        turns = 0
        while not out.reading.is_set():
            await asyncio.sleep(0)
            turns += 1
        assert turns >= MANY * len(CHUNK) // PIECE
        connection.data_received(b"0\r\n\r\n")
        await until(lambda: out.sent.endswith(f"\r\n\r\n{MANY}".encode()))
        around.keeper.let_go()

    asyncio.run(run())
