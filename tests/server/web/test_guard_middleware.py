"""The middleware: what is counted with what, and how a refusal looks, and when it comes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec import Struct
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.types import Message, Scope

from rookery.core.ids import MICROS_A_SECOND
from rookery.core.network import Rate
from rookery.server.web.guard import GuardMiddleware, Rates, RequestGuard
from tests.server.web.inhouse import Inhouse, small_app, story

TWO = Rate(2, 3 * MICROS_A_SECOND)
RATES = Rates(reads=TWO, pages=TWO)

PAGES = ["/", "/tables/1", "/assets/icon.svg", "/docs/settings", "/plain.css", "/nothing", "/api"]
READS = ["/api/tables", "/api/nothing", "/api/docs", "/api/openapi.json"]
PROBES = ["/healthz", "/metrics"]


class Said(Struct, frozen=True):
    status: int
    headers: dict[str, str]
    body: bytes


async def at_once() -> None:
    """Hold nobody."""


def middleware(hold: Callable[[], Awaitable[None]] = at_once) -> GuardMiddleware:
    return GuardMiddleware(PlainTextResponse("through"), RequestGuard(lambda: 0, RATES), hold)


async def ask(
    counted: GuardMiddleware, path: str, host: str = "203.0.113.9", headers: tuple[bytes, ...] = ()
) -> Said:
    heard: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        heard.append(message)

    # Any: ASGI's word for a request.
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path}
    asked: Scope = {
        **scope,
        "query_string": b"",
        "client": (host, 0),
        "headers": [(name, b"1") for name in headers],
    }
    await counted(asked, receive, send)
    start, body = heard
    told = {name.decode(): value.decode() for name, value in start["headers"]}
    return Said(start["status"], told, body["body"])


def statuses(*paths: str) -> list[int]:
    """How these are answered, one after the other."""

    async def run() -> list[int]:
        counted = middleware()
        return [(await ask(counted, path)).status for path in paths]

    return asyncio.run(run())


@pytest.mark.parametrize("path", [*PAGES, *READS, *PROBES])
def test_whatever_is_asked_is_counted(path: str) -> None:
    assert statuses(path, path, path) == [200, 200, 429]


@pytest.mark.parametrize("together", [PAGES, READS])
def test_addresses_of_a_kind_are_counted_together(together: list[str]) -> None:
    assert statuses(*together) == [200, 200, *[429] * (len(together) - 2)]


@pytest.mark.parametrize("flood", ["/", "/api/tables"])
def test_how_the_server_is_can_be_seen_from_the_host_of_a_flood(flood: str) -> None:
    assert statuses(flood, flood, flood, *PROBES)[-3:] == [429, 200, 200]


def test_a_flood_of_pages_takes_nothing_from_the_api() -> None:
    assert statuses("/", "/", "/", "/api/tables") == [200, 200, 429, 200]


def test_a_flood_from_one_host_takes_no_page_from_another() -> None:
    async def run() -> list[int]:
        counted = middleware()
        hosts = ("203.0.113.9",) * 3 + ("203.0.113.10",)
        return [(await ask(counted, "/", host)).status for host in hosts]

    assert asyncio.run(run()) == [200, 200, 429, 200]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/plain; charset=utf-8"),
        ("/assets/icon.svg", "text/plain; charset=utf-8"),
        ("/api/tables", "application/problem+json"),
        ("/metrics", "application/problem+json"),
    ],
)
def test_a_refusal_says_when_to_come_again_in_the_words_of_its_kind(path: str, kind: str) -> None:
    async def run() -> Said:
        counted = middleware()
        for _ in range(2):
            await ask(counted, path)
        return await ask(counted, path)

    refused = asyncio.run(run())
    assert (refused.status, refused.headers["retry-after"]) == (429, "3")
    assert refused.headers["content-type"] == kind
    assert b"Too many requests came from your host; wait a moment." in refused.body


def test_a_refusal_is_held_and_an_answer_is_not() -> None:
    async def run() -> None:
        held = asyncio.Event()

        async def hold() -> None:
            await held.wait()

        counted = middleware(hold)
        for _ in range(2):
            await ask(counted, "/")
        refused = asyncio.create_task(ask(counted, "/"))
        assert (await ask(counted, "/api/tables")).status == 200
        assert not refused.done()
        held.set()
        assert (await refused).status == 429

    asyncio.run(run())


def test_a_flood_takes_nothing_from_others() -> None:
    """Over real sockets: the flood waits for its refusal, and all it sent waits behind that."""

    async def told(inhouse: Inhouse) -> None:
        one = b"GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n"
        reader, _ = await inhouse.call(one * 1_000)
        for _ in range(TWO.burst):
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\nshort")
        for _ in range(20):
            await inhouse.ping()
        probe, _ = await inhouse.call(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"404 Not Found" in await probe.readuntil(b"\r\n\r\n")
        inhouse.held.set()
        assert b"429 Too Many Requests" in await reader.readuntil(b"wait a moment.")

    story(told, app=counting_app)


def counting_app(held: asyncio.Event) -> Starlette:
    """The small one behind the middleware, which holds what it refuses until it may."""

    async def hold() -> None:
        await held.wait()

    guard = RequestGuard(lambda: 0, Rates(pages_loopback=TWO))
    app = small_app(held)
    app.add_middleware(GuardMiddleware, guard, hold)
    return app
