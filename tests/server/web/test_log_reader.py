"""Who may read the log when: hosts in turn, so many of each, and nobody once it closes."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable

import pytest

from rookery.core.ids import TableId
from rookery.server.web.history import (
    AT_ONCE,
    GIVING_WAY_S,
    WAITING_A_HOST,
    WAITING_MAX,
    LogReader,
    Seen,
)
from rookery.server.web.problems import HttpProblem
from rookery.store.sqlite import SqliteStore
from tests.server.desk import PATIENCE


class Held:
    """A log reader whose first reading lasts until the test lets it go. It mutates."""

    def __init__(self) -> None:
        self.log_reader = LogReader(SqliteStore())
        self.go = threading.Event()
        self.read: list[str] = []  # what was, in order

    async def begin(self) -> "asyncio.Task[None]":
        return await self.ask("first", work=lambda: self.go.wait(PATIENCE))

    async def begin_then(self, do: Callable[[], object]) -> "asyncio.Task[None]":
        """The same; when it is done, and has called the next, who has not come yet, do this."""

        async def run() -> None:
            await self.log_reader.read(lambda: self.go.wait(PATIENCE), "first")
            do()

        task = asyncio.create_task(run())
        await asyncio.sleep(0)
        return task

    async def ask(
        self, host: str, name: str = "", work: Callable[[], object] = lambda: None
    ) -> "asyncio.Task[None]":
        """Somebody who reads, or waits by now."""

        def read() -> None:
            work()
            self.read.append(name or host)

        task = asyncio.create_task(self.log_reader.read(read, host))
        await asyncio.sleep(0)
        return task


def story(told: Callable[[Held], Awaitable[None]]) -> None:
    async def run() -> None:
        held = Held()
        try:
            async with asyncio.timeout(PATIENCE):
                await told(held)
        finally:
            held.go.set()
            held.log_reader.close()

    asyncio.run(run())


async def trouble(task: "asyncio.Task[None]") -> str:
    with pytest.raises(HttpProblem) as wrong:
        await task
    return wrong.value.problem.code


def test_who_reads_gives_way_to_who_plays_and_only_then() -> None:
    async def told(held: Held) -> None:
        usual = sys.getswitchinterval()
        assert await held.log_reader.read(sys.getswitchinterval, "ann") == pytest.approx(
            GIVING_WAY_S
        )
        with pytest.raises(ZeroDivisionError):
            await held.log_reader.read(lambda: 1 / 0, "ann")
        assert sys.getswitchinterval() == pytest.approx(usual)
        assert usual > GIVING_WAY_S

    story(told)


def test_hosts_read_in_turn() -> None:
    async def told(held: Held) -> None:
        tasks = [await held.begin()]
        names = ("ann 1", "ann 2", "ann 3", "bob 1", "bob 2", "cid 1")
        tasks += [await held.ask(name[:3], name) for name in names]
        held.go.set()
        await asyncio.gather(*tasks)
        assert held.read[1:] == ["ann 1", "bob 1", "cid 1", "ann 2", "bob 2", "ann 3"]

    story(told)


def test_who_looks_at_many_tables_lets_others_have_a_turn() -> None:
    async def told(held: Held) -> None:
        tables = [TableId(n) for n in range(1, 2 * AT_ONCE + 2)]
        turns: list[int] = []

        async def read(work: Callable[[], Seen]) -> Seen:
            seen = await held.log_reader.read(work, "ann")
            turns.append(len(seen))
            return seen

        assert [table async for table, _ in held.log_reader.glances(tables, read)] == tables
        assert turns == [AT_ONCE, AT_ONCE, 1]

    story(told)


def test_a_host_that_asks_too_much_keeps_nobody_else_out() -> None:
    async def told(held: Held) -> None:
        tasks = [await held.begin()]
        tasks += [await held.ask("greedy") for _ in range(WAITING_A_HOST)]
        assert await trouble(await held.ask("greedy")) == "busy"
        tasks.append(await held.ask("modest"))
        held.go.set()
        await asyncio.gather(*tasks)
        assert held.read[2] == "modest"

    story(told)


def test_all_hosts_together_are_too_many_at_some_time() -> None:
    async def told(held: Held) -> None:
        tasks = [await held.begin()]
        tasks += [await held.ask(f"host {n}") for n in range(WAITING_MAX)]
        assert await trouble(await held.ask("one more")) == "busy"
        held.go.set()
        await asyncio.gather(*tasks)
        await (await held.ask("one more"))

    story(told)


def test_who_waits_when_the_server_goes_down_is_told_so() -> None:
    async def told(held: Held) -> None:
        first, second = await held.begin(), await held.ask("ann")
        held.go.set()
        held.log_reader.close()
        assert await trouble(second) == "closing"
        assert await trouble(await held.ask("bob")) == "closing"
        await first
        assert held.read == ["first"]

    story(told)


def test_whose_turn_came_when_the_server_goes_down_is_told_so_too() -> None:
    async def told(held: Held) -> None:
        first = await held.begin_then(held.log_reader.close)
        second = await held.ask("ann")
        held.go.set()
        assert await trouble(second) == "closing"
        await first

    story(told)


@pytest.mark.parametrize("when", ["waiting", "called"])
def test_who_stops_waiting_leaves_its_turn_to_the_next(when: str) -> None:
    async def told(held: Held) -> None:
        asked: list[asyncio.Task[None]] = []

        def leave() -> None:
            asked[0].cancel()

        first = await held.begin_then(leave)
        asked += [await held.ask("ann"), await held.ask("bob")]
        gone, last = asked
        if when == "waiting":
            gone.cancel()
        held.go.set()
        await asyncio.gather(first, last)
        assert gone.cancelled()
        assert held.read[-1] == "bob"

    story(told)
