"""The end of a WebSocket that the server ends: it waits for an answer, and not for ever."""

import asyncio
from collections.abc import Callable, Coroutine

from websockets.frames import Close, CloseCode, Frame, Opcode

from rookery.server.limits import Bounds
from rookery.server.net.connection import Connection
from tests.server.desk import Desk, turns, until
from tests.server.web.inhouse import HANDSHAKE, Socket, web_door

GOODBYE = Frame(Opcode.CLOSE, Close(CloseCode.GOING_AWAY, "").serialize())


class Line(Socket):
    """A socket that knows whether it was closed. It mutates."""

    closed = False

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def scene(told: Callable[[Connection, Line], Coroutine[None, None, None]], bounds: Bounds) -> None:
    """Run this with a WebSocket that we hang up on."""

    async def run() -> None:
        around, out = Desk(), Line()
        connection = Connection(web_door(around, bounds))
        connection.connection_made(out)
        connection.data_received(HANDSHAKE)
        await until(lambda: out.sent.startswith(b"HTTP/1.1 101"))
        connection.close()
        assert out.sent.endswith(GOODBYE.serialize(mask=False))
        assert not out.closed
        await told(connection, out)
        around.runner.let_go()

    asyncio.run(run())


def test_who_answers_our_goodbye_is_waited_for() -> None:
    async def told(connection: Connection, out: Line) -> None:
        await turns()
        assert not out.closed
        connection.data_received(GOODBYE.serialize(mask=True))
        assert out.closed

    scene(told, Bounds())


def test_who_does_not_answer_is_hung_up_on_when_its_time_is_over() -> None:
    async def told(_: Connection, out: Line) -> None:
        await until(lambda: out.closed)

    scene(told, Bounds(goodbye=0))
