"""Frames and lines that come faster than anybody writes: others have turns between them."""

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from rookery.server.limits import SLICE_FRAMED, SLICE_OF_MUCH
from rookery.server.net.connection import Connection
from rookery.server.net.fair import BUDGET_NS, QUANTUM_NS, FairQueue
from tests.server.desk import PATIENCE, Desk, until
from tests.server.net.test_door import PING
from tests.server.ticking import TICK, Ticking
from tests.server.web.inhouse import HANDSHAKE, Socket, web_door

PONG = b"\x8a\x00"  # without a word
MANY_PIECES = BUDGET_NS // TICK  # at most: each takes a tick and more
READ = 256 * 1024  # bytes that come in one go at most


@pytest.mark.parametrize("begins", [b"", HANDSHAKE], ids=["later", "with the handshake"])
def test_a_flood_of_pings_is_answered_bit_by_bit_and_nothing_more_is_read_meanwhile(
    begins: bytes,
) -> None:
    async def run() -> None:
        around, out = Desk(), Socket()
        door = web_door(around)
        door.queue = FairQueue(Ticking())
        connection = Connection(door)
        connection.connection_made(out)
        if not begins:
            connection.data_received(HANDSHAKE)
        ping = Frame(Opcode.PING, b"").serialize(mask=True)
        many = READ // len(ping)
        connection.data_received(begins + ping * many)
        first = out.sent.count(PONG)
        assert 0 < first <= MANY_PIECES * SLICE_FRAMED // len(ping)
        assert not out.reading.is_set()
        await asyncio.wait_for(out.reading.wait(), PATIENCE)
        assert out.sent.count(PONG) == many
        around.runner.let_go()

    asyncio.run(run())


def test_those_who_flood_have_their_turns_one_after_the_other() -> None:
    """Else everybody would wait for a piece of each of them, at every turn of the loop."""

    async def run() -> None:
        around = Desk()
        door = web_door(around)
        door.queue = FairQueue(Ticking())
        ping = Frame(Opcode.PING, b"").serialize(mask=True)
        sockets = [Socket() for _ in range(10)]
        for out in sockets:
            connection = Connection(door)
            connection.connection_made(out)
            connection.data_received(HANDSHAKE)
            connection.data_received(ping * (READ // len(ping)))
        for _ in range(50):
            before = [len(out.sent) for out in sockets]
            await asyncio.sleep(0)
            heard = [one for one, out in zip(before, sockets, strict=True) if len(out.sent) > one]
            assert len(heard) <= MANY_PIECES
        piece = SLICE_FRAMED // len(ping)
        await until(lambda: all(out.sent.count(PONG) > piece for out in sockets))
        around.runner.let_go()

    asyncio.run(run())


def test_of_lines_that_nobody_can_read_a_few_are_heard_and_then_others_are() -> None:
    """128 of them, as many as a player's longest line has room for, took a millisecond."""

    async def run() -> None:
        around, out = Desk(), Socket()
        door = web_door(around)
        door.queue = FairQueue(Ticking(QUANTUM_NS))
        connection = Connection(door)
        connection.connection_made(out)
        connection.data_received(PING)
        await until(lambda: b"pong" in out.sent)
        connection.data_received(b"x\n" * 1000)
        for _ in range(20):
            before = out.sent.count(b"unreadable")
            await asyncio.sleep(0)
            assert out.sent.count(b"unreadable") - before <= SLICE_OF_MUCH // len(b"x\n")
        await until(lambda: out.sent.count(b"unreadable") == 1000)
        around.runner.let_go()

    asyncio.run(run())
