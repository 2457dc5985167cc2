"""Hands are shaken elsewhere: nobody in the loop waits for a signature, and hosts share alike."""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from rookery.server.limits import HANDSHAKE_MAX, PIECE
from rookery.server.net.connection import Connection
from rookery.server.net.tls import Handshakes, TlsLayer
from tests.server.desk import Desk, turns, until
from tests.server.net.test_connections import certificate, hello
from tests.server.net.test_door import PING, PONG
from tests.server.web.inhouse import Socket, web_door


class Slow(Executor):
    """A thread that does something only when it is told to. It mutates."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def submit(self, work: Callable[..., Any], /, *given: Any, **_: Any) -> "Future[Any]":
        """Keep it."""
        done: Future[Any] = Future()
        self.work.append(lambda: done.set_result(work(*given)))
        return done


class Client:
    """The other side of a TLS connection. It mutates."""

    def __init__(self) -> None:
        self.came, self.left = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
        self._object = tls.wrap_bio(self.came, self.left)

    def shakes(self, came: bytes = b"") -> bytes:
        """What it sends after these bytes, while it shakes hands."""
        self.came.write(came)
        with contextlib.suppress(ssl.SSLWantReadError):
            self._object.do_handshake()
        return self.left.read()

    def says(self, words: bytes) -> bytes:
        """This, sealed."""
        self._object.write(words)
        return self.left.read()

    def hears(self, came: bytes) -> bytes:
        """What these bytes say."""
        self.came.write(came)
        return self._object.read(1 << 16)


def call(desk: Desk, slow: Slow) -> Callable[[], tuple[Connection, Socket]]:
    listener = web_door(desk)
    listener.tls, listener.handshakes = certificate(), Handshakes(slow)

    def one() -> tuple[Connection, Socket]:
        out = Socket()
        connection = Connection(listener)
        connection.connection_made(out)
        return connection, out

    return one


async def shaken(slow: Slow, out: Socket, told: int = 0) -> None:
    """Until more than so many bytes are told; a long hello is several pieces."""

    def answered() -> bool:
        while slow.work:
            slow.work.pop()()
        return len(out.sent) > told

    await until(answered)


def test_a_hundred_handshakes_keep_nobody_waiting() -> None:
    """Each took a millisecond of the loop's own time, and several came before one word."""

    async def run() -> None:
        desk, slow = Desk(), Slow()
        calling = call(desk, slow)
        flooding = [calling() for _ in range(100)]
        plain, out = calling()
        for connection, _ in flooding:
            connection.data_received(hello())
        await turns()
        assert len(slow.work) == 1, "one is under way, and it is not done here"
        assert all(not sent.sent for _, sent in flooding)
        plain.data_received(PING)
        await until(lambda: out.sent == PONG)
        desk.runner.let_go()

    asyncio.run(run())


def test_who_shakes_hands_elsewhere_is_answered_also_what_it_said_with_them() -> None:
    async def run() -> None:
        desk, slow, client = Desk(), Slow(), Client()
        connection, out = call(desk, slow)()
        connection.data_received(client.shakes())
        await shaken(slow, out)
        first = out.sent
        connection.data_received(client.shakes(first) + client.says(PING))
        await turns()
        assert out.sent == first, "hands are still being shaken"
        assert connection.pending_since() is not None, "a flag waits for what it said"
        await shaken(slow, out, len(first))
        await turns()
        assert client.hears(out.sent[len(first) :]) == PONG
        desk.runner.let_go()

    asyncio.run(run())


def test_who_says_too_much_before_hands_are_shaken_is_hung_up_on_at_once() -> None:
    async def run() -> None:
        desk, slow = Desk(), Slow()
        connection, out = call(desk, slow)()
        record = b"\x16\x03\x01\x40\x00\x01\x01\xff\xff" + bytes((1 << 14) - 4)
        for _ in range(HANDSHAKE_MAX // len(record) + 1):
            connection.data_received(record)
            for _ in range(len(record) // PIECE + 1):
                await turns(5)
                if slow.work:
                    slow.work.pop()()
        await until(out.is_closing)
        desk.runner.let_go()

    asyncio.run(run())


def test_nothing_is_shaken_with_who_has_gone() -> None:
    async def run() -> None:
        desk, slow = Desk(), Slow()
        calling = call(desk, slow)
        there = [calling() for _ in range(10)]
        for connection, _ in there:
            connection.data_received(hello())
        await turns()
        for connection, _ in there:
            connection.connection_lost(None)
        slow.work.pop()()
        await turns()
        assert slow.work == []
        desk.runner.let_go()

    asyncio.run(run())


def test_hosts_shake_hands_in_turn_however_many_of_one_wait() -> None:
    async def run() -> None:
        slow, shaken = Slow(), list[str]()
        hands = Handshakes(slow)
        for host in ["192.0.2.1"] * 50 + ["192.0.2.2"]:
            sealed = TlsLayer(certificate())
            sealed.take(hello())
            hands.ask(host, sealed, lambda host=host: shaken.append(host))  # type: ignore[misc]
        for n in range(3):
            slow.work.pop()()
            await until(lambda n=n: len(shaken) > n)  # type: ignore[misc]
        assert "192.0.2.2" in shaken

    asyncio.run(run())


class Long(Slow):
    """One in which each handshake takes an hour, as far as is known. It mutates."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **_: Any) -> "Future[Any]":
        """Keep it."""
        done: Future[Any] = Future()

        def do() -> None:
            work(*given)
            done.set_result(3600 * 10**9)

        self.work.append(do)
        return done


def test_between_two_handshakes_the_thread_rests_while_others_play_and_only_then() -> None:
    """Each also costs the loop half a millisecond, which who plays would wait for."""

    async def goes_on(*, playing: bool) -> bool:
        slow, shaken = Long(), list[int]()
        hands = Handshakes(slow, lambda: playing)
        for n in range(2):
            sealed = TlsLayer(certificate())
            sealed.take(hello())
            hands.ask("192.0.2.1", sealed, lambda n=n: shaken.append(n))  # type: ignore[misc]
        slow.work.pop()()
        await until(lambda: shaken == [0])
        return bool(slow.work)

    assert asyncio.run(goes_on(playing=False))
    assert not asyncio.run(goes_on(playing=True))
