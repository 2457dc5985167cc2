"""Workers: lent, given back, replaced. What they do wrong is tested where house bots think."""

import asyncio
import sys

import pytest

from rookery.server.workers import NotStarted, TooSlow, WorkerFailed, WorkerKind, WorkerPool

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
WAITS = "import sys; print('ready', flush=True); sys.stdin.read()"


def kind(script: str, ready: bytes = b"") -> WorkerKind:
    return WorkerKind((sys.executable, "-c", script), "echo", 60.0, 4096, ready)


def test_a_place_whose_process_cannot_be_started_is_free_again() -> None:
    async def story() -> None:
        workers = WorkerPool(WorkerKind(("/nowhere/at/all",), "echo", 1.0, 4096), 1)
        for _ in range(2):
            with pytest.raises(NotStarted, match="could not be started: No such file"):
                await asyncio.wait_for(workers.take(), 60)

    asyncio.run(story())


def test_a_worker_that_failed_is_replaced_when_it_was_given_back() -> None:
    async def story() -> None:
        workers = WorkerPool(kind(ECHO), 1)
        one = await workers.take()
        assert await one.ask(b"hello\n", 60.0, bytes) == b"hello"
        one.kill()
        workers.give_back(one)
        other = await workers.take()
        assert other is not one
        assert await other.ask(b"again\n", 60.0, bytes) == b"again"
        await workers.close()
        assert one.gone.is_set()
        assert other.gone.is_set()
        assert not workers.pids

    asyncio.run(story())


def test_one_who_must_say_that_it_is_ready_is_lent_when_it_has() -> None:
    async def story() -> None:
        workers = WorkerPool(kind(WAITS, b"ready"), 1)
        worker = await workers.take()
        with pytest.raises(TooSlow, match="did not answer in 0 s"):
            await worker.ask(b"hello\n", 0.01, bytes)
        await workers.close()
        workers.give_back(worker)
        with pytest.raises(WorkerFailed, match="was asked too late"):
            await workers.take()

    asyncio.run(story())


def test_one_who_says_something_else_first_is_not_lent() -> None:
    async def story() -> None:
        workers = WorkerPool(kind(WAITS, b"go"), 1)
        with pytest.raises(WorkerFailed, match="does not begin as it should"):
            await workers.take()
        await workers.close()

    asyncio.run(story())
