"""Who goes for good leaves no connection behind, however far its call has come."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from rookery_tools.crashtest.clients.calling import HOST, CrashtestTown
from rookery_tools.crashtest.clients.watching import Watcher
from rookery_tools.crashtest.observer.claims import Claims


async def until_asked(asked: asyncio.Event) -> None:
    """Its WebSocket is asked for, and not there yet."""
    await asked.wait()


async def at_once(asked: asyncio.Event) -> None:
    """It has only begun to call."""
    await asyncio.sleep(0)
    assert not asked.is_set()


@pytest.mark.parametrize("wait", [until_asked, at_once])
@pytest.mark.parametrize("framed", [True, False])
def test_who_leaves_while_it_calls_hangs_up(
    wait: Callable[[asyncio.Event], Awaitable[None]], framed: bool
) -> None:
    asyncio.run(leave_after(wait, framed=framed))


async def leave_after(wait: Callable[[asyncio.Event], Awaitable[None]], *, framed: bool) -> None:
    """Call a server that never answers, leave after this, and see that it hears of that."""
    asked, gone = asyncio.Event(), asyncio.Event()

    async def silent(words: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while await words.read(4096):
                asked.set()
        gone.set()
        answer.close()

    async with await asyncio.start_server(silent, HOST, 0) as server:
        port = server.sockets[0].getsockname()[1]
        watcher = Watcher(CrashtestTown({"": port}, Claims()), "Ann", framed=framed, seed=1)
        watcher.call()
        await wait(asked)
        watcher.leave()
        await asyncio.wait_for(gone.wait(), 60)
