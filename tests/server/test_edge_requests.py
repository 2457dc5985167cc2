"""What an edge asks of its hall for HTTP: how long it waits for which answer."""

import asyncio
from typing import Any

import msgspec
import pytest
from starlette.types import Message

from rookery.server.links.requests import ANALYSIS_PATIENCE, WebAsking, WebPart
from rookery.server.web.analysing import GRACE, MILLIS, PROVING, STARTING


def scope(path: str) -> dict[str, Any]:
    return {
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [],
        "scheme": "http",
    }


@pytest.mark.parametrize(
    ("path", "answered"), [("/api/tables/7", False), ("/api/tables/7/analysis", True)]
)
def test_who_wants_an_analysis_waits_as_long_as_one_may_take(path: str, *, answered: bool) -> None:
    async def run() -> None:
        loop, told = asyncio.get_running_loop(), list[Message]()

        def send(_: bytes) -> None:  # the hall answers a moment later
            part = msgspec.msgpack.encode(WebPart(1, 200, (), b"{}", last=True))
            loop.call_later(0.01, asking.receive, part)

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def hear(message: Message) -> None:
            told.append(message)

        asking = WebAsking(send, most=100, patience=0.0)
        assert await asking.ask(scope(path), receive, hear) is answered
        assert bool(told) is answered

    asyncio.run(run())
    assert ANALYSIS_PATIENCE > PROVING / MILLIS + GRACE + STARTING
