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
from rookery.server.net.connection import Connection
from rookery.server.net.listener import Listener
from rookery.server.web.answer_cache import (
    ANSWER_MAX,
    BYTES_MAX,
    KEPT_MAX,
    MOMENT,
    AnswerCache,
    Lasts,
    Truth,
    may_be_kept,
)
from rookery.server.web.answer_recorder import TRUTH
from rookery.server.web.http import HttpServer
from tests.server.desk import Desk, turns, until
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

    def __init__(self, sharing_time: float) -> None:
        self.people, self.now, self.failing, self.enough = 0, 0, False, False
        self.begun = False  # somebody is being answered
        self.made = 0  # answers, in the plain way
        self.heard: list[int] = []  # by two who asked at once
        self.held: asyncio.Event | None = None  # until then nothing is answered
        self.renew: Callable[[], bytes | None] | None = None  # what is said when clocks have run
        self.around = Desk()
        self.kept = AnswerCache(lambda: self.people, lambda: self.now, lambda: self.failing)
        listener = self.listener = Listener(
            self.around.runner, self.around.time, self.around.hall.directory
        )
        paths = ("/api/tables", "/api/tables/7", "/api/tables/7/log")
        app = Starlette(routes=[Route(path, self._answer) for path in paths])
        counts, kept = (lambda _: not self.enough), self.kept
        listener.web = HttpServer(app, kept=kept, counts=counts, sharing_time=sharing_time)
        self.connection, self.out = self.call()

    def call(self) -> tuple[Connection, Socket]:
        """One more connection."""
        connection, out = Connection(self.listener), Socket()
        connection.connection_made(out)
        return connection, out

    async def _answer(self, request: Request) -> Response:
        self.begun = True
        if self.held is not None:
            await self.held.wait()
        self.made += 1
        lasts = OF_A_TABLE.get(request.url.path)
        table = None if lasts is None else TableId(7)
        request.scope[TRUTH] = Truth(lasts or Lasts.HALL, table, self.renew)
        return PlainTextResponse(f"{request.url.path} {self.made}")

    def happen(self, table: int) -> None:
        """Something is safe."""
        said = Said(PlayerId(1), "Ann", "hello")
        self.kept.wrote([Record(1, table_stream(TableId(table)), 1, Wall(0), said)])

    async def ask(self, request: bytes = LIST, by: tuple[Connection, Socket] | None = None) -> int:
        """The number of the answer that is given to this."""
        connection, out = by or (self.connection, self.out)
        out.sent = b""
        connection.data_received(request)
        await until(lambda: b"\r\n\r\n" in out.sent and out.sent[-1:].isdigit())
        return int(out.sent.split()[-1])

    async def both(self, request: bytes = LIST, then: Callable[[], None] = lambda: None) -> None:
        """Two who ask the same at once, while nothing is answered; and what happens meanwhile."""
        self.held, others = asyncio.Event(), [self.call(), self.call()]
        asking = [asyncio.create_task(self.ask(request, by)) for by in others]
        await until(lambda: self.begun)
        then()
        self.held.set()
        self.heard = [await one for one in asking]


NEVER = 3600.0  # seconds: nobody waits so long in a test


def world(told: Callable[[World], Awaitable[None]], sharing_time: float = NEVER) -> None:
    async def run() -> None:
        around = World(sharing_time)
        await told(around)
        around.around.runner.let_go()

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


def test_where_clocks_run_only_they_are_told_anew() -> None:
    async def told(here: World) -> None:
        assert await here.ask(ONE) == 1
        bodies = iter([b"/api/tables/7 1000", b"/api/tables/7 999"])

        def renew() -> bytes | None:
            return next(bodies, None)

        here.renew = renew
        here.happen(7)
        assert await here.ask(ONE) == 2
        for number in (1000, 999):
            here.now += MOMENT
            assert [await here.ask(ONE), await here.ask(ONE)] == [number, number]
            head, _, body = here.out.sent.partition(b"\r\n\r\n")
            assert f"content-length: {len(body)}".encode() in head.split(b"\r\n")
        here.now += MOMENT
        assert await here.ask(ONE) == 3, "nothing can be said of it any more"

    world(told)


def test_who_asks_the_same_at_once_is_told_the_same_for_one_asking() -> None:
    async def told(here: World) -> None:
        await here.both()
        assert (here.heard, here.made) == ([1, 1], 1)

    world(told)


def test_what_two_are_told_may_be_old_for_who_asks_next() -> None:
    async def told(here: World) -> None:
        await here.both(then=lambda: here.happen(8))
        assert here.heard == [1, 1], "nothing had happened when they asked"
        assert await here.ask() == 2

    world(told)


def test_who_asks_after_something_happened_is_not_told_what_was_asked_before() -> None:
    async def told(here: World) -> None:
        here.held, other = asyncio.Event(), here.call()
        first = asyncio.create_task(here.ask())
        await until(lambda: here.begun)
        here.happen(8)
        second = asyncio.create_task(here.ask(by=other))
        await turns()
        here.held.set()
        assert (sorted([await first, await second]), here.made) == ([1, 2], 2)

    world(told)


def test_who_waits_for_anothers_answer_is_answered_though_the_other_goes() -> None:
    async def told(here: World) -> None:
        here.held, other = asyncio.Event(), here.call()
        here.connection.data_received(LIST)
        await until(lambda: here.begun)
        waits = asyncio.create_task(here.ask(by=other))
        await turns()
        here.connection.connection_lost(None)
        here.held.set()
        assert await waits > 0

    world(told)


def test_who_waits_for_anothers_answer_and_goes_is_not_written_to() -> None:
    async def told(here: World) -> None:
        here.held, (other, out) = asyncio.Event(), here.call()
        first = asyncio.create_task(here.ask())
        await until(lambda: here.begun)
        other.data_received(LIST)
        out.close()
        other.connection_lost(None)
        here.held.set()
        assert await first == 1
        await turns()
        assert (out.sent, here.made) == (b"", 1)

    world(told)


def test_nobody_waits_long_for_what_somebody_else_is_told() -> None:
    async def told(here: World) -> None:
        here.held, other = asyncio.Event(), here.call()
        first = asyncio.create_task(here.ask())
        await until(lambda: here.begun)
        here.begun = False
        second = asyncio.create_task(here.ask(by=other))
        await until(lambda: here.begun)  # it asks itself, though the first is not answered
        here.held.set()
        assert sorted([await first, await second]) == [1, 2]

    world(told, sharing_time=0.0)


def test_a_refusal_is_for_who_asked_alone() -> None:
    async def told(here: World) -> None:
        here.enough = True
        await here.both()
        assert (sorted(here.heard), here.made) == ([1, 2], 2), "its own host had asked too much"

    world(told)


def test_what_is_asked_behind_an_answer_for_two_comes_after_it() -> None:
    async def told(here: World) -> None:
        here.held, (other, out) = asyncio.Event(), here.call()
        first = asyncio.create_task(here.ask())
        await until(lambda: here.begun)
        for request in (LIST, ONE, LIST):
            other.data_received(request)
        here.held.set()
        assert await first == 1
        await until(lambda: out.sent.count(b"HTTP/1.1 200") == 3)
        bodies = [part.split(b"\r\n\r\n")[1] for part in out.sent.split(b"HTTP/1.1")[1:]]
        paths = [body.split()[0] for body in bodies]
        assert paths == [b"/api/tables", b"/api/tables/7", b"/api/tables"]

    world(told)


def test_clocks_that_cannot_be_told_anew_are_told_as_they_were_a_moment_ago_at_most() -> None:
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
        assert await here.ask() == 2, "here the guard would have said no"

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
    kept = AnswerCache(lambda: 0, lambda: 0, lambda: False)
    words = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (ANSWER_MAX // 2)
    asked = [(LIST + b"%d" % n, False) for n in range(KEPT_MAX)]
    for asking in asked:
        kept.put(asking, words, Truth(Lasts.TABLE), kept.version())
        assert kept.find(asking) == words
    assert sum(asking in kept for asking in asked) * len(words) <= BYTES_MAX


def test_what_is_kept_is_bounded() -> None:
    kept = AnswerCache(lambda: 0, lambda: 0, lambda: False)
    words = b"HTTP/1.1 200 OK\r\n\r\n"
    for n in range(3 * KEPT_MAX):
        asking = LIST + b"%d" % n, False
        kept.put(asking, words, Truth(Lasts.TABLE, TableId(n)), kept.version())
        assert kept.find(asking) == words
    assert sum((LIST + b"%d" % n, False) in kept for n in range(3 * KEPT_MAX)) <= KEPT_MAX
    for wrong in (words + b"x" * ANSWER_MAX, b"HTTP/1.1 404 Not Found\r\n\r\n"):
        kept.put((LIST, True), wrong, Truth(Lasts.HALL), kept.version())
        assert (LIST, True) not in kept
