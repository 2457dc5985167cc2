"""The listener: how many come in, who is closed for silence, and who is hung up on."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Coroutine
from contextlib import suppress
from ssl import PROTOCOL_TLS_SERVER

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from rookery.server.config import Port, load
from rookery.server.limits import LAST_WORDS, SILENCE, UNREAD_MAX, Bounds
from rookery.server.net.connection import Connection
from rookery.server.net.listener import FULL, Listener, listen
from tests.server.desk import Desk, turns, until

PING = b'{"type":"ping"}\n'
PONG = b'{"type":"pong"}\n'
LIST = b'{"type":"list_games"}\n'

NUMBERS = Numbers(PlayerRegistry())
NATIVE = Port("native")


class Caller(Struct):
    """Both ends of a connection to the listener."""

    socket: socket.socket
    transport: asyncio.Transport
    connection: Connection

    async def says(self, words: bytes) -> None:
        """Send this, whenever there is room for it."""
        await asyncio.get_running_loop().sock_sendall(self.socket, words)

    async def hears(self) -> bytes:
        """What comes next; nothing if it is the end."""
        async with asyncio.timeout(30):
            return await asyncio.get_running_loop().sock_recv(self.socket, 1 << 16)

    async def asks(self, words: bytes) -> bytes:
        """The answer to this."""
        await self.says(words)
        return await self.hears()

    def waiting(self) -> list[bytes]:
        """The lines that have come so far."""
        words = b""
        with suppress(BlockingIOError):
            while piece := self.socket.recv(1 << 20):
                words += piece
        return words.splitlines()


class Porch:
    """A listener with a runner behind it, and those who have called. It mutates."""

    def __init__(self, bounds: Bounds) -> None:
        self.desk = Desk()
        self.listener = Listener(self.desk.runner, self.desk.time, NUMBERS, bounds)
        self._callers: list[Caller] = []

    async def call(self, port: Port = NATIVE) -> Caller:
        """A new connection, over a real socket."""
        loop = asyncio.get_running_loop()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            mine = socket.create_connection(listening.getsockname())
            theirs, _ = listening.accept()
        mine.setblocking(False)  # noqa: FBT003 # the loop's own sockets must be so
        transport, connection = await loop.connect_accepted_socket(
            lambda: Connection(self.listener, port), theirs
        )
        self._callers.append(Caller(mine, transport, connection))
        return self._callers[-1]

    async def close(self) -> None:
        """Hang up on everyone."""
        self.listener.abort()
        await until(lambda: len(self.listener) == 0)
        self.desk.runner.let_go()
        for caller in self._callers:
            caller.socket.close()


def scene(
    told: Callable[[Porch], Coroutine[None, None, None]], bounds: Bounds | None = None
) -> None:
    """Run this with a listener of its own, in a loop of its own."""

    async def run() -> None:
        porch = Porch(bounds or Bounds())
        try:
            await told(porch)
        finally:
            await porch.close()

    asyncio.run(run())


# -- coming in


def test_a_host_with_enough_connections_is_told_so_in_words() -> None:
    async def told(porch: Porch) -> None:
        first, second, third = [await porch.call() for _ in range(3)]
        assert (await third.hears(), await third.hears()) == (FULL, b"")
        assert [await first.asks(PING), await second.asks(PING)] == [PONG, PONG]
        assert len(porch.listener) == 2

    scene(told, Bounds(sessions_loopback=2))


def test_when_one_has_gone_another_may_come() -> None:
    async def told(porch: Porch) -> None:
        first, _ = await porch.call(), await porch.call()
        first.socket.close()
        await until(lambda: len(porch.listener) == 1)
        third = await porch.call()
        assert await third.asks(PING) == PONG

    scene(told, Bounds(sessions_loopback=2))


def test_another_host_has_500_connections_and_this_machine_20000() -> None:
    async def told(porch: Porch) -> None:
        listener = Listener(porch.desk.runner, porch.desk.time, NUMBERS)
        nobody = Connection(listener)
        for host, most in (("192.0.2.1", 500), ("192.0.2.2", 500), ("127.0.0.1", 20_000)):
            assert FULL not in [listener.admit(nobody, host) for _ in range(most)]
            assert listener.admit(nobody, host) == FULL

    scene(told)


# -- silence


def test_who_never_says_anything_is_closed_after_ten_minutes_and_who_spoke_is_not() -> None:
    async def told(porch: Porch) -> None:
        silent, source = await porch.call(), await porch.call()
        assert await source.asks(PING) == PONG
        porch.desk.passes(SILENCE - 1)
        porch.listener.sweep()
        await turns()
        assert len(porch.listener) == 2
        porch.desk.passes(1)
        porch.listener.sweep()
        assert await silent.hears() == b""
        porch.desk.passes(SILENCE)
        porch.listener.sweep()
        assert await source.asks(PING) == PONG

    scene(told)


def test_who_came_later_is_closed_later() -> None:
    async def told(porch: Porch) -> None:
        first = await porch.call()
        porch.desk.passes(SILENCE // 2)
        second = await porch.call()
        porch.desk.passes(SILENCE // 2)
        porch.listener.sweep()
        assert await first.hears() == b""
        assert await second.asks(PING) == PONG

    scene(told)


# -- hanging up


def test_everyone_hears_the_last_notice_before_the_door_closes() -> None:
    async def told(porch: Porch) -> None:
        callers = [await porch.call() for _ in range(3)]
        porch.listener.close(Notice("closing", "Good night."))
        for caller in callers:
            assert b'"closing"' in await caller.hears()
            assert await caller.hears() == b""
        await asyncio.wait_for(porch.listener.empty.wait(), 30)

    scene(told)


def test_who_comes_when_everyone_has_been_told_is_hung_up_on_and_keeps_nobody_here() -> None:
    async def told(porch: Porch) -> None:
        porch.listener.close(Notice("closing", "Good night."))
        late = await porch.call()
        assert await late.hears() == b""
        assert porch.listener.empty.is_set()

    scene(told)


def test_who_does_not_read_its_last_words_is_cut_off_in_the_end() -> None:
    async def told(porch: Porch) -> None:
        caller = await clogged(porch)
        porch.listener.close(Notice("closing", "Good night."))
        porch.desk.passes(LAST_WORDS - 1)
        porch.listener.sweep()
        await turns()
        assert len(porch.listener) == 1
        porch.desk.passes(1)
        porch.listener.sweep()
        await until(lambda: len(porch.listener) == 0)
        assert caller.transport.is_closing()

    scene(told)


def test_nothing_is_kept_for_one_that_is_being_hung_up_on() -> None:
    async def told(porch: Porch) -> None:
        caller = await clogged(porch)
        caller.connection.close()
        caller.connection.tell(Notice("news", "Nobody hears this."))
        caller.connection.flush()
        assert caller.connection.dialect is not None
        assert caller.connection.dialect.drain() == b""

    scene(told)


def test_a_reader_within_the_bound_is_not_cut_off_and_one_beyond_it_is() -> None:
    async def told(porch: Porch) -> None:
        caller = await clogged(porch)
        behind = caller.transport.get_write_buffer_size()
        while behind <= porch.listener.bounds.backlog:
            assert not caller.transport.is_closing()
            caller.connection.tell(Notice("news", "x" * 10_000))
            caller.connection.flush()
            behind = caller.transport.get_write_buffer_size()
        caller.connection.tell(Notice("news", "One more."))
        caller.connection.flush()
        assert caller.transport.is_closing()

    scene(told)


def test_who_does_not_read_its_answers_is_read_no_more_until_it_does() -> None:
    async def told(porch: Porch) -> None:
        caller = await clogged(porch)
        assert not caller.transport.is_reading()
        while not caller.transport.is_reading():
            assert await caller.hears()
        assert not caller.transport.is_closing()

    scene(told)


def test_who_does_not_read_its_answers_loses_on_time_all_the_same() -> None:
    """What it said and nobody heard may be a move, but nobody waits for that for ever."""

    async def told(porch: Porch) -> None:
        ann, bob = await porch.call(), await porch.call()
        for caller in (ann, bob):
            await caller.asks(b'{"type":"hello","version":1,"name":"ann"}\n')
        await ann.asks(b'{"type":"open","variant":"tictactoe","time":"1s"}\n')
        heard = await bob.asks(b'{"type":"sit","table":1}\n')
        while b'"started"' not in heard:
            heard += await bob.hears()
        await clogged(porch, ann)
        porch.desk.passes(UNREAD_MAX)
        await bob.asks(PING)
        assert await bob.asks(PING) == PONG
        porch.desk.passes(MICROS_A_SECOND)
        async with asyncio.timeout(30):
            while b'"ended"' not in heard:
                heard += await bob.asks(PING)

    scene(told)


async def clogged(porch: Porch, caller: Caller | None = None) -> Caller:
    """Somebody who asks and asks, and reads no answer."""
    caller = caller or await porch.call()
    _, enough = caller.transport.get_write_buffer_limits()
    while caller.transport.get_write_buffer_size() <= enough:
        await caller.says(LIST * 100)
        await turns(300)
    return caller


def test_who_asks_little_waits_for_few_of_anothers_many() -> None:
    async def told(porch: Porch) -> None:
        many, few = await porch.call(), await porch.call()
        many.connection.data_received(LIST * 10_000)
        few.connection.data_received(LIST)
        assert (await few.hears()).startswith(b'{"type":"games"')
        assert 0 < len(many.waiting()) < 1_500
        assert not many.transport.is_closing()

    scene(told)


# -- the socket itself


def test_nothing_is_held_back_to_fill_a_packet_and_tcp_itself_finds_the_dead() -> None:
    async def told(porch: Porch) -> None:
        (server,) = await listen(load({"port": "0"}, {}, None), porch.listener, lambda _: None)
        address = server.sockets[0].getsockname()
        _, writer = await asyncio.open_connection(*address)
        await until(lambda: len(porch.listener) > 0)
        (guest,) = porch.listener._open.values()  # noqa: SLF001
        plug = guest._out().get_extra_info("socket")  # noqa: SLF001
        assert plug.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert plug.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        server.close()
        await porch.listener.empty.wait()

    scene(told)


# -- who may listen


def test_what_is_said_is_private_under_tls_on_this_machine_and_where_nothing_else_can_be() -> None:
    async def told() -> None:
        around = Desk()
        plain = Listener(around.runner, around.time, NUMBERS)
        sealing = Listener(
            around.runner, around.time, NUMBERS, tls=ssl.SSLContext(PROTOCOL_TLS_SERVER)
        )
        assert plain.is_private("10.0.0.9", sealed=False)
        assert sealing.is_private("10.0.0.9", sealed=True)
        assert sealing.is_private("127.0.0.1", sealed=False)
        assert not sealing.is_private("10.0.0.9", sealed=False)

    asyncio.run(told())
