"""With which exit code a server goes: who was told to stop has stopped, whoever leads by then."""

import asyncio

import pytest

from rookery.server.app import CRASHED, TAKEN, Stop
from rookery.server.cluster.standby import cancel
from rookery.store import StoreTaken

ANOTHER = StoreTaken("Another has taken over.")
MISTAKE = ValueError("a mistake of ours")


@pytest.mark.parametrize(
    ("before", "meanwhile", "code"),
    [
        ([], [], None),
        ([], [ANOTHER], 0),
        ([], [MISTAKE], CRASHED),
        ([ANOTHER], [], TAKEN),
        ([MISTAKE], [ANOTHER], CRASHED),
    ],
)
def test_what_goes_wrong_before_all_is_written_ends_the_waiting(
    before: list[Exception], meanwhile: list[Exception], code: int | None
) -> None:
    async def run() -> int | None:
        stop, written = Stop(), asyncio.Event()
        for wrong in before:
            stop.crashed(wrong)
        stop.asked()
        await stop.wait()
        loop = asyncio.get_running_loop()
        closing = asyncio.ensure_future(_until(written))
        for wrong in meanwhile:
            loop.call_soon(stop.crashed, wrong)
        if not before and not meanwhile:
            loop.call_soon(written.set)
        return await stop.falls_before(closing)

    assert asyncio.run(run()) == code


async def _until(written: asyncio.Event) -> bool:
    await written.wait()
    return True


def test_a_task_whose_cancelling_was_swallowed_is_cancelled_again() -> None:
    async def stubborn(swallowed: list[int]) -> None:
        for n in range(2):  # as `asyncio.wait_for` does where its answer comes in the same moment
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                swallowed.append(n)
        await asyncio.get_running_loop().create_future()

    async def run() -> None:
        swallowed: list[int] = []
        task = asyncio.create_task(stubborn(swallowed))
        await asyncio.sleep(0)
        await cancel(task)
        assert task.cancelled()
        assert swallowed == [0, 1]

    asyncio.run(run())
