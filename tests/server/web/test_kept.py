"""Answers that are kept: the same bytes for the same question, and never for another truth."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rookery.core.events import Record, Said, table_stream
from rookery.core.ids import PlayerId, TableId, Wall
from rookery.server.connections.door import Door
from rookery.server.connections.tcp import Connection
from rookery.server.web.kept import (
    ANSWER_MAX,
    BYTES_MAX,
    KEPT_MAX,
    MOMENT,
    KeptAnswers,
    Lasts,
    may_be_kept,
)
from rookery.server.web.protocol.again import LASTS
from rookery.server.web.protocol.http_connection import Carrier
from tests.server.desk import Desk, until
from tests.server.web.inhouse import Socket

ASK = b"GET /api/tables%b HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
LIST = ASK % (b"", b"")
ONE = ASK % (b"/7", b"")
OF_A_TABLE = {"/api/tables/7": Lasts.CLOCK, "/api/tables/7/log": Lasts.TABLE}


@pytest.mark.parametrize(
    "more",
    [b"Content-Length: 5", b"Transfer-Encoding: chunked", b"expect: 100-continue", b"UPGRADE: x"],
)
def test_a_head_that_is_not_all_of_its_request_is_never_kept(more: bytes) -> None:
    assert may_be_kept(LIST)
    assert not may_be_kept(ASK % (b"", more + b"\r\n"))


class World:
    """A connection that speaks HTTP to an app which counts its answers. It mutates."""

    def __init__(self) -> None:
        self.people, self.now, self.failing, self.enough = 0, 0, False, False
        self.begun = False  # somebody is being answered
        self.made = 0  # answers, in the plain way
        self.held: asyncio.Event | None = None  # until then nothing is answered
        self.around, self.out = Desk(), Socket()
        self.kept = KeptAnswers(lambda: self.people, lambda: self.now, lambda: self.failing)
        door = Door(self.around.keeper, self.around.time, self.around.hall.directory)
        paths = ("/api/tables", "/api/tables/7", "/api/tables/7/log")
        app = Starlette(routes=[Route(path, self._answer) for path in paths])
        door.web = Carrier(app, kept=self.kept, counts=lambda _: not self.enough)
        self.connection = Connection(door)
        self.connection.connection_made(self.out)

    async def _answer(self, request: Request) -> Response:
        self.begun = True
        if self.held is not None:
            await self.held.wait()
        self.made += 1
        lasts = OF_A_TABLE.get(request.url.path)
        table = None if lasts is None else TableId(7)
        request.scope[LASTS] = lasts or Lasts.HALL, table
        return PlainTextResponse(f"{request.url.path} {self.made}")

    def happen(self, table: int) -> None:
        """Something is safe."""
        said = Said(PlayerId(1), "Ann", "hello")
        self.kept.wrote([Record(1, table_stream(TableId(table)), 1, Wall(0), said)])

    async def ask(self, request: bytes = LIST) -> int:
        """The number of the answer that is given to this."""
        self.out.sent = b""
        self.connection.data_received(request)
        await until(lambda: b"\r\n\r\n" in self.out.sent and self.out.sent[-1:].isdigit())
        return int(self.out.sent.split()[-1])


def world(told: Callable[[World], Awaitable[None]]) -> None:
    async def run() -> None:
        around = World()
        await told(around)
        around.around.keeper.let_go()

    asyncio.run(run())


def test_who_asks_again_gets_the_same_bytes_and_nobody_is_asked() -> None:
    async def told(here: World) -> None:
        assert await here.ask() == 1
        first = here.out.sent
        assert await here.ask() == 1
        assert (here.out.sent, here.made) == (first, 1)

    world(told)


@pytest.mark.parametrize("path", [b"", b"/7", b"/7/log"])
def test_what_happened_is_in_the_next_answer(path: bytes) -> None:
    async def told(here: World) -> None:
        asked = ASK % (path, b"")
        assert [await here.ask(asked), await here.ask(asked)] == [1, 1]
        here.happen(7)
        assert [await here.ask(asked), await here.ask(asked)] == [2, 2]

    world(told)


def test_what_happens_elsewhere_changes_lists_alone() -> None:
    async def told(here: World) -> None:
        log = ASK % (b"/7/log", b"")
        assert [await here.ask(), await here.ask(log)] == [1, 2]
        here.happen(8)
        assert [await here.ask(), await here.ask(log)] == [3, 2]

    world(told)


def test_who_comes_and_goes_is_seen_in_lists_and_at_tables() -> None:
    async def told(here: World) -> None:
        assert [await here.ask(), await here.ask(ONE)] == [1, 2]
        here.people += 1
        assert [await here.ask(), await here.ask(ONE)] == [3, 4]

    world(told)


def test_clocks_are_told_as_they_were_a_moment_ago_at_most() -> None:
    async def told(here: World) -> None:
        assert await here.ask(ONE) == 1
        here.now += MOMENT - 1
        assert await here.ask(ONE) == 1
        here.now += 1
        assert await here.ask(ONE) == 2

    world(told)


def test_an_answer_is_not_kept_if_something_happened_while_it_was_made() -> None:
    async def told(here: World) -> None:
        here.held = asyncio.Event()
        asking = asyncio.create_task(here.ask())
        await until(lambda: here.begun)
        here.happen(8)
        here.held.set()
        assert await asking == 1
        assert await here.ask() == 2

    world(told)


def test_too_many_questions_are_left_to_who_refuses_them() -> None:
    async def told(here: World) -> None:
        assert await here.ask() == 1
        here.enough = True
        assert await here.ask() == 2, "here the turnstile would have said no"

    world(told)


def test_nothing_is_answered_from_before_while_the_log_cannot_be_written() -> None:
    async def told(here: World) -> None:
        assert await here.ask() == 1
        here.failing = True
        assert await here.ask() == 2

    world(told)


def test_questions_behind_each_other_are_answered_in_order() -> None:
    async def told(here: World) -> None:
        assert [await here.ask(), await here.ask(ONE)] == [1, 2]
        here.out.sent = b""
        for request in (ONE, LIST, ONE + LIST, LIST[:20], LIST[20:] + ONE, LIST):
            here.connection.data_received(request)
        await until(lambda: here.out.sent.count(b"HTTP/1.1 200") == 7)
        bodies = [part.split(b"\r\n\r\n")[1] for part in here.out.sent.split(b"HTTP/1.1")[1:]]
        paths = [body.split()[0].decode() for body in bodies]
        one, some = "/api/tables/7", "/api/tables"
        assert paths == [one, some, one, some, some, one, some]

    world(told)


def test_who_wants_us_to_hang_up_is_not_kept_waiting() -> None:
    async def told(here: World) -> None:
        last = ASK % (b"", b"Connection: close\r\n")
        assert await here.ask(last) == 1
        assert here.out.is_closing()
        assert (last, False) not in here.kept

    world(told)


@pytest.mark.parametrize(
    "request_",
    [
        b"HEAD /api/tables HTTP/1.1\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\n\r\n",
        b"GET /api/players HTTP/1.1\r\n\r\n",
        b"GET /api/tables HTTP/1.1\r\nHost: a\r\n",
        LIST + LIST,
        ASK % (b"", b"AUTHORIZATION: Bearer x\r\n"),
    ],
)
def test_what_is_never_kept(request_: bytes) -> None:
    assert not may_be_kept(request_)
    assert may_be_kept(LIST)


def test_the_bytes_of_what_is_kept_are_bounded() -> None:
    kept = KeptAnswers(lambda: 0, lambda: 0, lambda: False)
    words = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (ANSWER_MAX // 2)
    asked = [(LIST + b"%d" % n, False) for n in range(KEPT_MAX)]
    for asking in asked:
        kept.put(asking, words, Lasts.TABLE, None, kept.version())
        assert kept.find(asking) == words
    assert sum(asking in kept for asking in asked) * len(words) <= BYTES_MAX


def test_what_is_kept_is_bounded() -> None:
    kept = KeptAnswers(lambda: 0, lambda: 0, lambda: False)
    words = b"HTTP/1.1 200 OK\r\n\r\n"
    for n in range(3 * KEPT_MAX):
        asking = LIST + b"%d" % n, False
        kept.put(asking, words, Lasts.TABLE, TableId(n), kept.version())
        assert kept.find(asking) == words
    assert sum((LIST + b"%d" % n, False) in kept for n in range(3 * KEPT_MAX)) <= KEPT_MAX
    for wrong in (words + b"x" * ANSWER_MAX, b"HTTP/1.1 404 Not Found\r\n\r\n"):
        kept.put((LIST, True), wrong, Lasts.HALL, None, kept.version())
        assert (LIST, True) not in kept
