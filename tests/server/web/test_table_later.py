"""What is said of a table a while later without asking the hall: the same as if it were asked."""

from collections.abc import Awaitable, Callable
from typing import cast

import pytest
from starlette.requests import Request

from rookery.core.ids import MICROS_A_SECOND, TableId
from rookery.core.intents import Play, Watch
from rookery.server.metrics import Counters
from rookery.server.web.api_tables import TableShown, later, show_table
from rookery.server.web.guard import RequestGuard
from rookery.server.web.hall_client import HallDesk
from rookery.server.web.history import LogReader
from rookery.server.web.routes import Asked, Later, Sources
from tests.server.desk import Desk, Ear, story, until

CLOCKS = ["none", "5m", "5m+3s", "5m delay 2s", "10s/move first 30s"]


class Reader:
    """Who looks at a game of two over HTTP. It mutates."""

    def __init__(self, desk: Desk, log_reader: LogReader) -> None:
        asks, gate = HallDesk(desk.runner, desk.hall, desk.time), cast("RequestGuard", None)
        self.desk, hall = desk, desk.hall
        self.sources = Sources(
            asks, log_reader, gate, Counters(), dict, lambda: False, hall, (), None
        )
        self.table = TableId(0)

    async def begin(self, time: str) -> Ear:
        """Two begin to play; the first of them."""
        ann, bob = await self.desk.player("ann"), await self.desk.player("bob")
        self.table = await self.desk.game(ann, bob, "nim", time)
        await self.desk.settled()
        return ann

    async def shown(self) -> TableShown:
        """What the hall says now."""
        scope = {"type": "http", "path_params": {"table": self.table}, "query_string": b""}
        return await show_table(Asked(self.sources, Request(scope)))

    async def look(self) -> Later:
        """What will be said later of what is shown now."""
        return later(self.sources, await self.shown())


def reading(told: Callable[[Reader], Awaitable[None]]) -> None:
    async def run(desk: Desk) -> None:
        log_reader = LogReader(desk.store)
        try:
            await told(Reader(desk, log_reader))
        finally:
            log_reader.close()

    story(run)


@pytest.mark.parametrize("time", CLOCKS)
def test_clocks_are_as_the_hall_would_say(time: str) -> None:
    async def told(here: Reader) -> None:
        await here.begin(time)
        by_now = await here.look()
        for _ in range(3):
            here.desk.passes(MICROS_A_SECOND + 7)
            assert by_now() == await here.shown()

    reading(told)


def test_who_has_come_to_look_on_is_counted() -> None:
    async def told(here: Reader) -> None:
        await here.begin("5m")
        by_now = await here.look()
        cid = await here.desk.player("cid")
        here.desk.ask(cid, Watch(here.table))
        await here.desk.settled()
        found = by_now()
        assert found == await here.shown()
        assert isinstance(found, TableShown)
        assert found.onlookers is not None
        assert found.onlookers.count == 1

    reading(told)


def test_after_a_move_that_is_decided_and_not_safe_nothing_is_said() -> None:
    async def told(here: Reader) -> None:
        ann = await here.begin("5m")
        by_now = await here.look()
        assert by_now() is not None
        here.desk.store.gate.clear()
        table = here.desk.hall.tables.get_unfinished(here.table)
        assert table is not None
        here.desk.ask(ann, Play(here.table, "0,1"))
        await until(lambda: here.desk.hall.tables.get_unfinished(here.table) != table)
        assert by_now() is None
        here.desk.store.gate.set()
        await here.desk.settled()
        assert by_now() is None

    reading(told)
